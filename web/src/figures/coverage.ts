// Whether the intervals hold what they promise: at every nominal level, the share of networks inside.
import type {EChartsOption, LineSeriesOption} from "echarts";

import {in_words, percent} from "../base/format";
import {within_normal} from "../base/normal";
import {sorted} from "../base/statistics";
import {grid, legend, legend_height, linear_span, x_axis, y_axis} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import type {Look} from "../chart/look";
import {base_option} from "../chart/option";
import {rule_line} from "../chart/shapes";
import {cell_name, cell_title, compared} from "../data/evaluation";
import {method_mark, method_title} from "../data/methods";
import type {Evaluation} from "../data/payload";

const kStated = 0.9;
const kNormal90 = 1.6448536269514722;
const kLevels = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];

interface Levels {
  readonly method: string;
  /** For each network the nominal level at which its interval just reaches the measured value. */
  readonly needed: readonly number[];
}

// The stated interval is that of a normal, so that one at another level is as much wider or narrower.
function levels_of(evaluation: Evaluation, method: string): Levels {
  const needed = compared(evaluation, method).flatMap(({measured, estimate}) => {
    if (estimate.low == null || estimate.high == null || !(estimate.high > estimate.low)) return [];
    const stddev = (estimate.high - estimate.low) / 2 / kNormal90;
    return [within_normal((measured - (estimate.high + estimate.low) / 2) / stddev)];
  });
  return {method, needed: sorted(needed)};
}

function share_inside({needed}: Levels, level: number): number {
  return needed.filter((needs) => needs <= level + 1e-9).length / needed.length;
}

function line(levels: Levels, look: Look): LineSeriesOption {
  const mark = method_mark(levels.method, look.medium);
  const title = method_title(levels.method);
  const points = kLevels.map((level) => {
    const inside = share_inside(levels, level);
    return dot(
      [level, inside],
      title,
      `${percent(inside, 0)} of the networks are inside the ${percent(level, 0)} interval`,
    );
  });
  return {
    type: "line",
    name: title,
    data: [dot([0, 0], title), ...points],
    symbol: mark.symbol,
    symbolSize: (value: number[]) => (value[0] === 0 ? 0 : value[0] === kStated ? 10 : 6),
    showAllSymbol: true,
    z: levels.method === "dual" ? 5 : 3,
    lineStyle: {color: mark.color, type: mark.dash, width: levels.method === "dual" ? 2.6 : 1.6},
    itemStyle: {color: mark.color},
  };
}

function finding(all: readonly Levels[]): string {
  const said = all
    .slice(0, 3)
    .map(
      (levels) => `${percent(share_inside(levels, kStated), 0)} for ${method_title(levels.method)}`,
    );
  if (said.length === 0) return "No method states an interval.";
  return `The 90 % interval should hold 90 % of the measured energies; it holds ${in_words(said)}.`;
}

export function coverage(evaluation: Evaluation, methods: readonly string[]): Figure {
  const all = methods
    .map((method) => levels_of(evaluation, method))
    .filter(({needed}) => needed.length > 0);
  const names = all.map(({method}) => method_title(method));
  const says = finding(all);
  return {
    name: `coverage-${cell_name(evaluation)}`,
    title: "Do the intervals hold?",
    of: cell_title(evaluation),
    finding: says,
    table: {
      columns: [
        {title: "method"},
        {title: "networks"},
        ...kLevels.map((level) => ({title: `inside ${percent(level, 0)}`, format: percent})),
      ],
      rows: all.map((levels) => [
        method_title(levels.method),
        levels.needed.length,
        ...kLevels.map((level) => share_inside(levels, level)),
      ]),
    },
    height: (look, width) =>
      legend_height(names, look, width) + (look.medium === "print" ? 240 : 340),
    option: (look, width): EChartsOption => {
      const above = legend_height(names, look, width);
      const label = (value: number) => percent(value, 0);
      return {
        ...base_option(look, says),
        legend: legend(look, names),
        grid: grid(look, {top: above + look.size * 2.2, left: 52}),
        xAxis: x_axis(look, linear_span([0, 1]), {name: "level of the interval", label}),
        yAxis: y_axis(look, linear_span([0, 1]), {name: "networks inside it", label}),
        series: [rule_line([0, 0], [1, 1], look), ...all.map((levels) => line(levels, look))],
      } as EChartsOption;
    },
  };
}
