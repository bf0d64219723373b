// The interval of every network around what was measured, from the cheapest network to the dearest.
import type {EChartsOption, ScatterSeriesOption} from "echarts";

import {counted, percent, signed_percent, with_unit} from "../base/format";
import {quantile, sorted} from "../base/statistics";
import {grid, legend, legend_height, linear_span, x_axis, y_axis} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import type {Look} from "../chart/look";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";
import {rule_line, whiskers} from "../chart/shapes";
import {cell_name, cell_title, compared, type Compared} from "../data/evaluation";
import {method_title} from "../data/methods";
import type {Evaluation} from "../data/payload";

interface Row extends Compared {
  readonly place: number;
  readonly low: number;
  readonly high: number;
  readonly inside: boolean;
}

function rows_of(evaluation: Evaluation, method: string): Row[] {
  return compared(evaluation, method)
    .filter(({estimate}) => estimate.low != null && estimate.high != null)
    .sort((a, b) => a.measured - b.measured)
    .map((row, i) => {
      const low = row.estimate.low! / row.measured - 1,
        high = row.estimate.high! / row.measured - 1;
      return {...row, place: i + 1, low, high, inside: low <= 0 && high >= 0};
    });
}

function points(
  rows: readonly Row[],
  inside: boolean,
  name: string,
  look: Look,
): ScatterSeriesOption {
  const style = mark(inside ? 0 : 1, look.medium);
  return {
    type: "scatter",
    name,
    z: 5,
    symbol: inside ? "circle" : "triangle",
    symbolSize: look.medium === "print" ? 5 : inside ? 7 : 9,
    itemStyle: {color: style.color},
    data: rows
      .filter((row) => row.inside === inside)
      .map((row) =>
        dot(
          [row.place, row.error],
          row.network.model,
          `measured ${with_unit(row.measured, "J")}, estimated ${with_unit(row.estimate.mean, "J")} (${signed_percent(row.error)})`,
          `interval ${signed_percent(row.low)} to ${signed_percent(row.high)}: ${inside ? "inside" : "outside"}`,
        ),
      ),
  };
}

export function intervals(evaluation: Evaluation, method: string): Figure {
  const rows = rows_of(evaluation, method);
  const inside = rows.filter((row) => row.inside).length;
  const bounds = rows.flatMap((row) => [row.low, row.high, row.error]);
  const ascending = sorted(bounds.map(Math.abs));
  const most = Math.min(ascending[ascending.length - 1] ?? 1, 3 * quantile(ascending, 0.8));
  const names = ["measured inside", "measured outside"];
  const says =
    `By ${method_title(method)}, ${inside} of ${counted(rows.length, "measured network")} ` +
    `(${percent(inside / rows.length, 0)}) lie inside the 90 % interval.`;
  return {
    name: `intervals-${cell_name(evaluation)}`,
    title: "Interval of every network",
    of: cell_title(evaluation),
    finding: says,
    table: {
      columns: [
        {title: "network"},
        {title: "measured", format: (v) => with_unit(v, "J", 4)},
        {title: "estimated", format: (v) => with_unit(v, "J", 4)},
        {title: "low", format: (v) => with_unit(v, "J", 4)},
        {title: "high", format: (v) => with_unit(v, "J", 4)},
        {title: "inside"},
      ],
      rows: rows.map((row) => [
        row.network.model,
        row.measured,
        row.estimate.mean,
        row.estimate.low,
        row.estimate.high,
        row.inside,
      ]),
    },
    height: (look, width) =>
      legend_height(names, look, width, {points: true}) + (look.medium === "print" ? 240 : 340),
    option: (look, width): EChartsOption => {
      const above = legend_height(names, look, width, {points: true});
      const across = [0.4, rows.length + 0.6] as const;
      return {
        ...base_option(look, says),
        legend: legend(look, names, {points: true}),
        grid: grid(look, {top: above + look.size * 2.2, left: 56}),
        xAxis: {
          ...x_axis(
            look,
            {...linear_span([0, rows.length]), min: across[0], max: across[1]},
            {
              name: "networks, from the cheapest to the dearest",
              label: (value) => (value === 0 ? "" : String(value)),
            },
          ),
          splitLine: {show: false},
        },
        yAxis: y_axis(look, linear_span([-most, most]), {
          name: "estimated against measured",
          label: (value) => signed_percent(value, 0),
        }),
        series: [
          rule_line([across[0], 0], [across[1], 0], look, {color: look.ink}),
          ...[true, false].map((are) =>
            whiskers(
              rows
                .filter((row) => row.inside === are)
                .map((row) => [row.place, row.low, row.high] as const),
              mark(are ? 0 : 1, look.medium).color,
              {width: 1.6, cap: 3, opacity: 0.7},
            ),
          ),
          points(rows, true, names[0]!, look),
          points(rows, false, names[1]!, look),
        ],
      } as EChartsOption;
    },
  };
}
