// Where the joules went: energy of every kind of block, before and after.
import type {EChartsOption} from "echarts";

import {percent, scaled, with_unit} from "../base/format";
import {grid, legend, legend_height, linear_span, wrapped_axis, x_axis} from "../chart/axes";
import type {Figure} from "../chart/figure";
import {kNarrow, text_width} from "../chart/look";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";
import type {Prune, PrunedNetwork} from "../data/payload";

const kNames = ["original", "pruned"];

function joules_of(network: PrunedNetwork, kind: string): number {
  return network.parts
    .filter((part) => part.kind === kind)
    .reduce((sum, part) => sum + part.energy_j_per_iteration, 0);
}

export function prune_parts(prune: Prune, name: string, of?: string): Figure {
  const kinds = [
    ...new Set([...prune.original.parts, ...prune.pruned.parts].map((part) => part.kind)),
  ];
  const rows = kinds
    .map((kind) => ({
      kind,
      before: joules_of(prune.original, kind),
      after: joules_of(prune.pruned, kind),
    }))
    .sort((a, b) => b.before - a.before);
  const saved = rows.reduce((sum, row) => sum + row.before - row.after, 0);
  const most = [...rows].sort((a, b) => b.before - b.after - (a.before - a.after))[0];
  const {unit, label} = scaled(
    rows.flatMap((row) => [row.before, row.after]),
    "J",
  );
  const says = most
    ? `As estimated, ${most.kind} gives ${percent((most.before - most.after) / saved, 0)} of what is saved.`
    : "The parts are not known.";
  const joules = (value: number) => with_unit(value, "J", 4);
  return {
    name,
    title: "Where the joules went",
    of,
    finding: says,
    table: {
      columns: [
        {title: "block"},
        {title: "original", format: joules},
        {title: "pruned", format: joules},
        {title: "saved", format: joules},
      ],
      rows: rows.map((row) => [row.kind, row.before, row.after, row.before - row.after]),
    },
    height: (look, width) =>
      legend_height(kNames, look, width) +
      look.size * 4.6 +
      rows.length * look.size * (width < kNarrow ? 4.4 : 3),
    option: (look, width): EChartsOption => {
      const above = legend_height(kNames, look, width);
      const left = Math.min(
        width * (width < kNarrow ? 0.38 : 0.42),
        Math.max(...kinds.map((kind) => text_width(kind, look))) + 14,
      );
      const bars = (index: number, value: (row: (typeof rows)[number]) => number) => ({
        type: "bar",
        name: kNames[index],
        barGap: "10%",
        barCategoryGap: "30%",
        itemStyle: {
          color: index === 0 ? "transparent" : mark(0, look.medium).color,
          borderColor: index === 0 ? look.soft : mark(0, look.medium).color,
          borderWidth: 1.5,
        },
        data: rows.map((row) => ({
          value: value(row),
          tip: `${row.kind}, ${kNames[index]}\n${with_unit(value(row), "J")} an iteration`,
        })),
      });
      return {
        ...base_option(look, says),
        legend: legend(look, kNames),
        grid: grid(look, {top: above, left}),
        xAxis: x_axis(look, linear_span(rows.flatMap((row) => [row.before, row.after])), {
          name: `estimated energy, ${unit} an iteration`,
          label,
        }),
        yAxis: wrapped_axis(
          look,
          rows.map((row) => row.kind),
          left,
        ),
        series: [bars(0, (row) => row.before), bars(1, (row) => row.after)],
      } as EChartsOption;
    },
  };
}
