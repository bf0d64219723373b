// Time against energy (Fig. 6 of the paper): on one device they go together.
import type {EChartsOption, ScatterSeriesOption} from "echarts";

import {scaled, with_unit} from "../base/format";
import {correlation, mean} from "../base/statistics";
import {grid, label_room, legend, legend_height, log_span, x_axis, y_axis} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import type {Look} from "../chart/look";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";
import {cell_title, measured_j, measured_networks, measured_s} from "../data/evaluation";
import type {Evaluation} from "../data/payload";

interface Row {
  readonly cell: string;
  readonly model: string;
  readonly energy: number;
  readonly time: number;
}

function rows_of(evaluation: Evaluation): Row[] {
  return measured_networks(evaluation).map((network) => ({
    cell: cell_title(evaluation),
    model: network.model,
    energy: measured_j(network),
    time: measured_s(network),
  }));
}

function points(rows: readonly Row[], index: number, look: Look): ScatterSeriesOption {
  const style = mark(index, look.medium);
  return {
    type: "scatter",
    name: rows[0]?.cell ?? "",
    symbol: style.symbol,
    symbolSize: look.medium === "print" ? 5 : 8,
    itemStyle: {color: style.color, opacity: 0.85},
    data: rows.map((row) =>
      dot(
        [row.time, row.energy],
        `${row.model} (${row.cell})`,
        `${with_unit(row.time, "s")}, ${with_unit(row.energy, "J")} an iteration: ${with_unit(row.energy / row.time, "W")}`,
      ),
    ),
  };
}

function finding(rows: readonly Row[]): string {
  if (rows.length < 3) return "Too few networks to see a relation.";
  const together = correlation(
    rows.map((row) => Math.log(row.time)),
    rows.map((row) => Math.log(row.energy)),
  );
  const powers = rows.map((row) => row.energy / row.time);
  return (
    `Time and energy go together (correlation of their logarithms ${together.toFixed(2)}); ` +
    `the device draws ${with_unit(Math.min(...powers), "W")} to ${with_unit(Math.max(...powers), "W")}, ` +
    `${with_unit(mean(powers), "W")} on average.`
  );
}

export function time_energy(evaluations: readonly Evaluation[], name: string, of?: string): Figure {
  const groups = evaluations.map(rows_of);
  const rows = groups.flat();
  const names = groups.length > 1 ? groups.map((group) => group[0]?.cell ?? "") : [];
  const times = scaled(
    rows.map((row) => row.time),
    "s",
  );
  const joules = scaled(
    rows.map((row) => row.energy),
    "J",
  );
  const says = finding(rows);
  return {
    name,
    title: "Time against energy",
    of,
    finding: says,
    wide: groups.length > 1,
    table: {
      columns: [
        {title: "cell"},
        {title: "network"},
        {title: "time an iteration", format: (v) => with_unit(v, "s", 4)},
        {title: "energy an iteration", format: (v) => with_unit(v, "J", 4)},
        {title: "power", format: (v) => with_unit(v, "W")},
      ],
      rows: rows.map((row) => [row.cell, row.model, row.time, row.energy, row.energy / row.time]),
    },
    height: (look, width) =>
      legend_height(names, look, width, {points: true}) + (look.medium === "print" ? 240 : 340),
    option: (look, width): EChartsOption => {
      const above = legend_height(names, look, width, {points: true});
      const energies = log_span(rows.map((row) => row.energy));
      return {
        ...base_option(look, says),
        legend: legend(look, names, {points: true}),
        grid: grid(look, {
          top: above + look.size * 2.2,
          left: label_room(energies, joules.label, look),
        }),
        xAxis: x_axis(look, log_span(rows.map((row) => row.time)), {
          name: `time, ${times.unit} an iteration`,
          label: times.label,
        }),
        yAxis: y_axis(look, energies, {
          name: `energy, ${joules.unit} an iteration`,
          label: joules.label,
        }),
        series: groups.map((group, i) => points(group, i, look)),
      } as EChartsOption;
    },
  };
}
