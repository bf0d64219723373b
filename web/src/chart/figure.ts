import type {EChartsOption} from "echarts";

import type {Look} from "./look";
import type {Table} from "./table";

/** One picture: drawn by the page and, without a browser, into a file. */
export interface Figure {
  /** Also the name of its file. */
  readonly name: string;
  readonly title: string;
  /** Which of several it is of: a cell, a kind, a network. */
  readonly of?: string;
  /** What it shows, in a sentence. */
  readonly finding: string;
  readonly table: Table;
  /** Over two columns of a paper. */
  readonly wide?: boolean;
  height(look: Look, width: number): number;
  option(look: Look, width: number): EChartsOption;
}

export function full_title(figure: Figure): string {
  if (!figure.of) return figure.title;
  return figure.title + (figure.title.endsWith("?") ? " " : ": ") + figure.of;
}

/** A point of a series that says what it is. */
export interface Dot {
  value: (number | string)[];
  tip: string;
}

export function dot(value: (number | string)[], ...lines: string[]): Dot {
  return {value, tip: lines.join("\n")};
}
