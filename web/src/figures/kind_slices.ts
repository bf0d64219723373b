// Cuts through a surface: energy over one width, at three values of the other.
import type {EChartsOption, SeriesOption} from "echarts";

import {counted, scaled, with_unit} from "../base/format";
import {extent, interpolated} from "../base/statistics";
import {
  grid,
  label_room,
  legend,
  legend_height,
  linear_span,
  x_axis,
  y_axis,
} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import type {Look} from "../chart/look";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";
import {band} from "../chart/shapes";
import type {Column} from "../chart/table";
import {kind_name} from "../data/kind";
import type {Kind, KindTest} from "../data/payload";
import {difference_j, tests_of} from "../data/tests";
import {kTests, test_crosses} from "./test_crosses";

const kNormal90 = 1.645;
const kNear = 0.1; // of the widths that are cut

/** A test near a cut, moved along the fit onto it: as far from the curve as it is from the surface. */
interface NearTest {
  readonly test: KindTest;
  readonly moved_j: number;
}

interface Slice {
  readonly at: number;
  readonly tests: readonly NearTest[];
  readonly mean: readonly number[];
  readonly stddev: readonly number[];
}

/** Widths beyond the first two are fixed there. */
function lies_on_surface(kind: Kind, test: KindTest): boolean {
  return kind.feature_names.every(
    (name, i) => i < 2 || kind.surface!.fixed?.[name] === test.features[i],
  );
}

function nearness(kind: Kind): number {
  const [least, most] = extent(kind.surface!.y);
  return Math.floor(kNear * (most - least));
}

function tests_near(kind: Kind, at: number, mean: readonly number[]): NearTest[] {
  return tests_of(kind)
    .filter((t) => lies_on_surface(kind, t) && Math.abs(t.features[1]! - at) <= nearness(kind))
    .map((test) => ({
      test,
      moved_j:
        interpolated(kind.surface!.x, mean, test.features[0]!) - difference_j(test),
    }));
}

function slices_of(kind: Kind): Slice[] {
  const {y, mean, stddev} = kind.surface!;
  const rows = [...new Set([0, Math.floor((y.length - 1) / 2), y.length - 1])];
  return rows.map((i) => ({
    at: y[i]!,
    mean: mean[i]!,
    stddev: stddev[i]!,
    tests: tests_near(kind, y[i]!, mean[i]!),
  }));
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

const test_columns = (kind: Kind): Column[] => [
  {title: `test point at ${kind.feature_names[1]}`},
  {title: "measured there", format: (v: number) => with_unit(v, "J", 4)},
];

export function kind_slices(kind: Kind, index: number): Figure {
  const slices = slices_of(kind);
  const cuts = slices.map((slice) => `${kind.feature_names[1]} ${slice.at}`);
  const tests = slices.flatMap((slice) => slice.tests);
  const names = tests.length > 0 ? [...cuts, kTests] : cuts;
  const energies = [
    ...slices.flatMap((s) =>
      s.mean.flatMap((m, i) => [m - kNormal90 * s.stddev[i]!, m + kNormal90 * s.stddev[i]!]),
    ),
    ...kind.points.map((p) => p.energy_j),
    ...tests.map(({moved_j}) => moved_j),
  ];
  const {unit, label} = scaled(
    kind.points.map((p) => p.energy_j),
    "J",
  );
  const last = slices[slices.length - 1]!;
  const ends = [last.mean[0]!, last.mean[last.mean.length - 1]!] as const;
  const says =
    `At ${cuts[cuts.length - 1]}, ${kind.feature_names[0]} from ${kind.surface!.x[0]} to ` +
    `${kind.surface!.x[kind.surface!.x.length - 1]} takes the energy from ${with_unit(ends[0], "J")} to ${with_unit(ends[1], "J")}. Bands hold 90 %.` +
    (tests.length > 0
      ? ` Crosses are ${counted(tests.length, "test point")} within ${nearness(kind)} of a cut, moved along the fit onto it.`
      : "");
  return {
    name: `slices-${kind_name(kind, index)}`,
    title: "Cuts through the surface",
    of: kind.title,
    finding: says,
    table: {
      columns: [
        {title: kind.feature_names[0]!},
        ...cuts.flatMap((title) => [
          {title, format: (v: number) => with_unit(v, "J", 4)},
          {title: "±", format: (v: number) => with_unit(v, "J", 3)},
        ]),
        ...(tests.length > 0 ? test_columns(kind) : []),
      ],
      rows: [
        ...kind.surface!.x.map((x, i) => [
          x,
          ...slices.flatMap((s) => [s.mean[i]!, s.stddev[i]!]),
          ...(tests.length > 0 ? [null, null] : []),
        ]),
        ...slices.flatMap((slice) =>
          slice.tests.map(({test, moved_j}) => [
            test.features[0]!,
            ...slices.flatMap((s) => (s === slice ? [moved_j, test.energy_sd] : [null, null])),
            test.features[1]!,
            test.energy_j,
          ]),
        ),
      ],
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
        series: [
          ...slices.flatMap((slice, i) => slice_series(slice, kind, i, look)),
          test_crosses(
            kind,
            tests.map(({test}) => test),
            (test, i) => [test.features[0]!, tests[i]!.moved_j],
            look,
          ),
        ],
      } as EChartsOption;
    },
  };
}
