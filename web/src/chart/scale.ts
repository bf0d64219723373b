import type {VisualMapComponentOption} from "echarts";

import type {Look} from "./look";

// From low to high in one direction of brightness, so that it reads without colour too (after Viridis).
const kColors = [
  "#440154",
  "#46327e",
  "#365c8d",
  "#277f8e",
  "#1fa187",
  "#4ac16d",
  "#a0da39",
  "#fde725",
];

/** Low to high: on paper and on a light page light is little. */
function heat_colors(): string[] {
  return [...kColors].reverse();
}

/** The key of the colours, in a line above the figure; `of` is what has a colour. */
export function heat_scale(
  [least, most]: readonly [number, number],
  text: readonly [string, string],
  look: Look,
  width: number,
  of: {readonly dimension: number; readonly seriesIndex?: number[]},
): VisualMapComponentOption {
  return {
    type: "continuous",
    min: least,
    max: most,
    ...of,
    inRange: {color: heat_colors()},
    orient: "horizontal",
    left: 0,
    top: 0,
    itemWidth: look.size,
    itemHeight: Math.min(240, width * 0.45),
    text: [text[1], text[0]],
    textStyle: {color: look.ink, fontSize: look.size, fontFamily: look.font},
    calculable: false,
    hoverLink: false,
  };
}
