// Batches by the time between tokens and the energy per sequence, with the limit and the cheapest inside of it.
import type {EChartsOption} from "echarts";

import {scaled, with_unit} from "../base/format";
import {
  grid,
  kLineIcon,
  label_room,
  legend,
  legend_height,
  log_span,
  x_axis,
  y_axis,
} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import type {Look} from "../chart/look";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";
import {rule_line, whiskers} from "../chart/shapes";
import {cost_cells, cost_columns} from "../chart/table";
import type {Costs, Generation, GenerationBatch} from "../data/payload";

interface Row {
  readonly batch: GenerationBatch;
  readonly time: Costs; // of the slowest token, which limits are for
  readonly energy: Costs; // per sequence
}

function per_sequence(batch: GenerationBatch): Costs {
  const {mean, low, high, confidence} = batch.energy_j;
  const n = batch.batch;
  return {mean: mean / n, low: low / n, high: high / n, confidence};
}

function rows_of(generation: Generation): Row[] {
  return generation.batches.flatMap((batch) =>
    batch.time_of_slowest_token_s
      ? [{batch, time: batch.time_of_slowest_token_s, energy: per_sequence(batch)}]
      : [],
  );
}

export function shows_latency(generation: Generation): boolean {
  return rows_of(generation).length > 1;
}

export function best_text(generation: Generation): string {
  const limits = Object.values(generation.limits).some((limit) => limit != null);
  const inside = limits ? " inside of the limits" : "";
  const by_means = generation.best_batch_by_means;
  if (generation.best_batch != null)
    return (
      `Batch ${generation.best_batch} is the cheapest${inside}` +
      (by_means != null && by_means !== generation.best_batch
        ? `; by the means alone, without their intervals, it is batch ${by_means}.`
        : ".")
    );
  return (
    `No batch certainly stays within the limits: ${generation.why_no_best ?? ""}` +
    (by_means == null ? "." : `; by the means alone batch ${by_means} is the cheapest.`)
  );
}

function points(generation: Generation, rows: readonly Row[], ranked: boolean, look: Look): object {
  const style = mark(ranked ? 0 : 1, look.medium);
  const chosen = rows.filter((row) => (row.batch.rank != null) === ranked);
  return {
    type: "scatter",
    name: ranked ? kInside : kOutside,
    symbol: style.symbol,
    symbolSize: look.medium === "print" ? 6 : 10,
    itemStyle: {color: style.color},
    label: {
      show: true,
      position: "top",
      color: look.ink,
      fontSize: look.size,
      fontFamily: look.font,
      formatter: (at: {dataIndex: number}) => {
        const batch = chosen[at.dataIndex]!.batch.batch;
        return batch === generation.best_batch ? `batch ${batch}, cheapest` : `batch ${batch}`;
      },
    },
    z: 4,
    data: chosen.map((row) =>
      dot(
        [row.time.mean, row.energy.mean],
        `batch ${row.batch.batch}`,
        `${with_unit(row.time.mean, "s")} between tokens at the longest context`,
        `${with_unit(row.energy.mean, "J")} per sequence`,
      ),
    ),
  };
}

const kInside = "keeps every limit",
  kOutside = "may not keep a limit",
  kLimit = "limit";

export function token_latency(generation: Generation, name: string, of?: string): Figure {
  const rows = rows_of(generation);
  const limit = generation.limits.between_tokens_s;
  const names = [
    ...(rows.some((row) => row.batch.rank != null) ? [kInside] : []),
    ...(rows.some((row) => row.batch.rank == null) ? [kOutside] : []),
    ...(limit == null ? [] : [kLimit]),
  ];
  const all_times = [
    ...rows.flatMap((row) => [row.time.low, row.time.high]),
    ...(limit == null ? [] : [limit]),
  ];
  const times = scaled(all_times, "s");
  const joules = scaled(
    rows.map((row) => row.energy.mean),
    "J",
  );
  const says = best_text(generation);
  return {
    name,
    title: "Time between tokens against energy per sequence",
    of,
    finding: says,
    wide: true,
    table: {
      columns: [
        {title: "batch"},
        ...cost_columns("energy per sequence", "energy"),
        ...cost_columns("slowest token", "time"),
        {title: "rank"},
      ],
      rows: rows.map((row) => [
        row.batch.batch,
        ...cost_cells(row.energy),
        ...cost_cells(row.time),
        row.batch.rank,
      ]),
    },
    height: (look, width) =>
      legend_height(names, look, width, {points: true}) + (look.medium === "print" ? 260 : 380),
    option: (look, width): EChartsOption => {
      const above = legend_height(names, look, width, {points: true});
      const energies = log_span(rows.flatMap((row) => [row.energy.low, row.energy.high]));
      const ink = look.soft;
      return {
        ...base_option(look, says),
        legend: legend(look, names, {points: true, icons: {[kLimit]: kLineIcon}}),
        grid: grid(look, {
          top: above + look.size * 2.2,
          left: label_room(energies, joules.label, look),
        }),
        xAxis: x_axis(look, log_span(all_times), {
          name: `time between tokens at the longest context, ${times.unit}`,
          label: times.label,
        }),
        yAxis: y_axis(look, energies, {
          name: `energy, ${joules.unit} per sequence`,
          label: joules.label,
        }),
        series: [
          points(generation, rows, true, look),
          points(generation, rows, false, look),
          whiskers(
            rows.map((row) => [row.time.mean, row.energy.low, row.energy.high] as const),
            ink,
            {opacity: 0.6},
          ),
          whiskers(
            rows.map((row) => [row.energy.mean, row.time.low, row.time.high] as const),
            ink,
            {horizontal: true, opacity: 0.6},
          ),
          ...(limit == null
            ? []
            : [
                rule_line([limit, energies.min], [limit, energies.max], look, {
                  name: kLimit,
                  dash: [5, 4],
                  color: look.warning,
                  width: 1.5,
                }),
              ]),
        ],
      } as EChartsOption;
    },
  };
}
