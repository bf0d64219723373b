// How wide every layer was and is.
import type {EChartsOption} from "echarts";

import {percent, whole} from "../base/format";
import {mean} from "../base/statistics";
import {
  category_axis,
  grid,
  label_room,
  legend,
  legend_height,
  linear_span,
  x_axis,
  y_axis,
} from "../chart/axes";
import type {Figure} from "../chart/figure";
import {kNarrow, text_width} from "../chart/look";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";

/** What it shows of a pruning. */
interface Pruned {
  readonly original: Widths;
  readonly pruned: Widths;
}
interface Widths {
  readonly widths: Readonly<Record<string, number>>;
  readonly parameters?: number;
}

const kNames = ["original", "pruned"];

export function prune_widths(prune: Pruned, name: string, of?: string): Figure {
  const layers = Object.keys(prune.original.widths);
  const rows = layers.map((layer) => ({
    layer,
    before: prune.original.widths[layer]!,
    after: prune.pruned.widths[layer] ?? 0,
  }));
  const kept = rows
    .map((row) => ({...row, share: row.after / row.before}))
    .sort((a, b) => a.share - b.share);
  const says =
    `On average ${percent(mean(kept.map((row) => row.share)), 0)} of the channels stay; ` +
    `${kept[0]?.layer} loses most (${kept[0]?.before} to ${kept[0]?.after}).` +
    (prune.original.parameters == null || prune.pruned.parameters == null
      ? ""
      : ` Parameters: ${whole(prune.original.parameters)} to ${whole(prune.pruned.parameters)}.`);
  return {
    name,
    title: "Widths before and after",
    of,
    finding: says,
    table: {
      columns: [
        {title: "layer"},
        {title: "original"},
        {title: "pruned"},
        {title: "kept", format: percent},
      ],
      rows: rows.map((row) => [row.layer, row.before, row.after, row.after / row.before]),
    },
    height: (look, width) =>
      legend_height(kNames, look, width) +
      (layers.length > 12 || width < kNarrow
        ? look.size * 4.6 + layers.length * look.size * 2.6
        : look.medium === "print"
          ? 220
          : 320),
    option: (look, width): EChartsOption => {
      const above = legend_height(kNames, look, width);
      const lying = layers.length > 12 || width < kNarrow;
      const span = linear_span(rows.map((row) => row.before));
      const bars = (index: number, value: (row: (typeof rows)[number]) => number) => ({
        type: "bar" as const,
        name: kNames[index]!,
        barGap: "10%",
        barCategoryGap: "30%",
        itemStyle: {
          color: index === 0 ? "transparent" : mark(0, look.medium).color,
          borderColor: index === 0 ? look.soft : mark(0, look.medium).color,
          borderWidth: 1.5,
        },
        label: {
          show: true,
          position: lying ? ("right" as const) : ("top" as const),
          color: look.ink,
          fontSize: look.size - 1,
          fontFamily: look.font,
        },
        data: rows.map((row) => ({
          value: value(row),
          tip: `${row.layer}, ${kNames[index]}\n${value(row)} of ${row.before} channels`,
        })),
      });
      const category = category_axis(look, layers, {inverse: lying});
      return {
        ...base_option(look, says),
        legend: legend(look, kNames),
        grid: lying
          ? grid(look, {
              top: above,
              left: Math.max(...layers.map((layer) => text_width(layer, look))) + 14,
              right: look.size * 3,
            })
          : grid(look, {
              top: above + look.size * 2.4,
              left: label_room(span, String, look),
              bottom: look.size * 2.4,
            }),
        ...(lying
          ? {xAxis: x_axis(look, span, {name: "channels", label: String}), yAxis: category}
          : {xAxis: category, yAxis: y_axis(look, span, {name: "channels", label: String})}),
        series: [bars(0, (row) => row.before), bars(1, (row) => row.after)],
      } as EChartsOption;
    },
  };
}
