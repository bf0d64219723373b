// What a kind with two widths costs: the fitted surface, the profiled points in the same colours, and
// test points as crosses (Fig. 11 of the paper).
import type {
  CustomSeriesOption,
  EChartsOption,
  LegendComponentOption,
  ScatterSeriesOption,
} from "echarts";

import {counted, in_words, percent, scaled, with_unit} from "../base/format";
import {extent, mean} from "../base/statistics";
import {
  grid,
  label_room,
  legend,
  legend_height,
  linear_span,
  x_axis,
  y_axis,
  type Span,
} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import type {Look} from "../chart/look";
import {base_option} from "../chart/option";
import {test_mark} from "../chart/palette";
import {heat_scale} from "../chart/scale";
import {features_text, in_order_chosen, kind_name} from "../data/kind";
import type {Kind, KindPoint, KindTest, Surface} from "../data/payload";
import {tests_of} from "../data/tests";
import {point_row, point_table, test_row} from "./point_table";
import {kProfiled, kTests, test_crosses, tests_text} from "./test_crosses";

const kEdge = "#ffffff"; // of marks upon the tiles

/** Borders half way between neighbours. */
function borders(levels: readonly number[]): [number, number][] {
  const between = levels.slice(1).map((level, i) => (level + levels[i]!) / 2);
  return levels.map((level, i) => [between[i - 1] ?? level - 0.5, between[i] ?? level + 0.5]);
}

function tiles(surface: Surface): CustomSeriesOption {
  const across = borders(surface.x),
    up = borders(surface.y);
  const data = surface.y.flatMap((y, i) =>
    surface.x.map((x, j) => ({
      value: [across[j]![0], across[j]![1], up[i]![0], up[i]![1], surface.mean[i]![j]!],
      tip: `${x} × ${y}: fitted ${with_unit(surface.mean[i]![j]!, "J")} ± ${with_unit(surface.stddev[i]![j]!, "J")}`,
    })),
  );
  return {
    type: "custom",
    name: "fitted",
    data,
    dimensions: ["x1", "x2", "y1", "y2", "energy"],
    encode: {x: [0, 1], y: [2, 3]},
    clip: true,
    z: 1,
    renderItem: (_, api) => {
      const from = api.coord([api.value(0), api.value(3)]),
        to = api.coord([api.value(1), api.value(2)]);
      return {
        type: "rect",
        // A little larger than it is: no seams between tiles.
        shape: {
          x: from[0]!,
          y: from[1]!,
          width: to[0]! - from[0]! + 0.6,
          height: to[1]! - from[1]! + 0.6,
        },
        style: {fill: api.visual("color") as string},
      };
    },
  };
}

function profiled(points: readonly KindPoint[], kind: Kind, look: Look): ScatterSeriesOption {
  return {
    type: "scatter",
    name: kProfiled,
    z: 5,
    symbol: "circle",
    symbolSize: look.medium === "print" ? 9 : 14,
    itemStyle: {borderColor: kEdge, borderWidth: 2, shadowBlur: 2, shadowColor: "#000000"},
    label: {
      show: true,
      position: "right",
      distance: 3,
      color: "#ffffff",
      textBorderColor: "#000000",
      textBorderWidth: 2.5,
      fontSize: look.size - 1,
      fontWeight: "bold",
      fontFamily: look.font,
      formatter: (params: {dataIndex: number}) => String(points[params.dataIndex]?.order ?? ""),
    },
    labelLayout: {hideOverlap: true},
    encode: {x: 0, y: 1},
    // The energy stands where the tiles have it: both are coloured by it.
    data: points.map((p) =>
      dot(
        [p.features[0]!, p.features[1]!, 0, 0, p.energy_j],
        `${features_text(kind, p.features)}${p.order == null ? "" : `, point ${p.order}`}`,
        `measured ${with_unit(p.energy_j, "J")}, fitted ${with_unit(p.fitted_j, "J")}`,
      ),
    ),
  };
}

/** Tiles have the same colours whatever the page has, and so do the crosses on them. */
function tested(kind: Kind, look: Look): ScatterSeriesOption {
  const place = (t: KindTest) => [t.features[0]!, t.features[1]!];
  return {
    ...test_crosses(kind, tests_of(kind), place, look),
    symbolSize: look.medium === "print" ? 8 : 12,
    itemStyle: {color: test_mark("light").color, borderColor: kEdge, borderWidth: 1},
  };
}

function tight(levels: readonly number[]): Span {
  const ends = borders(levels);
  return {...linear_span(levels, 6), min: ends[0]![0], max: ends[ends.length - 1]![1]};
}

function finding(kind: Kind, points: readonly KindPoint[]): string {
  const off = points.flatMap((p) =>
    p.fitted_j == null || p.energy_j === 0 ? [] : [Math.abs(p.fitted_j / p.energy_j - 1)],
  );
  const [least, most] = extent(kind.surface!.mean.flat());
  const fixed = Object.entries(kind.surface!.fixed ?? {}).map(
    ([name, value]) => `${name} ${value}`,
  );
  return (
    `Between the narrowest and the widest it costs ${with_unit(least, "J")} to ${with_unit(most, "J")} an iteration; ` +
    `${counted(points.length, "point")}, numbered as they were chosen, ${percent(mean(off))} from the fit on average.` +
    tests_text(kind) +
    (fixed.length > 0 ? ` Shown at ${in_words(fixed)}.` : "")
  );
}

function legend_room(names: readonly string[], look: Look, width: number): number {
  return legend_height(names, look, width, {points: true});
}

/** Below the scale. Profiled points have many colours, and none in the legend. */
function surface_legend(names: readonly string[], look: Look): LegendComponentOption {
  const hollow = {color: "transparent", borderColor: look.ink, borderWidth: 1.5};
  return {
    ...legend(look, names, {points: true}),
    data: names.map((name) => (name === kProfiled ? {name, itemStyle: hollow} : {name})),
    top: look.size * 2.8,
  };
}

export function kind_surface(kind: Kind, index: number): Figure {
  const points = in_order_chosen(kind);
  const surface = kind.surface!;
  const tests = tests_of(kind);
  const names = tests.length > 0 ? [kProfiled, kTests] : [];
  const energies = [...surface.mean.flat(), ...points.map((p) => p.energy_j)];
  const {unit, label: joules_label} = scaled(energies, "J");
  const [least, most] = extent(energies);
  const says = finding(kind, points);
  return {
    name: `kind-${kind_name(kind, index)}`,
    title: "Energy over both widths",
    of: kind.title,
    finding: says,
    table: point_table(kind, [
      ...points.map((p) => point_row(p)),
      ...tests.map((test) => test_row(test)),
    ]),
    height: (look, width) =>
      legend_room(names, look, width) + (look.medium === "print" ? 280 : 400),
    option: (look, width): EChartsOption => {
      const y = tight(surface.y);
      const above = legend_room(names, look, width);
      const label = (value: number) => String(value);
      return {
        ...base_option(look, says),
        legend: surface_legend(names, look),
        grid: grid(look, {top: above + look.size * 5.4, left: label_room(y, label, look) + 4}),
        visualMap: heat_scale(
          [least, most],
          [joules_label(least), `${joules_label(most)} ${unit}`],
          look,
          width,
          {dimension: 4, seriesIndex: [0, 1]},
        ),
        xAxis: x_axis(look, tight(surface.x), {name: kind.feature_names[0], label}),
        yAxis: y_axis(look, y, {name: kind.feature_names[1], label}),
        series: [
          tiles(surface),
          profiled(points, kind, look),
          tested(kind, look),
        ],
      } as EChartsOption;
    },
  };
}
