// What accuracy costs: mean error over the seconds of measuring that a method was given.
import type {EChartsOption, ScatterSeriesOption} from "echarts";

import {percent, plain, with_unit} from "../base/format";
import {mean} from "../base/statistics";
import {grid, legend, legend_height, log_span, x_axis, y_axis} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import type {Look} from "../chart/look";
import {base_option} from "../chart/option";
import {cell_title} from "../data/evaluation";
import {method_mark, method_title} from "../data/methods";
import type {Evaluation} from "../data/payload";

interface Row {
  readonly cell: string;
  readonly method: string;
  readonly seconds: number;
  readonly error: number;
  readonly points: number;
}

function rows_of(evaluations: readonly Evaluation[], methods: readonly string[]): Row[] {
  return evaluations.flatMap((e) =>
    methods.flatMap((method) => {
      const score = e.methods[method];
      if (score?.mape == null || !(score.seconds > 0)) return [];
      return [
        {
          cell: cell_title(e),
          method,
          seconds: score.seconds,
          error: score.mape,
          points: score.points,
        },
      ];
    }),
  );
}

function points(rows: readonly Row[], method: string, look: Look): ScatterSeriesOption {
  const mark = method_mark(method, look.medium);
  return {
    type: "scatter",
    name: method_title(method),
    symbol: mark.symbol,
    symbolSize: look.medium === "print" ? 7 : 10,
    itemStyle: {color: mark.color, opacity: 0.9},
    data: rows
      .filter((row) => row.method === method)
      .map((row) =>
        dot(
          [row.seconds, row.error],
          `${method_title(method)}, ${row.cell}`,
          `${with_unit(row.seconds, "s")} of measuring, mean error ${percent(row.error)}`,
        ),
      ),
  };
}

export function profiling_cost(
  evaluations: readonly Evaluation[],
  methods: readonly string[],
): Figure {
  const rows = rows_of(evaluations, methods);
  const shown = methods.filter((method) => rows.some((row) => row.method === method));
  const names = shown.map(method_title);
  const average = (method: string) => {
    const of = rows.filter((row) => row.method === method);
    return `${method_title(method)} ${percent(mean(of.map((row) => row.error)))} after ${with_unit(mean(of.map((row) => row.seconds)), "s")}`;
  };
  const says =
    shown.length === 0
      ? "No method was measured for."
      : `Mean error and measuring: ${shown.slice(0, 2).map(average).join(", ")}.`;
  return {
    name: "accuracy-over-seconds",
    title: "Accuracy over seconds of measuring",
    finding: says,
    table: {
      columns: [
        {title: "cell"},
        {title: "method"},
        {title: "measuring", format: (v) => with_unit(v, "s")},
        {title: "measurements"},
        {title: "mean error", format: percent},
      ],
      rows: rows.map((row) => [
        row.cell,
        method_title(row.method),
        row.seconds,
        row.points,
        row.error,
      ]),
    },
    height: (look, width) =>
      legend_height(names, look, width, {points: true}) + (look.medium === "print" ? 240 : 340),
    option: (look, width): EChartsOption => {
      const above = legend_height(names, look, width, {points: true});
      return {
        ...base_option(look, says),
        legend: legend(look, names, {points: true}),
        grid: grid(look, {top: above + look.size * 2.2, left: 52}),
        xAxis: x_axis(look, log_span(rows.map((row) => row.seconds)), {
          name: "seconds of measuring",
          label: (value) => plain(value, 3),
        }),
        yAxis: y_axis(
          look,
          log_span(
            rows.map((row) => row.error),
            6,
          ),
          {name: "mean error of the energy", label: (value) => `${plain(100 * value, 2)} %`},
        ),
        series: shown.map((method) => points(rows, method, look)),
      } as EChartsOption;
    },
  };
}
