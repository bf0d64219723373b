// Where the energy goes, block by block along the network, with the share of time beside it.
import type {EChartsOption, ScatterSeriesOption} from "echarts";

import {in_words, percent, with_unit} from "../base/format";
import {grid, legend, legend_height, linear_span, wrapped_axis, x_axis} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import {kNarrow, text_width, type Look} from "../chart/look";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";
import {whiskers} from "../chart/shapes";
import type {Estimate, EstimatePart, PartCost} from "../data/payload";

const kEnergy = "share of energy";
const kTime = "share of time";
const kBeyond = "extrapolated";

interface Row {
  readonly part: EstimatePart;
  readonly title: string;
  readonly cost: PartCost;
  readonly duration: PartCost;
  readonly energy: number;
  readonly spread: number | null;
  readonly time: number;
}

function part_title(part: EstimatePart): string {
  const widths = Object.values(part.features).join("→");
  return `${part.kind}${widths ? `  ${widths}` : ""}${part.count > 1 ? `  ×${part.count}` : ""}`;
}

function rows_of(estimate: Estimate): Row[] {
  const covered = estimate.parts.flatMap((part) =>
    part.energy_j_per_iteration && part.time_s_per_iteration
      ? [{part, cost: part.energy_j_per_iteration, duration: part.time_s_per_iteration}]
      : [],
  );
  const energy = covered.reduce((sum, {cost}) => sum + cost.mean, 0);
  const time = covered.reduce((sum, {duration}) => sum + duration.mean, 0);
  return covered.map(({part, cost, duration}) => ({
    part,
    cost,
    duration,
    title: part_title(part),
    energy: cost.mean / energy,
    spread: cost.stddev == null ? null : (1.645 * cost.stddev) / energy,
    time: duration.mean / time,
  }));
}

function tip(row: Row): string[] {
  const {part, cost, duration} = row;
  const deviation = cost.stddev == null ? "" : ` ± ${with_unit(cost.stddev, "J")}`;
  return [
    `${row.title} (${part.role})`,
    `energy ${with_unit(cost.mean, "J")}${deviation} an iteration, ${percent(row.energy)}`,
    `time ${with_unit(duration.mean, "s")}, ${percent(row.time)}`,
    ...(part.extrapolated ? ["wider than anything that was profiled"] : []),
  ];
}

function finding(rows: readonly Row[]): string {
  const by_energy = [...rows].sort((a, b) => b.energy - a.energy);
  const top = by_energy[0];
  if (!top) return "No block is covered by the profile.";
  const beyond = rows.filter((row) => row.part.extrapolated).map((row) => row.title);
  return (
    `${top.part.kind} takes the most, ${percent(top.energy)} of the energy.` +
    (beyond.length > 0
      ? ` Extrapolated: ${in_words(beyond.slice(0, 3))}${beyond.length > 3 ? " and others" : ""}.`
      : "")
  );
}

function times(rows: readonly Row[], look: Look): ScatterSeriesOption {
  return {
    type: "scatter",
    name: kTime,
    z: 6,
    symbol: "diamond",
    symbolSize: look.medium === "print" ? 8 : 11,
    itemStyle: {color: look.paper, borderColor: look.ink, borderWidth: 1.5},
    data: rows.map((row, i) => dot([row.time, i], ...tip(row))),
  };
}

export function block_shares(estimate: Estimate, name: string, of?: string): Figure {
  const rows = rows_of(estimate);
  const beyond = rows.some((row) => row.part.extrapolated);
  const names = [kEnergy, ...(beyond ? [kBeyond] : []), kTime];
  const says = finding(rows);
  const room = (look: Look, width: number) =>
    Math.min(
      width < kNarrow ? width * 0.4 : width * 0.42,
      Math.max(...rows.map((row) => text_width(row.title, look)), 40) * 1.1 + 24,
    );
  const joules = (value: number) => with_unit(value, "J", 4);
  return {
    name,
    title: "Where the energy goes",
    of,
    finding: says,
    wide: true,
    table: {
      columns: [
        {title: "block"},
        {title: "role"},
        {title: "widths"},
        {title: "count"},
        {title: "energy an iteration", format: joules},
        {title: "±", format: joules},
        {title: kEnergy, format: percent},
        {title: "time an iteration", format: (v) => with_unit(v, "s", 4)},
        {title: kTime, format: percent},
        {title: kBeyond},
      ],
      rows: rows.map(({part, cost, duration, energy, time}) => [
        part.kind,
        part.role,
        Object.entries(part.features)
          .map(([key, value]) => `${key}=${value}`)
          .join(" "),
        part.count,
        cost.mean,
        cost.stddev,
        energy,
        duration.mean,
        time,
        part.extrapolated,
      ]),
    },
    height: (look, width) =>
      legend_height(names, look, width) +
      look.size * 5 +
      rows.length * look.size * (width < kNarrow ? 4.2 : 2.4),
    option: (look, width): EChartsOption => {
      const above = legend_height(names, look, width);
      const left = room(look, width);
      const span = linear_span(
        rows.flatMap((row) => [row.energy + (row.spread ?? 0), row.time]),
        width < kNarrow ? 3 : 5,
      );
      const bars = (kind: string, wanted: boolean, index: number) => ({
        type: "bar" as const,
        name: kind,
        stack: "energy",
        barWidth: "58%",
        itemStyle: {
          color: mark(index, look.medium).color,
          decal: mark(index, look.medium).decal ?? undefined,
        },
        data: rows.map((row) => ({
          value: row.part.extrapolated === wanted ? row.energy : 0,
          tip: row.part.extrapolated === wanted ? tip(row).join("\n") : "",
        })),
      });
      return {
        ...base_option(look, says),
        legend: legend(look, names),
        grid: grid(look, {top: above + 4, left, bottom: look.size * 3.6}),
        xAxis: x_axis(look, span, {
          name: "share of the network",
          label: (value) => percent(value, 0),
        }),
        yAxis: wrapped_axis(
          look,
          rows.map((row) => row.title),
          left,
        ),
        series: [
          bars(kEnergy, false, 0),
          ...(beyond ? [bars(kBeyond, true, 1)] : []),
          whiskers(
            rows.flatMap(({energy, spread}, i) =>
              spread === null ? [] : [[i, Math.max(0, energy - spread), energy + spread] as const],
            ),
            look.ink,
            {horizontal: true, cap: 4},
          ),
          times(rows, look),
        ],
      } as EChartsOption;
    },
  };
}
