// What is left between points and fit, in the order the points were measured.
import type {EChartsOption} from "echarts";

import {scaled, with_unit} from "../base/format";
import {mean} from "../base/statistics";
import {grid, label_room, linear_span, x_axis, y_axis} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";
import {rule_line, whiskers} from "../chart/shapes";
import {features_text, in_order_chosen, kind_name} from "../data/kind";
import type {Kind} from "../data/payload";
import {point_row, point_table} from "./point_table";

export function residuals(kind: Kind, index: number): Figure {
  const rows = in_order_chosen(kind).flatMap((p, i) =>
    p.fitted_j == null
      ? []
      : [
          {
            point: p,
            place: p.order ?? i + 1,
            rest: p.energy_j - p.fitted_j,
            noise: p.energy_sd ?? 0,
          },
        ],
  );
  const inside = rows.filter(({rest, noise}) => Math.abs(rest) <= 1.645 * noise).length;
  const values = rows.flatMap(({rest, noise}) => [rest - 1.645 * noise, rest + 1.645 * noise]);
  const {unit, label} = scaled(values, "J");
  const says =
    `Points are ${with_unit(mean(rows.map(({rest}) => Math.abs(rest))), "J")} from the fit on average; ` +
    `${inside} of ${rows.length} within what 90 % of measurements scatter.`;
  return {
    name: `residuals-${kind_name(kind, index)}`,
    title: "Measured less fitted",
    of: kind.title,
    finding: says,
    table: point_table(
      kind,
      rows.map(({point, place, rest}) => point_row({...point, order: place}, rest)),
      ["difference"],
    ),
    height: (look) => (look.medium === "print" ? 220 : 300),
    option: (look): EChartsOption => {
      const span = linear_span(values);
      const style = mark(0, look.medium);
      const across = [0.5, Math.max(...rows.map(({place}) => place)) + 0.5] as const;
      const ticks = linear_span([0, across[1]], 8).ticks.filter(
        (tick) => tick % 1 === 0 && tick > 0,
      );
      return {
        ...base_option(look, says),
        grid: grid(look, {top: look.size * 2.4, left: label_room(span, label, look)}),
        xAxis: x_axis(
          look,
          {log: false, min: across[0], max: across[1], ticks},
          {name: "point, in the order of measuring", label: String},
        ),
        yAxis: y_axis(look, span, {name: `measured less fitted, ${unit}`, label}),
        series: [
          rule_line([across[0], 0], [across[1], 0], look, {color: look.ink}),
          whiskers(
            rows.map(
              ({place, rest, noise}) =>
                [place, rest - 1.645 * noise, rest + 1.645 * noise] as const,
            ),
            style.color,
            {cap: 3, opacity: 0.7},
          ),
          {
            type: "scatter",
            z: 5,
            symbol: "circle",
            symbolSize: look.medium === "print" ? 5 : 8,
            itemStyle: {color: style.color},
            data: rows.map(({point, place, rest}) =>
              dot(
                [place, rest],
                `point ${place}: ${features_text(kind, point.features)}`,
                `measured ${with_unit(point.energy_j, "J")}, fitted ${with_unit(point.fitted_j, "J")}`,
              ),
            ),
          },
        ],
      } as EChartsOption;
    },
  };
}
