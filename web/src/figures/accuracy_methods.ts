// Mean error of every method in one cell, the best first, with the repeat noise as a line.
import type {EChartsOption} from "echarts";

import {percent} from "../base/format";
import {category_axis, grid, linear_span, x_axis} from "../chart/axes";
import type {Figure} from "../chart/figure";
import {text_width} from "../chart/look";
import {base_option, kEveryDigit} from "../chart/option";
import {cell_title} from "../data/evaluation";
import {method_mark, method_title} from "../data/methods";
import type {Evaluation} from "../data/payload";
import {accuracy_finding, accuracy_table} from "./accuracy_bars";

export function accuracy_methods(evaluation: Evaluation, methods: readonly string[]): Figure {
  const rows = methods
    .flatMap((method) => {
      const error = evaluation.methods[method]?.mape;
      return error == null ? [] : [{method, error}];
    })
    .sort((a, b) => a.error - b.error);
  const noise = evaluation.repeat_noise.mape;
  const says = accuracy_finding([evaluation], methods);
  const title = (row: {method: string}) => method_title(row.method);
  return {
    name: "accuracy",
    title: "Mean error by method",
    of: cell_title(evaluation),
    finding: says,
    table: accuracy_table([evaluation], methods),
    height: (look) =>
      Math.max(look.medium === "print" ? 0 : 330, look.size * 5 + rows.length * look.size * 2.7),
    option: (look): EChartsOption =>
      ({
        ...base_option(look, says),
        grid: grid(look, {
          top: look.size * 1.6,
          left: Math.max(...rows.map((row) => text_width(title(row), look)), 20) + 12,
          right: look.size * 4.4,
        }),
        xAxis: x_axis(look, linear_span([...rows.map((row) => row.error), noise ?? 0]), {
          name: "mean error of the energy",
          label: (value) => percent(value, 0),
        }),
        yAxis: category_axis(look, rows.map(title), {inverse: true}),
        series: [
          {
            type: "bar",
            barWidth: "62%",
            label: {
              show: true,
              position: "right",
              formatter: (at: {value: unknown}) => percent(at.value as number),
              color: look.ink,
              fontSize: look.size,
              fontFamily: look.font,
            },
            data: rows.map((row) => {
              const mark = method_mark(row.method, look.medium);
              return {
                value: row.error,
                tip: `${title(row)}\nmean error ${percent(row.error)}`,
                itemStyle: {color: mark.color, decal: mark.decal ?? undefined},
              };
            }),
            markLine:
              noise == null
                ? undefined
                : {
                    silent: true,
                    symbol: "none",
                    precision: kEveryDigit,
                    lineStyle: {color: look.ink, type: [5, 3], width: 1.5},
                    label: {
                      formatter: `repeat noise ${percent(noise)}`,
                      position: "start",
                      color: look.ink,
                      fontSize: look.size,
                      fontFamily: look.font,
                    },
                    data: [{xAxis: noise}],
                  },
          },
        ],
      }) as EChartsOption,
  };
}
