// Texts beside marks: which numbers can be read, those that lie on no mark and on no other number, and where names stand
// so that they stay between the axes.
import {text_width, type Look} from "./look";

/** In pixels; the number stands to the right of its mark. */
export interface Marked {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly text: string;
}

export interface Box {
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

export type Side = "bottom" | "left" | "right" | "top";

/** A mark with its name, and the side of it where the name should stand. */
export interface Named extends Marked {
  readonly side: Side;
}

const kFromAxis = 4,
  kFromMark = 4;

/** How far [from, to] must move to lie within [least, most]; the lower end counts where it is too long. */
function shift(from: number, to: number, least: number, most: number): number {
  return Math.max(Math.min(0, most - to), least - from);
}

function name_box(mark: Named, side: Side, plot: Box, look: Look): Box {
  const width = text_width(mark.text, look),
    reach = mark.size / 2 + kFromMark;
  const across = {left: -reach - width, right: reach, top: -width / 2, bottom: -width / 2}[side];
  const down = {
    left: -look.size / 2,
    right: -look.size / 2,
    top: -reach - look.size,
    bottom: reach,
  }[side];
  const left = mark.x + across,
    top = mark.y + down;
  const x = left + shift(left, left + width, plot.left + kFromAxis, plot.right - kFromAxis),
    y = top + shift(top, top + look.size, plot.top + kFromAxis, plot.bottom - kFromAxis);
  return {left: x, right: x + width, top: y, bottom: y + look.size};
}

/**
 * Where the names stand: between the axes, on no named mark and on no other name; on the side that is asked for where
 * there is room, else on another one. Nothing where there is no room at all; the first ones choose first.
 */
export function inside(marks: readonly Named[], plot: Box, look: Look): (Box | undefined)[] {
  const taken = marks.map(mark_box);
  return marks.map((mark) => {
    const sides: Side[] = [mark.side, "top", "bottom", "right", "left"];
    const free = sides
      .map((side) => name_box(mark, side, plot, look))
      .find((box) => !taken.some((other) => overlap(box, other)));
    if (free) taken.push(free);
    return free;
  });
}
