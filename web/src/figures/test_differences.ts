// How far estimates are from observations where nothing was fitted (Fig. 12 of the paper).
import type {EChartsOption, ScatterSeriesOption, SeriesOption} from "echarts";

import {counted, percent, plain, scaled, signed_percent, unit_for} from "../base/format";
import {extent} from "../base/statistics";
import {
  grid,
  label_room,
  legend,
  legend_height,
  linear_span,
  place_on,
  x_axis,
  y_axis,
  type Span,
} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import {readable} from "../chart/labels";
import type {Look} from "../chart/look";
import {base_option} from "../chart/option";
import {kTriangleDown, mark} from "../chart/palette";
import {rule_line, whiskers} from "../chart/shapes";
import {features_text, kind_name} from "../data/kind";
import type {Kind, KindTest} from "../data/payload";
import {difference_j, difference_sd, mean_difference, tests_of, worst_test} from "../data/tests";
import {point_table, test_row} from "./point_table";
import {kProfiled, test_crosses, test_tip} from "./test_crosses";

const kNormal90 = 1.645;
const kHigh = "estimated too high",
  kLow = "estimated too low";

/** Over the first two widths, or over the one. */
export function shows_differences(kind: Kind): boolean {
  return kind.feature_names.length > 0 && tests_of(kind).length > 0;
}

function finding(kind: Kind, tests: readonly KindTest[]): string {
  const off = mean_difference(tests),
    worst = worst_test(tests);
  const without = tests.filter((t) => t.relative_difference == null).length;
  const inside = tests.filter(
    (t) => Math.abs(difference_j(t)) <= kNormal90 * difference_sd(t),
  ).length;
  return (
    `At ${counted(tests.length, "random point")} that nothing was fitted to, ` +
    (worst
      ? `the estimate is ${percent(off)} off on average and ${signed_percent(worst.relative_difference)} at worst (${features_text(kind, worst.features)}); `
      : "") +
    `${inside} of ${tests.length} lie within the 90 % of fit and measurement.` +
    (without > 0 ? ` ${without} cost nothing after subtraction, and have no share.` : "")
  );
}

/** By area, the larger the farther off. */
function sizes(tests: readonly KindTest[], look: Look): (test: KindTest) => number {
  const [, most] = extent(tests.map((t) => Math.abs(difference_j(t))));
  const largest = look.medium === "print" ? 17 : 26;
  return (t) => largest * Math.max(0.3, most > 0 ? Math.sqrt(Math.abs(difference_j(t)) / most) : 0);
}

/** They point to where the estimate is. */
function triangles(
  kind: Kind,
  side: typeof kHigh | typeof kLow,
  size: (test: KindTest) => number,
  texts: Map<KindTest, string>,
  look: Look,
): ScatterSeriesOption {
  const tests = tests_of(kind).filter((t) => difference_j(t) >= 0 === (side === kHigh));
  return {
    type: "scatter",
    name: side,
    z: 5,
    symbol: side === kHigh ? "triangle" : kTriangleDown,
    itemStyle: {
      color: mark(side === kHigh ? 1 : 0, look.medium).color,
      opacity: 0.9,
      borderColor: look.paper,
      borderWidth: 0.8,
    },
    label: {
      show: true,
      position: "right",
      distance: 1,
      color: look.ink,
      fontSize: look.size - 1,
      fontFamily: look.font,
      formatter: ({dataIndex}: {dataIndex: number}) => texts.get(tests[dataIndex]!) ?? "",
    },
    data: tests.map((t) => ({
      ...dot([t.features[0]!, t.features[1]!], ...test_tip(kind, t)),
      symbolSize: size(t),
    })),
  };
}

/** Where the axes lie, in pixels. */
interface Plot {
  readonly across: Span;
  readonly up: Span;
  readonly width: number;
  readonly height: number;
}

/** Of each test, or nothing where it could not be read. */
function numbers(
  tests: readonly KindTest[],
  size: (test: KindTest) => number,
  plot: Plot,
  look: Look,
): Map<KindTest, string> {
  const [scale] = unit_for(tests.map(difference_j), "J");
  const marks = tests.map((t) => ({
    x: place_on(plot.across, t.features[0]!, 0, plot.width),
    y: place_on(plot.up, t.features[1]!, plot.height, 0),
    size: size(t),
    text: `${difference_j(t) < 0 ? "−" : "+"}${plain(Math.abs(difference_j(t)) / scale, 2)}`,
  }));
  const shown = readable(marks, look);
  return new Map(tests.map((t, i) => [t, shown[i] ? marks[i]!.text : ""]));
}

function span_of(values: readonly number[]): Span {
  const [least, most] = extent(values);
  const room = Math.max(0.5, (most - least) * 0.05);
  return {...linear_span([least, most], 6), min: least - room, max: most + room};
}

/** A figure over two widths: where, and how far off. */
function over_two(kind: Kind, plot: Plot, look: Look): SeriesOption[] {
  const tests = tests_of(kind);
  const size = sizes(tests, look);
  const texts = numbers(tests, size, plot, look);
  return [
    {
      type: "scatter",
      name: kProfiled,
      z: 3,
      symbol: "circle",
      symbolSize: look.medium === "print" ? 4 : 6,
      silent: true,
      itemStyle: {color: "transparent", borderColor: look.soft, borderWidth: 1.2},
      data: kind.points.map((p) => [p.features[0]!, p.features[1]!]),
    },
    triangles(kind, kHigh, size, texts, look),
    triangles(kind, kLow, size, texts, look),
  ];
}

/** A figure over one width: the difference with what fit and measurement scatter. */
function over_one(kind: Kind, across: Span, look: Look): SeriesOption[] {
  const tests = tests_of(kind);
  return [
    rule_line([across.min, 0], [across.max, 0], look, {color: look.ink}),
    whiskers(
      tests.map((t) => {
        const reach = kNormal90 * difference_sd(t);
        return [t.features[0]!, difference_j(t) - reach, difference_j(t) + reach] as const;
      }),
      look.soft,
      {cap: 3},
    ),
    test_crosses(kind, tests, (t) => [t.features[0]!, difference_j(t)], look),
  ];
}

export function test_differences(kind: Kind, index: number): Figure {
  const tests = tests_of(kind);
  const two = kind.feature_names.length > 1;
  const differences = tests.flatMap((t) => {
    const reach = two ? 0 : kNormal90 * difference_sd(t);
    return [difference_j(t) - reach, difference_j(t) + reach];
  });
  const {unit, label} = scaled(differences, "J");
  const names = two ? [kHigh, kLow, kProfiled] : [];
  const says = finding(kind, tests);
  const tall = (look: Look) => (look.medium === "print" ? 180 : two ? 296 : 236);
  const widths = (axis: number) =>
    [...kind.points, ...tests].map((point) => point.features[axis]!);
  return {
    name: `tests-${kind_name(kind, index)}`,
    title: "Estimate less observation at test points",
    of: kind.title,
    finding: says,
    table: point_table(
      kind,
      tests.map((t) => test_row(t, difference_j(t), difference_sd(t))),
      ["difference", "± of it"],
    ),
    height: (look, width) =>
      legend_height(names, look, width, {points: true}) + look.size * 6.4 + tall(look),
    option: (look, width): EChartsOption => {
      const above = legend_height(names, look, width, {points: true});
      const across = span_of(widths(0));
      const up = two ? span_of(widths(1)) : linear_span(differences);
      const up_label = two ? String : label;
      const margins = {
        top: above + look.size * 2.4,
        left: label_room(up, up_label, look) + 4,
        right: look.size * (two ? 3.4 : 1.4),
        bottom: look.size * 4,
      };
      const plot = {across, up, width: width - margins.left - margins.right, height: tall(look)};
      return {
        ...base_option(look, says),
        legend: legend(look, names, {points: true}),
        grid: grid(look, margins),
        xAxis: x_axis(look, across, {name: kind.feature_names[0], label: String}),
        yAxis: y_axis(look, up, {
          name: two
            ? `${kind.feature_names[1]}; numbers in ${unit}`
            : `estimate less observation, ${unit} an iteration`,
          label: up_label,
        }),
        series: two ? over_two(kind, plot, look) : over_one(kind, across, look),
      } as EChartsOption;
    },
  };
}
