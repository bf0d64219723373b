// Time against energy of a sample, from batch to batch.
import type {EChartsOption, SeriesOption} from "echarts";

import {scaled, with_unit} from "../base/format";
import {
  grid,
  label_room,
  legend,
  legend_height,
  log_span,
  place_on,
  x_axis,
  y_axis,
} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import {readable} from "../chart/labels";
import {kNarrow, type Look} from "../chart/look";
import {base_option} from "../chart/option";
import {mark, type Mark} from "../chart/palette";
import {whiskers} from "../chart/shapes";

/** Of one sample. */
export interface BatchCost {
  /** Which answered; each is a line of its own. */
  readonly device: string;
  readonly batch: number;
  readonly energy: number;
  readonly low: number;
  readonly high: number;
  readonly time: number;
}

function finding(rows: readonly BatchCost[]): string {
  const least = [...rows].sort((a, b) => a.energy - b.energy)[0]!,
    fastest = [...rows].sort((a, b) => a.time - b.time)[0]!;
  const costs = `A sample costs the least at batch ${least.batch} on ${least.device}: ${with_unit(least.energy, "J")}`;
  return least === fastest
    ? `${costs} and ${with_unit(least.time, "s")}, the least time too.`
    : `${costs}; the least time at batch ${fastest.batch} on ${fastest.device}: ${with_unit(fastest.time, "s")}.`;
}

/** Which batches can be named beside their points, as the axes lie. */
function named(
  rows: readonly BatchCost[],
  look: Look,
  [width, height]: readonly [number, number],
): boolean[] {
  const times = log_span(rows.map((row) => row.time)),
    energies = log_span(rows.flatMap((row) => [row.low, row.high]));
  return readable(
    rows.map((row) => ({
      x: place_on(times, row.time, 0, width),
      y: place_on(energies, row.energy, height, 0),
      size: 10,
      text: ` ${row.batch}`,
    })),
    look,
  );
}

function line(
  name: string,
  all: readonly BatchCost[],
  seen: readonly boolean[],
  style: Mark,
  look: Look,
): SeriesOption[] {
  const rows = all.flatMap((row, i) => (row.device === name ? [{...row, seen: seen[i]}] : []));
  return [
    {
      type: "line",
      name,
      symbol: style.symbol,
      symbolSize: 10,
      lineStyle: {color: style.color, width: 1.6, type: style.dash},
      itemStyle: {color: style.color},
      data: rows.map((row) => ({
        ...dot(
          [row.time, row.energy],
          `batch ${row.batch}, ${name}`,
          `${with_unit(row.energy, "J")} (${with_unit(row.low, "J")} to ${with_unit(row.high, "J")}) and ${with_unit(row.time, "s")} per sample`,
        ),
        label: {
          show: row.seen,
          position: "right",
          formatter: String(row.batch),
          color: look.ink,
          fontSize: look.size,
          fontFamily: look.font,
        },
      })),
    },
    whiskers(
      rows.map((row) => [row.time, row.low, row.high] as const),
      style.color,
      {cap: 4, opacity: 0.6},
    ),
  ];
}

/** Of at least one batch. */
export function batch_curve(estimates: readonly BatchCost[]): Figure {
  const rows = [...estimates].sort((a, b) => a.batch - b.batch);
  const times = scaled(
    rows.map((row) => row.time),
    "s",
  );
  const joules = scaled(
    rows.map((row) => row.energy),
    "J",
  );
  const says = finding(rows);
  const names = [...new Set(rows.map((row) => row.device))];
  const height = (look: Look, width: number) =>
    legend_height(names, look, width) + (look.medium === "print" ? 260 : 380);
  return {
    name: "batches",
    title: "Time against energy of a sample",
    finding: says,
    wide: true,
    table: {
      columns: [
        {title: "batch"},
        {title: "device"},
        {title: "energy per sample", format: (v) => with_unit(v, "J", 4)},
        {title: "low", format: (v) => with_unit(v, "J", 4)},
        {title: "high", format: (v) => with_unit(v, "J", 4)},
        {title: "time per sample", format: (v) => with_unit(v, "s", 4)},
        {title: "power", format: (v) => with_unit(v, "W")},
      ],
      rows: rows.map((row) => [
        row.batch,
        row.device,
        row.energy,
        row.low,
        row.high,
        row.time,
        row.energy / row.time,
      ]),
    },
    height,
    option: (look, width): EChartsOption => {
      const most = width < kNarrow ? 3 : 5;
      const energies = log_span(
        rows.flatMap((row) => [row.low, row.high]),
        most,
      );
      const left = label_room(energies, joules.label, look);
      const above = legend_height(names, look, width);
      const seen = named(rows, look, [width - left, height(look, width) - above - look.size * 7]);
      return {
        ...base_option(look, says),
        legend: legend(look, names),
        grid: grid(look, {top: above + look.size * 2.4, left, right: look.size * 3}),
        xAxis: x_axis(
          look,
          log_span(
            rows.map((row) => row.time),
            most,
          ),
          {name: `time, ${times.unit} per sample`, label: times.label},
        ),
        yAxis: y_axis(look, energies, {
          name: `energy, ${joules.unit} per sample; batch beside each point`,
          label: joules.label,
        }),
        series: names.flatMap((name, i) => line(name, rows, seen, mark(i, look.medium), look)),
      } as EChartsOption;
    },
  };
}
