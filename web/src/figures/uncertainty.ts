// How much is left to learn: the largest uncertainty of a kind's fit over its number of points.
import type {EChartsOption} from "echarts";

import {percent, plain} from "../base/format";
import {grid, legend, legend_height, linear_span, log_span, x_axis, y_axis} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";
import {rule_line} from "../chart/shapes";
import type {Kind} from "../data/payload";

const kEnough = 0.05;
const kLeast = 0.005; // below it nobody needs to know more

interface Series {
  readonly title: string;
  readonly steps: readonly {readonly points: number; readonly share: number}[];
}

function series_of(kinds: readonly Kind[]): Series[] {
  return kinds
    .map((kind) => ({
      title: kind.title,
      steps: (kind.uncertainty ?? []).flatMap(({points, share}) =>
        share != null && share > 0 ? [{points, share: Math.max(share, kLeast)}] : [],
      ),
    }))
    .filter(({steps}) => steps.length > 1);
}

export function shows_uncertainty(kinds: readonly Kind[]): boolean {
  return series_of(kinds).length > 0;
}

export function uncertainty(kinds: readonly Kind[]): Figure {
  const all = series_of(kinds);
  const names = all.map(({title}) => title);
  const ends = all.map(({steps}) => steps[steps.length - 1]!.share);
  const says =
    `${ends.filter((share) => share <= kEnough).length} of ${all.length} kinds end below 5 %, the level at which profiling stops; ` +
    `the least certain ends at ${percent(Math.max(...ends))}.`;
  return {
    name: "uncertainty",
    title: "Uncertainty as points come in",
    finding: says,
    wide: true,
    table: {
      columns: [
        {title: "kind"},
        {title: "points"},
        {title: "largest standard deviation, of the mean", format: percent},
      ],
      rows: all.flatMap(({title, steps}) => steps.map(({points, share}) => [title, points, share])),
    },
    height: (look, width) =>
      legend_height(names, look, width) + (look.medium === "print" ? 220 : 320),
    option: (look, width): EChartsOption => {
      const above = legend_height(names, look, width);
      const most = Math.max(...all.flatMap(({steps}) => steps.map(({points}) => points)));
      const across = {...linear_span([1, most], 8, false), min: 1, max: most};
      return {
        ...base_option(look, says),
        legend: legend(look, names),
        grid: grid(look, {top: above + look.size * 2.2, left: 54}),
        xAxis: x_axis(
          look,
          {...across, ticks: across.ticks.filter((tick) => tick >= 1 && tick % 1 === 0)},
          {name: "points measured", label: String},
        ),
        yAxis: y_axis(
          look,
          log_span([kEnough, ...all.flatMap(({steps}) => steps.map(({share}) => share))], 6),
          {
            name: "largest standard deviation, of the kind's mean energy",
            label: (value) => `${plain(100 * value, 2)} %`,
          },
        ),
        series: [
          rule_line([1, kEnough], [most, kEnough], look, {dash: [4, 4], color: look.ink}),
          ...all.map(({title, steps}, i) => {
            const style = mark(i, look.medium);
            return {
              type: "line" as const,
              name: title,
              symbol: style.symbol,
              symbolSize: 7,
              showAllSymbol: true,
              lineStyle: {color: style.color, type: style.dash, width: 1.8},
              itemStyle: {color: style.color},
              data: steps.map(({points, share}) =>
                dot([points, share], title, `${percent(share)} after ${points} points`),
              ),
            };
          }),
        ],
      } as EChartsOption;
    },
  };
}
