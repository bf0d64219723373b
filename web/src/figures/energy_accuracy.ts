// What a joule buys: accuracy over energy, of every network that was trained.
import type {EChartsOption} from "echarts";

import {percent, scaled, with_unit} from "../base/format";
import {extent} from "../base/statistics";
import {grid, linear_span, x_axis, y_axis} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";
import type {Prune} from "../data/payload";
import {networks_of} from "../data/pruning";

interface Row {
  readonly title: string;
  readonly model: string;
  readonly energy: number;
  readonly accuracy: number;
  readonly original: boolean;
}

function rows_of(prunes: readonly Prune[]): Row[] {
  const rows = prunes.flatMap((prune) =>
    networks_of(prune).flatMap(({title, network}) =>
      network.test
        ? [
            {
              title: prunes.length > 1 && title === "pruned" ? prune.budget : title,
              model: network.model,
              energy: network.measured_j_per_iteration ?? network.estimated_j_per_iteration.mean,
              accuracy: network.test.accuracy,
              original: title === "original",
            },
          ]
        : [],
    ),
  );
  // Several prunings of one network have the same original.
  return rows.filter(
    (row, i) =>
      rows.findIndex((other) => other.model === row.model && other.accuracy === row.accuracy) === i,
  );
}

export function shows_accuracy(prunes: readonly Prune[]): boolean {
  return rows_of(prunes).length > 0;
}

function finding(rows: readonly Row[]): string {
  const original = rows.find((row) => row.original);
  const pruned = rows.find((row) => !row.original);
  if (!original || !pruned) return "Only one network was trained.";
  return (
    `${percent(original.accuracy)} of the test set at ${with_unit(original.energy, "J")} an iteration; ` +
    `pruned, ${percent(pruned.accuracy)} at ${with_unit(pruned.energy, "J")}.`
  );
}

export function energy_accuracy(prunes: readonly Prune[], name: string, of?: string): Figure {
  const rows = rows_of(prunes);
  const {unit, label} = scaled(
    rows.map((row) => row.energy),
    "J",
  );
  const says = finding(rows);
  return {
    name,
    title: "Energy against accuracy",
    of,
    finding: says,
    table: {
      columns: [
        {title: "network"},
        {title: "model"},
        {title: "energy an iteration", format: (v) => with_unit(v, "J", 4)},
        {title: "accuracy", format: percent},
      ],
      rows: rows.map((row) => [row.title, row.model, row.energy, row.accuracy]),
    },
    height: (look) => (look.medium === "print" ? 230 : 320),
    option: (look): EChartsOption => {
      const [least, most] = extent(rows.map((row) => row.accuracy));
      const room = Math.max(0.005, (most - least) * 0.15);
      const accuracies = linear_span([least - room, most + room], 5, false);
      return {
        ...base_option(look, says),
        grid: grid(look, {top: look.size * 2.4, left: 58, right: look.size * 3}),
        xAxis: x_axis(look, linear_span(rows.map((row) => row.energy * 1.1)), {
          name: `energy, ${unit} an iteration`,
          label,
        }),
        yAxis: y_axis(
          look,
          {...accuracies, max: Math.min(1, accuracies.max)},
          {name: "accuracy on the test set", label: (value) => percent(value)},
        ),
        series: [
          {
            type: "scatter",
            symbolSize: look.medium === "print" ? 9 : 14,
            label: {
              show: true,
              position: "bottom",
              distance: 6,
              formatter: (at: {dataIndex: number}) => rows[at.dataIndex]?.title ?? "",
              color: look.ink,
              fontSize: look.size,
              fontFamily: look.font,
            },
            labelLayout: {hideOverlap: true},
            data: rows.map((row) => ({
              ...dot(
                [row.energy, row.accuracy],
                `${row.title}: ${row.model}`,
                `${percent(row.accuracy)} at ${with_unit(row.energy, "J")} an iteration`,
              ),
              symbol: row.original ? "circle" : "triangle",
              itemStyle: {color: mark(row.original ? 2 : 0, look.medium).color},
            })),
          },
        ],
      } as EChartsOption;
    },
  };
}
