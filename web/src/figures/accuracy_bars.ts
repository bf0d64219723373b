// Mean error of every method in every cell (Fig. 8 of the paper), with the repeat noise beside it.
import type {BarSeriesOption, CustomSeriesOption, EChartsOption} from "echarts";

import {percent} from "../base/format";
import {mean} from "../base/statistics";
import {
  category_axis,
  grid,
  kLineIcon,
  legend,
  legend_height,
  linear_span,
  x_axis,
  y_axis,
} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import {kNarrow, text_width, type Look} from "../chart/look";
import {base_option} from "../chart/option";
import type {Table} from "../chart/table";
import {cell_title, other_errors} from "../data/evaluation";
import {method_mark, method_title} from "../data/methods";
import type {Evaluation} from "../data/payload";

const kNoise = "repeat noise";

export function accuracy_finding(
  evaluations: readonly Evaluation[],
  methods: readonly string[],
): string {
  const averages = methods
    .map((method) => ({method, errors: evaluations.flatMap((e) => e.methods[method]?.mape ?? [])}))
    .filter(({errors}) => errors.length === evaluations.length)
    .map(({method, errors}) => ({method, error: mean(errors)}))
    .sort((a, b) => a.error - b.error);
  const best = averages[0];
  if (!best) return "No method could be compared.";
  const rest = averages
    .slice(1, 3)
    .map(({method, error}) => `${method_title(method)} ${percent(error)}`);
  const noise = evaluations.flatMap((e) => e.repeat_noise.mape ?? []);
  const beside =
    noise.length > 0 ? ` Measuring the same network twice differs by ${percent(mean(noise))}.` : "";
  const over = evaluations.length > 1 ? ` over ${evaluations.length} cells` : "";
  return (
    `The mean error of ${method_title(best.method)} is the smallest${over}: ${percent(best.error)}` +
    `${rest.length > 0 ? `; then ${rest.join(" and ")}` : ""}.${beside}`
  );
}

export function accuracy_table(
  evaluations: readonly Evaluation[],
  methods: readonly string[],
): Table {
  const rows = evaluations.flatMap((e) => [
    ...methods.flatMap((method) => {
      const score = e.methods[method];
      if (score?.mape == null)
        return [[cell_title(e), method_title(method), null, null, null, null, null]];
      return [
        [
          cell_title(e),
          method_title(method),
          score.mape,
          score.bias ?? null,
          score.within_10 ?? null,
          score.coverage_90 ?? null,
          score.steady_host?.mape ?? null,
        ],
      ];
    }),
    [cell_title(e), kNoise, e.repeat_noise.mape, null, null, null, e.repeat_noise.steady_host_mape],
  ]);
  return {
    columns: [
      {title: "cell"},
      {title: "method"},
      {title: "mean error", format: percent},
      {title: "bias", format: percent},
      {title: "within 10 %", format: percent},
      {title: "inside 90 % interval", format: percent},
      {title: "mean error, host drift taken out", format: percent},
    ],
    rows,
  };
}

// A dashed line across the bars of each cell.
function noise_series(
  evaluations: readonly Evaluation[],
  look: Look,
  upright: boolean,
): CustomSeriesOption {
  return {
    type: "custom",
    name: kNoise,
    z: 5,
    itemStyle: {color: look.ink},
    encode: upright ? {x: 0, y: 1} : {x: 1, y: 0},
    data: evaluations.flatMap((e, i) =>
      e.repeat_noise.mape == null
        ? []
        : [
            dot(
              [i, e.repeat_noise.mape],
              `${cell_title(e)}: measured twice`,
              `differs by ${percent(e.repeat_noise.mape)}`,
            ),
          ],
    ),
    renderItem: (_, api) => {
      const [place, noise] = [api.value(0), api.value(1)];
      const at = api.coord(upright ? [place, noise] : [noise, place]) as [number, number];
      const size = api.size!([1, 1]) as number[];
      const half = 0.43 * (upright ? size[0]! : size[1]!);
      const [dx, dy] = upright ? [half, 0] : [0, half];
      return {
        type: "line",
        shape: {x1: at[0] - dx, y1: at[1] - dy, x2: at[0] + dx, y2: at[1] + dy},
        style: {stroke: look.ink, lineWidth: 2, lineDash: [5, 3]},
      };
    },
  };
}

function bars(evaluations: readonly Evaluation[], method: string, look: Look): BarSeriesOption {
  const mark = method_mark(method, look.medium);
  return {
    type: "bar",
    name: method_title(method),
    barGap: "8%",
    barCategoryGap: "22%",
    itemStyle: {color: mark.color, decal: mark.decal ?? undefined},
    data: evaluations.map((e) => {
      const score = e.methods[method];
      return {
        value: score?.mape ?? NaN,
        tip: [
          `${method_title(method)}, ${cell_title(e)}`,
          `mean error ${percent(score?.mape)}`,
          ...(score ? other_errors(score) : []),
        ].join("\n"),
      };
    }),
  };
}

/** Cells side by side; on a phone and in a single column one below the other. */
export function accuracy_bars(
  evaluations: readonly Evaluation[],
  methods: readonly string[],
): Figure {
  const cells = evaluations.map(cell_title);
  const names = [...methods.map(method_title), kNoise];
  const stacked = cells.map((cell) => cell.replace(", ", "\n"));
  const widest = (look: Look) =>
    Math.max(...stacked.flatMap((cell) => cell.split("\n").map((line) => text_width(line, look))));
  const upright = (look: Look, width: number) =>
    width >= kNarrow && width - 60 >= cells.length * (widest(look) + 4);
  const says = accuracy_finding(evaluations, methods);
  return {
    name: "accuracy",
    title: "Mean error by method",
    finding: says,
    wide: true,
    table: accuracy_table(evaluations, methods),
    height: (look, width) => {
      const above = legend_height(names, look, width);
      if (upright(look, width)) return above + (look.medium === "print" ? 250 : 370);
      return above + 70 + cells.length * (methods.length * 11 + 16);
    },
    option: (look, width): EChartsOption => {
      const above = legend_height(names, look, width);
      const errors = evaluations.flatMap((e) => [
        ...methods.map((m) => e.methods[m]?.mape ?? 0),
        e.repeat_noise.mape ?? 0,
      ]);
      const span = linear_span(errors);
      const label = (value: number) => percent(value, 0);
      const stands = upright(look, width);
      const error_axis = {name: "mean error of the energy", label};
      return {
        ...base_option(look, says),
        legend: legend(look, names, {icons: {[kNoise]: kLineIcon}}),
        grid: stands
          ? grid(look, {top: above + look.size * 2.2, left: 46, bottom: look.size * 3.2})
          : grid(look, {top: above, left: widest(look) + 14}),
        ...(stands
          ? {xAxis: category_axis(look, stacked), yAxis: y_axis(look, span, error_axis)}
          : {
              xAxis: x_axis(look, span, error_axis),
              yAxis: category_axis(look, stacked, {inverse: true}),
            }),
        series: [
          ...methods.map((method) => bars(evaluations, method, look)),
          noise_series(evaluations, look, stands),
        ],
      } as EChartsOption;
    },
  };
}
