// Series that ECharts does not have: filled bands, error bars, lines across.
import type {CustomSeriesOption, LineSeriesOption} from "echarts";

import type {Look} from "./look";

interface At {
  readonly xAxisIndex?: number;
  readonly yAxisIndex?: number;
}

type Point = readonly [number, number];

const kUnseen = {silent: true, tooltip: {show: false}} as const;

/** A polygon along the upper edge and back along the lower. */
export function band(
  upper: readonly Point[],
  lower: readonly Point[],
  color: string,
  at: At = {},
): CustomSeriesOption {
  const outline = [...upper, ...[...lower].reverse()];
  return {
    type: "custom",
    ...at,
    ...kUnseen,
    clip: true,
    z: 1,
    data: [[outline[0]?.[0] ?? 0, outline[0]?.[1] ?? 0]],
    renderItem: (_, api) => ({
      type: "polygon",
      shape: {points: outline.map((point) => api.coord([...point]))},
      style: {fill: color},
      silent: true,
    }),
  };
}

/** From low to high at each place; given as [place, low, high]. */
export function whiskers(
  rows: readonly (readonly [number | string, number, number])[],
  color: string,
  options: At & {horizontal?: boolean; width?: number; cap?: number; opacity?: number} = {},
): CustomSeriesOption {
  const {horizontal = false, width = 1.2, cap = 0, opacity = 1, ...at} = options;
  return {
    type: "custom",
    ...at,
    ...kUnseen,
    clip: true,
    z: 3,
    encode: horizontal ? {x: [1, 2], y: 0} : {x: 0, y: [1, 2]},
    data: rows.map((row) => [...row]),
    renderItem: (_, api) => {
      const ends = [api.value(1), api.value(2)].map((end) =>
        horizontal ? api.coord([end, api.value(0)]) : api.coord([api.value(0), end]),
      );
      const [a, b] = ends as [number[], number[]];
      const [dx, dy] = horizontal ? [0, cap] : [cap, 0];
      const line = (x1: number, y1: number, x2: number, y2: number) => ({
        type: "line" as const,
        shape: {x1, y1, x2, y2},
        style: {stroke: color, lineWidth: width, opacity},
        silent: true,
      });
      const children = [line(a[0]!, a[1]!, b[0]!, b[1]!)];
      if (cap > 0)
        for (const end of [a, b])
          children.push(line(end[0]! - dx, end[1]! - dy, end[0]! + dx, end[1]! + dy));
      return {type: "group", children, silent: true};
    },
  };
}

/** A line without points, such as a diagonal or a level. */
export function rule_line(
  from: Point,
  to: Point,
  look: Look,
  options: At & {name?: string; dash?: "solid" | number[]; color?: string; width?: number} = {},
): LineSeriesOption {
  const {name, dash = "solid", color = look.soft, width = 1, ...at} = options;
  return {
    type: "line",
    name,
    ...at,
    ...kUnseen,
    symbol: "none",
    z: 2,
    lineStyle: {color, width, type: dash},
    itemStyle: {color},
    data: [[...from], [...to]],
  };
}
