// Cuts through a surface: energy over one width, at three values of the other.
import type {EChartsOption, SeriesOption} from "echarts";

import {scaled, with_unit} from "../base/format";
import {extent} from "../base/statistics";
import {grid, label_room, legend, legend_height, linear_span, x_axis, y_axis} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import type {Look} from "../chart/look";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";
import {band} from "../chart/shapes";
import {kind_name} from "../data/kind";
import type {Kind} from "../data/payload";

const kNormal90 = 1.645;

interface Slice {
  readonly at: number;
  readonly mean: readonly number[];
  readonly stddev: readonly number[];
}

function slices_of(kind: Kind): Slice[] {
  const {y, mean, stddev} = kind.surface!;
  const rows = [...new Set([0, Math.floor((y.length - 1) / 2), y.length - 1])];
  return rows.map((i) => ({at: y[i]!, mean: mean[i]!, stddev: stddev[i]!}));
}

function slice_series(slice: Slice, kind: Kind, index: number, look: Look): SeriesOption[] {
  const style = mark(index, look.medium);
  const x = kind.surface!.x;
  const name = `${kind.feature_names[1]} ${slice.at}`;
  const edge = (sign: number) =>
    x.map((at, i) => [at, slice.mean[i]! + sign * kNormal90 * slice.stddev[i]!] as const);
  const seen = kind.points.filter((p) => p.features[1] === slice.at);
  return [
    band(edge(1), edge(-1), `${style.color}26`),
    {
      type: "line",
      name,
      symbol: "none",
      z: 3,
      lineStyle: {color: style.color, type: style.dash, width: 2},
      itemStyle: {color: style.color},
      data: x.map((at, i) =>
        dot(
          [at, slice.mean[i]!],
          `${kind.feature_names[0]} ${at}, ${name}`,
          `fitted ${with_unit(slice.mean[i]!, "J")} ± ${with_unit(slice.stddev[i]!, "J")}`,
        ),
      ),
    },
    {
      type: "scatter",
      z: 5,
      symbol: style.symbol,
      symbolSize: look.medium === "print" ? 6 : 9,
      itemStyle: {color: style.color, borderColor: look.ink, borderWidth: 1},
      data: seen.map((p) =>
        dot(
          [p.features[0]!, p.energy_j],
          `${kind.feature_names[0]} ${p.features[0]}, ${name}`,
          `measured ${with_unit(p.energy_j, "J")}`,
        ),
      ),
    },
  ];
}

export function kind_slices(kind: Kind, index: number): Figure {
  const slices = slices_of(kind);
  const names = slices.map((slice) => `${kind.feature_names[1]} ${slice.at}`);
  const energies = [
    ...slices.flatMap((s) =>
      s.mean.flatMap((m, i) => [m - kNormal90 * s.stddev[i]!, m + kNormal90 * s.stddev[i]!]),
    ),
    ...kind.points.map((p) => p.energy_j),
  ];
  const {unit, label} = scaled(
    kind.points.map((p) => p.energy_j),
    "J",
  );
  const last = slices[slices.length - 1]!;
  const ends = [last.mean[0]!, last.mean[last.mean.length - 1]!] as const;
  const says =
    `At ${names[names.length - 1]}, ${kind.feature_names[0]} from ${kind.surface!.x[0]} to ` +
    `${kind.surface!.x[kind.surface!.x.length - 1]} takes the energy from ${with_unit(ends[0], "J")} to ${with_unit(ends[1], "J")}. Bands hold 90 %.`;
  return {
    name: `slices-${kind_name(kind, index)}`,
    title: "Cuts through the surface",
    of: kind.title,
    finding: says,
    table: {
      columns: [
        {title: kind.feature_names[0]!},
        ...names.flatMap((title) => [
          {title, format: (v: number) => with_unit(v, "J", 4)},
          {title: "±", format: (v: number) => with_unit(v, "J", 3)},
        ]),
      ],
      rows: kind.surface!.x.map((x, i) => [
        x,
        ...slices.flatMap((s) => [s.mean[i]!, s.stddev[i]!]),
      ]),
    },
    height: (look, width) =>
      legend_height(names, look, width) + (look.medium === "print" ? 250 : 372),
    option: (look, width): EChartsOption => {
      const above = legend_height(names, look, width);
      const span = linear_span(energies);
      const [least, most] = extent(kind.surface!.x);
      return {
        ...base_option(look, says),
        legend: legend(look, names),
        grid: grid(look, {top: above + look.size * 2.2, left: label_room(span, label, look)}),
        xAxis: x_axis(
          look,
          {...linear_span([least, most], 6), min: least, max: most},
          {name: kind.feature_names[0], label: String},
        ),
        yAxis: y_axis(look, span, {name: `energy, ${unit} an iteration`, label}),
        series: slices.flatMap((slice, i) => slice_series(slice, kind, i, look)),
      } as EChartsOption;
    },
  };
}
