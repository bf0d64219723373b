// How large the error is for how many networks (Fig. 10 of the paper).
import type {EChartsOption, LineSeriesOption} from "echarts";

import {percent} from "../base/format";
import {quantile, sorted} from "../base/statistics";
import {grid, legend, legend_height, linear_span, x_axis, y_axis} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import type {Look} from "../chart/look";
import {base_option} from "../chart/option";
import {compared} from "../data/evaluation";
import {kUsualMethods, method_mark, method_title} from "../data/methods";
import type {Evaluation} from "../data/payload";

interface Errors {
  readonly method: string;
  readonly ascending: readonly number[];
}

function errors_of(evaluations: readonly Evaluation[], method: string): Errors {
  const errors = evaluations.flatMap((e) => compared(e, method).map((row) => Math.abs(row.error)));
  return {method, ascending: sorted(errors)};
}

function steps({method, ascending}: Errors, look: Look, most: number): LineSeriesOption {
  const mark = method_mark(method, look.medium);
  const title = method_title(method);
  const share = (i: number) => (i + 1) / ascending.length;
  const points = ascending.map((error, i) =>
    dot(
      [error, share(i)],
      title,
      `${percent(share(i), 0)} of the networks are at most ${percent(error)} off`,
    ),
  );
  const few = Math.max(1, Math.round(ascending.length / 6));
  return {
    type: "line",
    name: title,
    step: "end",
    data: [
      dot([0, 0], title),
      ...points,
      dot([Math.max(most, ascending[ascending.length - 1] ?? 0), 1], title),
    ],
    symbol: mark.symbol,
    symbolSize: (_: unknown, params: {dataIndex: number}) =>
      params.dataIndex > 0 && params.dataIndex <= ascending.length && params.dataIndex % few === 0
        ? 7
        : 0,
    showAllSymbol: true,
    clip: true,
    z: kUsualMethods.indexOf(method) === 0 ? 5 : 3,
    lineStyle: {
      color: mark.color,
      type: mark.dash,
      width: kUsualMethods.indexOf(method) === 0 ? 2.6 : 1.6,
    },
    itemStyle: {color: mark.color},
  };
}

function finding(all: readonly Errors[]): string {
  const by_median = all
    .map(({method, ascending}) => ({
      method,
      half: quantile(ascending, 0.5),
      most: quantile(ascending, 0.9),
    }))
    .sort((a, b) => a.half - b.half);
  const best = by_median[0];
  if (!best) return "Nothing could be compared.";
  return (
    `Half of the estimates by ${method_title(best.method)} are at most ${percent(best.half)} off, ` +
    `nine in ten at most ${percent(best.most)}.`
  );
}

export function error_cdf(
  evaluations: readonly Evaluation[],
  methods: readonly string[],
  name: string,
  of?: string,
): Figure {
  const all = methods
    .map((method) => errors_of(evaluations, method))
    .filter(({ascending}) => ascending.length > 0);
  const names = all.map(({method}) => method_title(method));
  // The tail of the worst method would press the others into a corner.
  const ends = sorted(all.map(({ascending}) => quantile(ascending, 0.95)));
  const most = Math.min(1, Math.max(0.1, ends[ends.length - 1] ?? 1));
  const says = finding(all);
  const shares = [0.25, 0.5, 0.75, 0.9, 1];
  return {
    name,
    title: "How many networks are how far off",
    of,
    finding: says,
    table: {
      columns: [
        {title: "method"},
        {title: "networks"},
        ...shares.map((share) => ({
          title: share === 1 ? "all within" : `${percent(share, 0)} within`,
          format: percent,
        })),
      ],
      rows: all.map(({method, ascending}) => [
        method_title(method),
        ascending.length,
        ...shares.map((share) => quantile(ascending, share)),
      ]),
    },
    height: (look, width) =>
      legend_height(names, look, width) + (look.medium === "print" ? 240 : 340),
    option: (look, width): EChartsOption => {
      const above = legend_height(names, look, width);
      const span = {...linear_span([0, most]), min: 0};
      return {
        ...base_option(look, says),
        legend: legend(look, names),
        grid: grid(look, {top: above + look.size * 2.2, left: 52}),
        xAxis: x_axis(look, span, {
          name: "relative error, either way",
          label: (value) => percent(value, 0),
        }),
        yAxis: y_axis(look, linear_span([0, 1]), {
          name: "share of networks",
          label: (value) => percent(value, 0),
        }),
        series: all.map((errors) => steps(errors, look, span.max)),
      } as EChartsOption;
    },
  };
}
