// The power of this machine's meters over the last minute.
import type {EChartsOption} from "echarts";

import {scaled, with_unit} from "../base/format";
import {grid, label_room, legend, legend_height, linear_span, x_axis, y_axis} from "../chart/axes";
import type {Figure} from "../chart/figure";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";

export interface PowerTrace {
  readonly name: string;
  /** [seconds before now, watts]; null where the meter gave nothing. */
  readonly points: readonly (readonly [number, number | null])[];
}

export const kPowerSeconds = 60;

/** Of at least one trace. */
export function live_power(traces: readonly PowerTrace[]): Figure {
  const known = traces.flatMap(({points}) => points.flatMap(([, power]) => power ?? []));
  const names = traces.map(({name}) => name);
  const watts = scaled(known, "W");
  const says = `${names.length === 1 ? "The meter" : "Each meter"} is read once per second while this page is in sight.`;
  return {
    name: "power",
    title: "Power over the last minute",
    finding: says,
    wide: true,
    table: {
      columns: [
        {title: "domain"},
        {title: "seconds ago"},
        {title: "power", format: (v) => with_unit(v, "W", 4)},
      ],
      rows: traces.flatMap(({name, points}) =>
        points.map(([ago, power]) => [name, Math.round(ago), power]),
      ),
    },
    height: (look, width) => legend_height(names, look, width) + 280,
    option: (look, width): EChartsOption => {
      const above = legend_height(names, look, width);
      const span = linear_span(known);
      return {
        ...base_option(look, says),
        legend: legend(look, names),
        grid: grid(look, {
          top: above + look.size * 2.4,
          left: label_room(span, watts.label, look),
        }),
        xAxis: x_axis(look, linear_span([-kPowerSeconds, 0]), {
          name: "seconds before now",
          label: (value) => String(-value),
        }),
        yAxis: {
          ...y_axis(look, span, {name: `power, ${watts.unit}`, label: watts.label}),
          axisLine: {onZero: false, lineStyle: {color: look.soft}}, // now is on the right, the axis is not
        },
        series: traces.map(({name, points}, i) => {
          const style = mark(i, look.medium);
          return {
            type: "line" as const,
            name,
            symbol: "none",
            lineStyle: {color: style.color, width: 1.8, type: style.dash},
            itemStyle: {color: style.color},
            data: points.map(([ago, power]) => [-ago, power]),
          };
        }),
      } as EChartsOption;
    },
  };
}
