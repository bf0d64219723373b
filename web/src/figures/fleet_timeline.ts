// Which job ran where and when.
import type {CustomSeriesOption, EChartsOption} from "echarts";

import {scaled, with_unit} from "../base/format";
import {category_axis, grid, legend, legend_height, linear_span, x_axis} from "../chart/axes";
import type {Figure} from "../chart/figure";
import {text_width, type Look} from "../chart/look";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";
import type {FleetJob} from "../data/payload";

interface Ran extends FleetJob {
  readonly begin_s: number;
  readonly end_s: number;
}

function ran(jobs: readonly FleetJob[]): Ran[] {
  return jobs.filter((job): job is Ran => job.begin_s != null && job.end_s != null);
}

function place(job: FleetJob): string {
  return `${job.kind} (${job.node || "?"})`;
}

/** A bar from begin to end in the row of its device; at least a pixel, so that a short job is seen. */
function bars(jobs: readonly Ran[], rows: readonly string[], kind: string, look: Look) {
  const kinds = [...new Set(jobs.map((job) => job.kind))];
  const color = mark(kinds.indexOf(kind), look.medium).color;
  const thick = look.medium === "print" ? 10 : 18;
  return {
    type: "custom",
    name: kind,
    clip: true,
    itemStyle: {color},
    encode: {x: [1, 2], y: 0},
    data: jobs
      .filter((job) => job.kind === kind)
      .map((job) => ({
        value: [rows.indexOf(place(job)), job.begin_s, job.end_s],
        tip: `${job.name} on ${place(job)}\n${with_unit(job.begin_s, "s")} to ${with_unit(job.end_s, "s")}, ${job.state}\n${with_unit(job.spent_j, "J")}`,
      })),
    renderItem: (_, api) => {
      const begin = api.coord([api.value(1), api.value(0)]);
      const end = api.coord([api.value(2), api.value(0)]);
      const width = Math.max(1, end[0]! - begin[0]! - 1);
      return {
        type: "rect",
        shape: {x: begin[0]!, y: begin[1]! - thick / 2, width, height: thick},
        style: {fill: color},
      };
    },
  } as CustomSeriesOption;
}

export function fleet_timeline(all: readonly FleetJob[]): Figure {
  const jobs = ran(all);
  const rows = [...new Set(jobs.map(place))].sort();
  const kinds = [...new Set(jobs.map((job) => job.kind))];
  const end = Math.max(0, ...jobs.map((job) => job.end_s));
  const {unit, label} = scaled([end], "s");
  const says = `${jobs.length} jobs on ${rows.length} devices, the last one ended after ${with_unit(end, "s")}.`;
  return {
    name: "timeline",
    title: "Timeline by device",
    finding: says,
    wide: true,
    table: {
      columns: [
        {title: "job"},
        {title: "device"},
        {title: "begin", format: (v) => with_unit(v, "s", 4)},
        {title: "end", format: (v) => with_unit(v, "s", 4)},
        {title: "state"},
        {title: "energy", format: (v) => with_unit(v, "J", 4)},
      ],
      rows: jobs.map((job) => [
        job.name,
        place(job),
        job.begin_s,
        job.end_s,
        job.state,
        job.spent_j,
      ]),
    },
    height: (look, width) =>
      legend_height(kinds, look, width, {points: true}) +
      look.size * 6 +
      rows.length * (look.medium === "print" ? 18 : 32),
    option: (look, width): EChartsOption => {
      const span = linear_span([0, end]);
      return {
        ...base_option(look, says),
        legend: legend(look, kinds, {points: true}),
        grid: grid(look, {
          top: legend_height(kinds, look, width, {points: true}) + look.size,
          left: Math.max(0, ...rows.map((row) => text_width(row, look))) + 14,
        }),
        xAxis: x_axis(look, span, {name: `time since the first job began, ${unit}`, label}),
        yAxis: category_axis(look, rows, {inverse: true}),
        series: kinds.map((kind) => bars(jobs, rows, kind, look)),
      } as EChartsOption;
    },
  };
}
