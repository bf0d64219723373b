// What a kind with one width costs: the fit with its band, and the points it was fitted to (Fig. 4 of the paper).
import type {EChartsOption, SeriesOption} from "echarts";

import {counted, percent, scaled, with_unit} from "../base/format";
import {extent, mean} from "../base/statistics";
import {
  grid,
  kSolidIcon,
  label_room,
  legend,
  legend_height,
  linear_span,
  x_axis,
  y_axis,
  type Span,
} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import {kNarrow, type Look} from "../chart/look";
import {base_option, panel_note, small_title} from "../chart/option";
import {mark, test_mark} from "../chart/palette";
import {band, whiskers} from "../chart/shapes";
import {in_order_chosen, kind_name} from "../data/kind";
import type {Curve, Kind, KindPoint, KindTest} from "../data/payload";
import {tests_of} from "../data/tests";
import {fitted_row, point_row, point_table, test_row} from "./point_table";
import {kProfiled, kTests, test_crosses, tests_text} from "./test_crosses";

function zip(xs: readonly number[], ys: readonly number[]): [number, number][] {
  return xs.map((x, i) => [x, ys[i] ?? NaN]);
}

/** Where 90 % of measurements would lie. */
function scatter_of({
  features,
  energy_j,
  energy_sd,
}: KindPoint | KindTest): (readonly [number, number, number])[] {
  if (energy_sd == null) return [];
  return [[features[0]!, energy_j - 1.645 * energy_sd, energy_j + 1.645 * energy_sd]];
}

/** With their scatter. */
function test_series(kind: Kind, look: Look): SeriesOption[] {
  const tests = tests_of(kind);
  return [
    whiskers(tests.flatMap(scatter_of), test_mark(look.medium).color, {cap: 3}),
    test_crosses(kind, tests, (test) => [test.features[0]!, test.energy_j], look),
  ];
}

function curve_series(
  curve: Curve,
  points: readonly KindPoint[],
  kind: Kind,
  look: Look,
  axis: number,
): SeriesOption[] {
  const at = {xAxisIndex: axis, yAxisIndex: axis};
  const fit = mark(0, look.medium),
    seen = mark(2, look.medium);
  return [
    band(zip(curve.x, curve.high), zip(curve.x, curve.low), look.band, at),
    {
      type: "line",
      name: "fitted",
      ...at,
      symbol: "none",
      silent: true,
      z: 3,
      lineStyle: {color: fit.color, width: 2},
      itemStyle: {color: fit.color},
      data: zip(curve.x, curve.mean),
    },
    whiskers(points.flatMap(scatter_of), seen.color, {...at, cap: 3}),
    {
      type: "scatter",
      name: kProfiled,
      ...at,
      z: 5,
      symbol: "circle",
      symbolSize: look.medium === "print" ? 5 : 8,
      itemStyle: {color: seen.color, borderColor: look.paper, borderWidth: 1},
      label: {
        show: true,
        position: "top",
        color: look.ink,
        fontSize: look.size - 1,
        fontFamily: look.font,
        formatter: (params: {dataIndex: number}) => String(points[params.dataIndex]?.order ?? ""),
      },
      labelLayout: {hideOverlap: true},
      data: points.map((p) =>
        dot(
          [p.features[0]!, p.energy_j],
          `${kind.title}, ${kind.feature_names[0]} ${p.features[0]}${p.order == null ? "" : `, point ${p.order}`}`,
          `measured ${with_unit(p.energy_j, "J")}, fitted ${with_unit(p.fitted_j, "J")}`,
        ),
      ),
    },
  ];
}

function spans(
  curves: readonly Curve[],
  points: readonly (KindPoint | KindTest)[],
  ticks: number,
): {x: Span; y: Span} {
  const values = [
    ...points.map((p) => p.energy_j),
    ...curves.flatMap((curve) => [...curve.low, ...curve.high]),
  ];
  const [lowest, highest] = extent(values);
  const far_from_zero = lowest > highest / 2;
  const [least, most] = extent(curves[0]!.x);
  return {
    x: {
      ...linear_span([least, most], ticks),
      min: least - (most - least) * 0.03,
      max: most + (most - least) * 0.03,
    },
    y: linear_span(values, 5, !far_from_zero),
  };
}

function finding(kind: Kind, points: readonly KindPoint[]): string {
  const off = points.flatMap((p) =>
    p.fitted_j == null || p.energy_j === 0 ? [] : [Math.abs(p.fitted_j / p.energy_j - 1)],
  );
  const widths = extent(points.map((p) => p.features[0]!));
  const costs = extent(points.map((p) => p.energy_j));
  return (
    `From ${widths[0]} to ${widths[1]} channels it costs ${with_unit(costs[0], "J")} to ${with_unit(costs[1], "J")} an iteration; ` +
    `${counted(points.length, "point")}, ${percent(mean(off))} from the fit on average. Numbers say which was measured when.` +
    tests_text(kind)
  );
}

export function kind_curve(kind: Kind, index: number): Figure {
  const points = in_order_chosen(kind);
  const curve = kind.curve!;
  const tests = tests_of(kind);
  const names = tests.length > 0 ? ["fitted", kProfiled, kTests] : [];
  const {unit, label} = scaled(
    points.map((p) => p.energy_j),
    "J",
  );
  const says = finding(kind, points);
  return {
    name: `kind-${kind_name(kind, index)}`,
    title: "Energy over width",
    of: kind.title,
    finding: says,
    table: point_table(
      kind,
      [
        ...points.map((p) => point_row(p, null, null)),
        ...tests.map((test) => test_row(test, null, null)),
        ...curve.x.map((x, i) => fitted_row(x, curve.mean[i]!, curve.low[i]!, curve.high[i]!)),
      ],
      ["low", "high"],
    ),
    height: (look, width) =>
      legend_height(names, look, width) + (look.medium === "print" ? 240 : 340),
    option: (look, width): EChartsOption => {
      const {x, y} = spans([curve], [...points, ...tests], 6);
      const above = legend_height(names, look, width);
      return {
        ...base_option(look, says),
        legend: legend(look, names, {icons: {fitted: kSolidIcon}}),
        grid: grid(look, {top: above + look.size * 2.4, left: label_room(y, label, look)}),
        xAxis: x_axis(look, x, {name: kind.feature_names[0], label: String}),
        yAxis: y_axis(look, y, {name: `energy, ${unit} an iteration`, label}),
        series: [...curve_series(curve, points, kind, look, 0), ...test_series(kind, look)],
      } as EChartsOption;
    },
  };
}

// The first, the last, and two between.
function some_steps(kind: Kind): NonNullable<Kind["steps"]> {
  const steps = (kind.steps ?? []).filter((step) => step.points >= 2);
  if (steps.length <= 4) return steps;
  return [0, 1 / 3, 2 / 3, 1].map((share) => steps[Math.round(share * (steps.length - 1))]!);
}

export function shows_steps(kind: Kind): boolean {
  return some_steps(kind).length > 1;
}

/** The same fit after so many points: how a guided point takes uncertainty away. */
export function kind_steps(kind: Kind, index: number): Figure {
  const points = in_order_chosen(kind);
  const steps = some_steps(kind).map((step) => ({...step, x: kind.curve!.x}));
  const {unit, label} = scaled(
    points.map((p) => p.energy_j),
    "J",
  );
  const width_of = (step: Curve) => mean(step.high.map((high, i) => high - step.low[i]!));
  const first = steps[0]!,
    last = steps[steps.length - 1]!;
  const says =
    `The mean 90 % band is ${with_unit(width_of(first), "J")} wide after ${first.points} points and ` +
    `${with_unit(width_of(last), "J")} after ${last.points}.`;
  const shape = (look: Look, width: number) => {
    const columns = width < kNarrow ? 2 : steps.length;
    const left = 52,
      gap = 14;
    return {
      columns,
      left,
      gap,
      side: (width - left - 14 - gap * (columns - 1)) / columns,
      tall: look.medium === "print" ? 130 : 200,
      rows: Math.ceil(steps.length / columns),
    };
  };
  return {
    name: `steps-${kind_name(kind, index)}`,
    title: "The fit as points come in",
    of: kind.title,
    finding: says,
    wide: true,
    table: {
      columns: [
        {title: "points"},
        {title: "mean width of the band", format: (v) => with_unit(v, "J", 4)},
      ],
      rows: (kind.steps ?? []).map((step) => [step.points, width_of({...step, x: kind.curve!.x})]),
    },
    height: (look, width) => {
      const at = shape(look, width);
      return look.size * 1.5 + at.rows * (at.tall + look.size * 2.4) + look.size * 3.4;
    },
    option: (look, width): EChartsOption => {
      const at = shape(look, width);
      const {x, y} = spans([kind.curve!, ...steps.slice(1)], points, 3);
      const left = (i: number) => at.left + (i % at.columns) * (at.side + at.gap);
      const top = (i: number) =>
        look.size * 3.2 + Math.floor(i / at.columns) * (at.tall + look.size * 2.4);
      const lowest = (i: number) => i + at.columns >= steps.length;
      return {
        ...base_option(look, says),
        title: [
          ...steps.map((step, i) =>
            small_title(look, `after ${step.points} points`, left(i), top(i) - look.size * 1.5),
          ),
          panel_note(look, `${unit} an iteration`),
        ],
        grid: steps.map((_, i) => ({left: left(i), top: top(i), width: at.side, height: at.tall})),
        xAxis: steps.map((_, i) => ({
          ...x_axis(look, x, {name: lowest(i) ? kind.feature_names[0] : "", label: String}),
          gridIndex: i,
          ...(lowest(i) ? {} : {axisLabel: {show: false}}),
        })),
        yAxis: steps.map((_, i) => ({
          ...y_axis(look, y, {label}),
          gridIndex: i,
          ...(i % at.columns === 0 ? {} : {axisLabel: {show: false}}),
        })),
        series: steps.flatMap((step, i) =>
          curve_series(
            step,
            points.filter((p) => (p.order ?? Infinity) <= step.points),
            kind,
            look,
            i,
          ),
        ),
      } as EChartsOption;
    },
  };
}
