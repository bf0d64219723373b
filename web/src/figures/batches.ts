// What a sample costs at each batch size there is a profile for.
import type {EChartsOption} from "echarts";

import {scaled, with_unit} from "../base/format";
import {category_axis, grid, label_room, linear_span, y_axis} from "../chart/axes";
import type {Figure} from "../chart/figure";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";
import {whiskers} from "../chart/shapes";
import type {Estimate} from "../data/payload";

export function batches(estimates: readonly Estimate[]): Figure {
  const rows = estimates
    .flatMap((e) =>
      e.energy_j_per_iteration
        ? [
            {
              batch: e.batch,
              energy: e.energy_j_per_iteration.mean / e.batch,
              spread: (1.645 * e.energy_j_per_iteration.stddev) / e.batch,
            },
          ]
        : [],
    )
    .sort((a, b) => a.batch - b.batch);
  const {unit, label} = scaled(
    rows.map((row) => row.energy),
    "J",
  );
  const least = [...rows].sort((a, b) => a.energy - b.energy)[0];
  const says = least
    ? `A sample costs the least at batch ${least.batch}: ${with_unit(least.energy, "J")}.`
    : "No batch could be estimated.";
  return {
    name: "energy-by-batch",
    title: "Energy of a sample by batch size",
    finding: says,
    table: {
      columns: [
        {title: "batch"},
        {title: "energy of a sample", format: (v) => with_unit(v, "J", 4)},
        {title: "± (90 %)", format: (v) => with_unit(v, "J", 3)},
      ],
      rows: rows.map((row) => [row.batch, row.energy, row.spread]),
    },
    height: (look) => (look.medium === "print" ? 220 : 300),
    option: (look): EChartsOption => {
      const span = linear_span(rows.map((row) => row.energy + row.spread));
      return {
        ...base_option(look, says),
        grid: grid(look, {top: look.size * 2.4, left: label_room(span, label, look)}),
        xAxis: category_axis(
          look,
          rows.map((row) => String(row.batch)),
          {name: "batch"},
        ),
        yAxis: y_axis(look, span, {name: `energy, ${unit} a sample`, label}),
        series: [
          {
            type: "bar",
            barMaxWidth: 60,
            itemStyle: {color: mark(0, look.medium).color},
            data: rows.map((row) => ({
              value: row.energy,
              tip: `batch ${row.batch}\n${with_unit(row.energy, "J")} ± ${with_unit(row.spread, "J")} a sample`,
            })),
          },
          whiskers(
            rows.map((row, i) => [i, row.energy - row.spread, row.energy + row.spread] as const),
            look.ink,
            {cap: 5},
          ),
        ],
      } as EChartsOption;
    },
  };
}
