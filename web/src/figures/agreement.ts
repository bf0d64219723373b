// Predicted against what was found, whatever it is of, on logarithmic axes with a band of ±10 %.
import type {EChartsOption} from "echarts";

import {percent, scaled, signed_percent, with_unit} from "../base/format";
import {mean} from "../base/statistics";
import {grid, label_room, legend, legend_height, log_span, x_axis, y_axis} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";
import {band, rule_line} from "../chart/shapes";

export interface Pair {
  readonly name: string;
  readonly measured: number;
  readonly predicted: number;
}

export interface PairGroup {
  readonly title: string;
  readonly pairs: readonly Pair[];
}

export interface AgreementText {
  readonly name: string;
  readonly title: string;
  readonly of_what: string;
  /** What is compared with the prediction; default: measured. */
  readonly found?: string;
  readonly unit: "J" | "s";
}

export function agreement(groups: readonly PairGroup[], text: AgreementText): Figure {
  const all = groups.flatMap(({title, pairs}) => pairs.map((pair) => ({...pair, group: title})));
  const values = all.flatMap(({measured, predicted}) => [measured, predicted]);
  const {unit, label} = scaled(values, text.unit);
  const found = text.found ?? "measured";
  const errors = all.map(({measured, predicted}) => Math.abs(predicted / measured - 1));
  const names = groups.length > 1 ? groups.map(({title}) => title) : [];
  const says =
    `${text.of_what}: ${all.length} compared, ${percent(mean(errors))} apart on average, ` +
    `${percent(errors.filter((error) => error <= 0.1).length / errors.length, 0)} within 10 %.`;
  return {
    name: text.name,
    title: text.title,
    finding: says,
    table: {
      columns: [
        {title: "of"},
        {title: "what"},
        {title: found, format: (v) => with_unit(v, text.unit, 4)},
        {title: "predicted", format: (v) => with_unit(v, text.unit, 4)},
        {title: "difference", format: signed_percent},
      ],
      rows: all.map(({group, name, measured, predicted}) => [
        group,
        name,
        measured,
        predicted,
        predicted / measured - 1,
      ]),
    },
    height: (look, width) =>
      legend_height(names, look, width, {points: true}) + (look.medium === "print" ? 250 : 350),
    option: (look, width): EChartsOption => {
      const above = legend_height(names, look, width, {points: true});
      const span = log_span(values);
      const edge = (factor: number) =>
        [span.min, span.max].map((end) => [end, end * factor] as const);
      return {
        ...base_option(look, says),
        legend: legend(look, names, {points: true}),
        grid: grid(look, {top: above + look.size * 2.4, left: label_room(span, label, look)}),
        xAxis: x_axis(look, span, {name: `${found}, ${unit}`, label}),
        yAxis: y_axis(look, span, {name: `predicted, ${unit}`, label}),
        series: [
          band(edge(1.1), edge(1 / 1.1), look.band),
          rule_line([span.min, span.min], [span.max, span.max], look),
          ...groups.map(({title, pairs}, i) => {
            const style = mark(i, look.medium);
            return {
              type: "scatter" as const,
              name: title,
              z: 4,
              symbol: style.symbol,
              symbolSize: look.medium === "print" ? 4 : all.length > 200 ? 5 : 8,
              itemStyle: {color: style.color, opacity: 0.8},
              data: pairs.map((pair) =>
                dot(
                  [pair.measured, pair.predicted],
                  pair.name,
                  `${found} ${with_unit(pair.measured, text.unit)}, predicted ${with_unit(pair.predicted, text.unit)} (${signed_percent(pair.predicted / pair.measured - 1)})`,
                ),
              ),
            };
          }),
        ],
      } as EChartsOption;
    },
  };
}
