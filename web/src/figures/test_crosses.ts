// Test points in the figures of a fit: red crosses, told from the profiled dots without colour too.
import type {ScatterSeriesOption} from "echarts";

import {counted, percent, signed_percent, with_unit} from "../base/format";
import {dot} from "../chart/figure";
import type {Look} from "../chart/look";
import {test_mark} from "../chart/palette";
import {features_text} from "../data/kind";
import type {Kind, KindTest} from "../data/payload";
import {mean_difference, tests_of} from "../data/tests";

export const kProfiled = "profiled";
export const kTests = "test points";

/** What is said of a test. */
export function test_tip(kind: Kind, test: KindTest): [string, string] {
  return [
    `${features_text(kind, test.features)}, test point`,
    `measured ${with_unit(test.energy_j, "J")}, estimated ${with_unit(test.estimated_j.mean, "J")} (${signed_percent(test.relative_difference)})`,
  ];
}

/** What stands behind the finding of a figure that shows them; nothing where there are none. */
export function tests_text(kind: Kind): string {
  const tests = tests_of(kind);
  const off = mean_difference(tests);
  if (off == null) return "";
  return ` At ${counted(tests.length, "test point")} (crosses) it is ${percent(off)} off.`;
}

export function test_crosses(
  kind: Kind,
  tests: readonly KindTest[],
  place: (test: KindTest, index: number) => number[],
  look: Look,
): ScatterSeriesOption {
  const {color, symbol} = test_mark(look.medium);
  return {
    type: "scatter",
    name: kTests,
    z: 6,
    symbol,
    symbolSize: look.medium === "print" ? 7 : 10,
    itemStyle: {color, borderColor: look.paper, borderWidth: 0.8},
    encode: {x: 0, y: 1},
    data: tests.map((test, i) => dot(place(test, i), ...test_tip(kind, test))),
  };
}
