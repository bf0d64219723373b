import type {
  GridComponentOption,
  LegendComponentOption,
  XAXisComponentOption,
  YAXisComponentOption,
} from "echarts";

import {extent} from "../base/statistics";
import type {Box} from "./labels";
import {text_width, type Look} from "./look";

export interface AxisText {
  readonly name?: string;
  readonly label: (value: number) => string;
}

/** Where an axis begins and ends and which values it names. */
export interface Span {
  readonly log: boolean;
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
}

function linear_step(range: number, most_ticks: number): number {
  const raw = range / most_ticks;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= raw * 0.999) ?? 10;
  return step * power;
}

function ticks_between(min: number, max: number, step: number): number[] {
  const ticks: number[] = [];
  for (let i = Math.ceil(min / step - 1e-9); i * step <= max * (1 + 1e-12) + step * 1e-9; ++i)
    ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

/** From zero, or from below it, to a round value above the largest. */
export function linear_span(values: readonly number[], most_ticks = 5, from_zero = true): Span {
  let [least, most] = extent(values);
  if (!isFinite(least)) [least, most] = [0, 1];
  if (from_zero) [least, most] = [Math.min(0, least), Math.max(0, most)];
  if (least === most) most = least + (Math.abs(least) || 1);
  const step = linear_step(most - least, most_ticks);
  const min = Math.floor(least / step + 1e-9) * step;
  const max = Math.ceil(most / step - 1e-9) * step;
  return {log: false, min, max, ticks: ticks_between(min, max, step)};
}

function log_ticks(min: number, max: number, most_ticks: number): number[] {
  const decades = Math.log10(max / min);
  if (decades < 0.7) return ticks_between(min, max, linear_step(max - min, most_ticks));
  const factors = [[1, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]].find(
    (f) => f.length * decades <= most_ticks + 1,
  ) ?? [1];
  const every = Math.max(1, Math.ceil(decades / most_ticks));
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(min)); power <= Math.log10(max); ++power) {
    if (factors.length === 1 && power % every !== 0) continue;
    for (const factor of factors) {
      const tick = Number((factor * 10 ** power).toPrecision(6));
      if (tick >= min && tick <= max) ticks.push(tick);
    }
  }
  return ticks;
}

/** Of a logarithmic axis, with a little room at both ends. */
export function log_span(values: readonly number[], most_ticks = 5): Span {
  let [least, most] = extent(values.filter((value) => value > 0));
  if (!isFinite(least)) [least, most] = [1, 10];
  const room = Math.max(1.04, (most / least) ** 0.04);
  const min = least / room,
    max = most * room;
  return {log: true, min, max, ticks: log_ticks(min, max, most_ticks)};
}

function axis(look: Look, span: Span, text: AxisText) {
  const ticks = [...span.ticks];
  return {
    type: span.log ? ("log" as const) : ("value" as const),
    min: span.min,
    max: span.max,
    name: text.name,
    axisLine: {show: true, lineStyle: {color: look.soft}},
    axisTick: {show: true, customValues: ticks, lineStyle: {color: look.soft}},
    axisLabel: {
      customValues: ticks,
      formatter: text.label,
      color: look.soft,
      fontSize: look.size,
      fontFamily: look.font,
      hideOverlap: true,
    },
    splitLine: {show: true, lineStyle: {color: look.rule}},
    minorTick: {show: false},
  };
}

function name_style(look: Look) {
  return {color: look.ink, fontSize: look.size, fontFamily: look.font};
}

export function x_axis(look: Look, span: Span, text: AxisText): XAXisComponentOption {
  return {
    ...axis(look, span, text),
    nameLocation: "middle",
    nameGap: look.size * 2.3,
    nameTextStyle: name_style(look),
  } as XAXisComponentOption;
}

/** Its name stands above it, where it can be read without turning one's head. */
export function y_axis(look: Look, span: Span, text: AxisText): YAXisComponentOption {
  return {
    ...axis(look, span, text),
    nameLocation: "end",
    nameGap: look.size * 0.9,
    nameTextStyle: {...name_style(look), align: "left"},
  } as YAXisComponentOption;
}

export function category_axis(
  look: Look,
  names: readonly string[],
  options: {name?: string; rotate?: number; inverse?: boolean} = {},
) {
  return {
    type: "category" as const,
    data: [...names],
    inverse: options.inverse ?? false,
    name: options.name,
    nameLocation: "middle" as const,
    nameGap: look.size * 2.3,
    nameTextStyle: name_style(look),
    axisLine: {show: true, lineStyle: {color: look.soft}},
    axisTick: {show: false},
    axisLabel: {
      color: look.ink,
      fontSize: look.size,
      fontFamily: look.font,
      interval: 0,
      lineHeight: look.size * 1.3,
      rotate: options.rotate ?? 0,
    },
  };
}

/** A category axis whose names are broken to fit into so much room. */
export function wrapped_axis(look: Look, names: readonly string[], room: number) {
  const axis = category_axis(look, names, {inverse: true});
  // On paper the type may be another than the one it was measured in.
  const width = (room - 12) * (look.medium === "print" ? 0.86 : 1);
  return {...axis, axisLabel: {...axis.axisLabel, width, overflow: "break" as const}};
}

interface LegendStyle {
  readonly icons?: Readonly<Record<string, string>>;
  /** Lines need room for their dashes, points none. */
  readonly points?: boolean;
}

function legend_rows(names: readonly string[], look: Look, width: number, points: boolean): number {
  let rows = 1,
    at = 0;
  for (const name of names) {
    const item = text_width(name, look) + (points ? 32 : 46);
    if (at > 0 && at + item > width) {
      ++rows;
      at = 0;
    }
    at += item;
  }
  return rows;
}

/** How much room a legend of these names takes. */
export function legend_height(
  names: readonly string[],
  look: Look,
  width: number,
  {points = false}: LegendStyle = {},
): number {
  if (names.length === 0) return 0;
  return legend_rows(names, look, width, points) * (look.size + 11) + 6;
}

/** Of series that are lines across, which ECharts would show as a box. */
export const kLineIcon = "path://M0,4 h7 v2 h-7 Z M10,4 h7 v2 h-7 Z M20,4 h6 v2 h-6 Z";
export const kSolidIcon = "path://M0,4 h26 v1 h-26 Z";

export function legend(
  look: Look,
  names: readonly string[],
  {icons = {}, points = false}: LegendStyle = {},
): LegendComponentOption {
  return {
    show: names.length > 0,
    data: names.map((name) => (icons[name] ? {name, icon: icons[name]} : {name})),
    top: 0,
    left: 0,
    padding: 0,
    itemGap: look.medium === "print" ? 20 : 14,
    itemWidth: points ? 12 : 26,
    itemHeight: 11,
    textStyle: {color: look.ink, fontSize: look.size, fontFamily: look.font},
  };
}

export interface Margins {
  readonly top: number;
  readonly left: number;
  readonly right?: number;
  readonly bottom?: number;
}

/** The rectangle between the axes; what stands beside it is left so much room. */
export function grid(look: Look, margins: Margins): GridComponentOption & Required<Margins> {
  return {
    top: margins.top,
    left: margins.left,
    right: margins.right ?? look.size * 1.4,
    bottom: margins.bottom ?? look.size * 4,
    containLabel: false,
  };
}

/** Where that rectangle lies in a figure of this size. */
export function plot_of(margins: Required<Margins>, width: number, height: number): Box {
  return {
    left: margins.left,
    right: width - margins.right,
    top: margins.top,
    bottom: height - margins.bottom,
  };
}

/** The pixel of a value on an axis that reaches from one pixel to another. */
export function place_on({log, min, max}: Span, value: number, from: number, to: number): number {
  const share = log ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
  return from + share * (to - from);
}

/** Room left of a y-axis for labels such as these. */
export function label_room(span: Span, label: (value: number) => string, look: Look): number {
  const longest = Math.max(...span.ticks.map((tick) => text_width(label(tick), look)));
  return Math.ceil(longest + 14);
}
