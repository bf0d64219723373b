// Which numbers beside marks can be read: those that lie on no mark and on no other number.
import {text_width, type Look} from "./look";

/** In pixels; the number stands to the right of its mark. */
export interface Marked {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly text: string;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function mark_box({x, y, size}: Marked): Box {
  const reach = size / 2;
  return {left: x - reach, right: x + reach, top: y - reach, bottom: y + reach};
}

function text_box({x, y, size, text}: Marked, look: Look): Box {
  const left = x + size / 2,
    reach = look.size / 2;
  return {left, right: left + text_width(text, look) + 2, top: y - reach, bottom: y + reach};
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Whether each is shown: the largest marks choose first. */
export function readable(marks: readonly Marked[], look: Look): boolean[] {
  const shown = marks.map(() => false);
  const taken: Box[] = [];
  const largest_first = marks.map((_, i) => i).sort((a, b) => marks[b]!.size - marks[a]!.size);
  for (const i of largest_first) {
    const own = text_box(marks[i]!, look);
    const on_mark = marks.some((other, j) => j !== i && overlap(own, mark_box(other)));
    if (on_mark || taken.some((other) => overlap(own, other))) continue;
    shown[i] = true;
    taken.push(own);
  }
  return shown;
}
