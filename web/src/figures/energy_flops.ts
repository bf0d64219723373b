// Energy against FLOPs of one kind (Fig. 5 of the paper): seldom a straight line.
import type {EChartsOption} from "echarts";

import {scaled, whole, with_unit} from "../base/format";
import {extent} from "../base/statistics";
import {grid, label_room, linear_span, log_span, x_axis, y_axis} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";
import {features_text, kind_name} from "../data/kind";
import type {Kind} from "../data/payload";

function round(ratio: number): string {
  const two = Number(ratio.toPrecision(2));
  return two >= 10 ? whole(two) : String(two);
}

export function energy_flops(kind: Kind, index: number): Figure {
  const rows = kind.points.flatMap((point) =>
    point.training_flops ? [{point, flops: point.training_flops}] : [],
  );
  const energies = rows.map(({point}) => point.energy_j);
  const {unit, label} = scaled(energies, "J");
  const [few, many] = extent(rows.map(({flops}) => flops));
  const [least, most] = extent(energies);
  const says =
    `${round(many / few)} times the FLOPs cost ` +
    (least > 0
      ? `up to ${round(most / least)} times the energy.`
      : `between ${with_unit(least, "J")} and ${with_unit(most, "J")}.`);
  return {
    name: `flops-${kind_name(kind, index)}`,
    title: "Energy against FLOPs",
    of: kind.title,
    finding: says,
    table: {
      columns: [
        ...kind.feature_names.map((title) => ({title})),
        {title: "FLOPs of an iteration", format: (v) => with_unit(v, "FLOP")},
        {title: "energy", format: (v) => with_unit(v, "J", 4)},
        {title: "time", format: (v) => with_unit(v, "s", 4)},
      ],
      rows: rows.map(({point, flops}) => [...point.features, flops, point.energy_j, point.time_s]),
    },
    height: (look) => (look.medium === "print" ? 220 : 300),
    option: (look): EChartsOption => {
      const span = least > 0 && most / least > 5 ? log_span(energies) : linear_span(energies);
      const style = mark(0, look.medium);
      return {
        ...base_option(look, says),
        grid: grid(look, {top: look.size * 2.4, left: label_room(span, label, look)}),
        xAxis: x_axis(
          look,
          log_span(
            rows.map(({flops}) => flops),
            5,
          ),
          {name: "FLOPs of an iteration", label: (value) => with_unit(value, "", 1).trim()},
        ),
        yAxis: y_axis(look, span, {name: `energy, ${unit} an iteration`, label}),
        series: [
          {
            type: "scatter",
            symbol: "circle",
            symbolSize: look.medium === "print" ? 5 : 9,
            itemStyle: {color: style.color, opacity: 0.85},
            data: rows.map(({point, flops}) =>
              dot(
                [flops, point.energy_j],
                features_text(kind, point.features),
                `${with_unit(flops, "FLOP")}, ${with_unit(point.energy_j, "J")}`,
              ),
            ),
          },
        ],
      } as EChartsOption;
    },
  };
}
