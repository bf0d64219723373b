// Estimated against measured energy (Fig. 7 of the paper): a panel a method, all on the same axes.
import type {EChartsOption, SeriesOption} from "echarts";

import {percent, scaled, signed_percent, with_unit} from "../base/format";
import {extent} from "../base/statistics";
import {log_span, x_axis, y_axis, type Span} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import {kNarrow, type Look} from "../chart/look";
import {base_option, panel_note, small_title} from "../chart/option";
import {band, rule_line, whiskers} from "../chart/shapes";
import type {Column, Table} from "../chart/table";
import {
  cell_name,
  cell_title,
  compared,
  measured_j,
  measured_networks,
  type Compared,
} from "../data/evaluation";
import {method_mark, method_title} from "../data/methods";
import type {Evaluation} from "../data/payload";

interface Panels {
  readonly columns: number;
  readonly rows: number;
  readonly side: number;
  readonly tall: number;
  readonly left: number;
  readonly gap: number;
}

const kFarthest = 2; // times outside what was measured, the axes go
const kTitleRoom = 2.1; // type sizes above a panel

function panels(count: number, look: Look, width: number): Panels {
  const narrow = width < kNarrow;
  const columns = Math.min(count, narrow ? 2 : width / count > 200 || count < 4 ? count : 3);
  const left = narrow ? 40 : 52;
  const gap = narrow ? 10 : 16;
  const side = Math.floor((width - left - gap * (columns - 1) - 12) / columns);
  const tall = Math.min(side, look.medium === "print" ? 170 : 280);
  return {columns, rows: Math.ceil(count / columns), side, tall, left, gap};
}

function panel_top(at: Panels, row: number, look: Look): number {
  return row * (at.tall + look.size * kTitleRoom + at.gap) + look.size * 3.7;
}

// What is too far off for the axes lies on their edge, hollow.
const kBeyond = (color: string) => ({
  symbol: "circle",
  itemStyle: {color: "transparent", borderColor: color, borderWidth: 1.5},
});

function tip(row: Compared, method: string): string[] {
  return [
    row.network.model,
    `measured ${with_unit(row.measured, "J")}, ${method_title(method)} ${with_unit(row.estimate.mean, "J")} (${signed_percent(row.error)})`,
  ];
}

function panel_series(
  rows: readonly Compared[],
  method: string,
  look: Look,
  span: Span,
  index: number,
): SeriesOption[] {
  const at = {xAxisIndex: index, yAxisIndex: index};
  const mark = method_mark(method, look.medium);
  const ends = [span.min, span.max] as const;
  const edge = (factor: number) => ends.map((end) => [end, end * factor] as const);
  return [
    band(edge(1.1), edge(1 / 1.1), look.band, at),
    rule_line([span.min, span.min], [span.max, span.max], look, at),
    whiskers(
      rows.flatMap(({measured, estimate}) =>
        estimate.low == null || estimate.high == null
          ? []
          : [[measured, Math.max(estimate.low, span.min / 10), estimate.high] as const],
      ),
      mark.color,
      {...at, opacity: 0.35, width: 1},
    ),
    {
      type: "scatter",
      name: method_title(method),
      ...at,
      z: 4,
      symbol: mark.symbol,
      symbolSize: look.medium === "print" ? 5 : 7,
      itemStyle: {color: mark.color, opacity: 0.9},
      data: rows.map((row) => {
        const shown = Math.min(Math.max(row.estimate.mean, span.min), span.max);
        const point = dot([row.measured, shown], ...tip(row, method));
        return shown === row.estimate.mean ? point : {...point, ...kBeyond(mark.color)};
      }),
    },
  ];
}

function table(evaluation: Evaluation, methods: readonly string[]): Table {
  const joules = (value: number) => with_unit(value, "J", 4);
  const columns: Column[] = [{title: "network"}, {title: "measured", format: joules}];
  for (const method of methods)
    columns.push(
      {title: method_title(method), format: joules},
      {title: "error", format: signed_percent},
    );
  const rows = measured_networks(evaluation).map((network) => {
    const measured = measured_j(network);
    return [
      network.model,
      measured,
      ...methods.flatMap((method) => {
        const estimate = network.estimates[method];
        return estimate ? [estimate.mean, estimate.mean / measured - 1] : [null, null];
      }),
    ];
  });
  return {columns, rows};
}

function finding(evaluation: Evaluation, methods: readonly string[]): string {
  const within = methods
    .flatMap((method) => {
      const share = evaluation.methods[method]?.within_10;
      return share == null ? [] : [{method, share}];
    })
    .sort((a, b) => b.share - a.share);
  const best = within[0],
    last = within[within.length - 1];
  if (!best || !last) return "Nothing could be compared.";
  return (
    `${method_title(best.method)} puts ${percent(best.share, 0)} of ${measured_networks(evaluation).length} ` +
    `networks inside the ±10 % band` +
    (best === last ? "." : `; ${method_title(last.method)} ${percent(last.share, 0)}.`)
  );
}

export function estimated_measured(evaluation: Evaluation, methods: readonly string[]): Figure {
  const shown = methods
    .map((method) => ({method, rows: compared(evaluation, method)}))
    .filter(({rows}) => rows.length > 0);
  const measured = shown.flatMap(({rows}) => rows.map((row) => row.measured));
  const [least, most] = extent(measured);
  const near = (value: number) => Math.min(Math.max(value, least / kFarthest), most * kFarthest);
  const values = shown.flatMap(({rows}) =>
    rows.flatMap((row) => [row.measured, near(row.estimate.mean)]),
  );
  const {unit, label} = scaled(values, "J");
  const says = finding(
    evaluation,
    shown.map(({method}) => method),
  );
  return {
    name: `estimated-vs-measured-${cell_name(evaluation)}`,
    title: "Estimated against measured",
    of: cell_title(evaluation),
    finding: says,
    wide: true,
    table: table(
      evaluation,
      shown.map(({method}) => method),
    ),
    height: (look, width) => {
      const at = panels(shown.length, look, width);
      return panel_top(at, at.rows - 1, look) + at.tall + look.size * 4.2;
    },
    option: (look, width): EChartsOption => {
      const at = panels(shown.length, look, width);
      const span = log_span(values, width < kNarrow ? 3 : 5);
      const place = (i: number) => ({column: i % at.columns, row: Math.floor(i / at.columns)});
      const left = (i: number) => at.left + place(i).column * (at.side + at.gap);
      const lowest = (i: number) => i + at.columns >= shown.length;
      return {
        ...base_option(look, says),
        title: [
          ...shown.map(({method}, i) =>
            small_title(
              look,
              `${method_title(method)}  ${percent(evaluation.methods[method]?.mape)}`,
              left(i),
              panel_top(at, place(i).row, look) - look.size * 1.5,
            ),
          ),
          panel_note(look, `estimated, ${unit} an iteration`),
        ],
        grid: shown.map((_, i) => ({
          left: left(i),
          top: panel_top(at, place(i).row, look),
          width: at.side,
          height: at.tall,
        })),
        xAxis: shown.map((_, i) => ({
          ...x_axis(look, span, {
            name:
              lowest(i) && (width >= kNarrow || place(i).column === 0) ? `measured, ${unit}` : "",
            label,
          }),
          gridIndex: i,
          ...(lowest(i) ? {} : {axisLabel: {show: false}}),
        })),
        yAxis: shown.map((_, i) => ({
          ...y_axis(look, span, {label}),
          gridIndex: i,
          ...(place(i).column === 0 ? {} : {axisLabel: {show: false}}),
        })),
        series: shown.flatMap(({method, rows}, i) => panel_series(rows, method, look, span, i)),
      } as EChartsOption;
    },
  };
}
