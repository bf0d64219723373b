// The power of all devices together, against the cap.
import type {EChartsOption} from "echarts";

import {scaled, with_unit} from "../base/format";
import {
  grid,
  kSolidIcon,
  label_room,
  legend,
  legend_height,
  linear_span,
  x_axis,
  y_axis,
} from "../chart/axes";
import type {Figure} from "../chart/figure";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";
import {rule_line} from "../chart/shapes";
import type {FleetContent} from "../data/payload";

const kReported = "as the jobs reported it",
  kMost = "at most, by the estimates",
  kCap = "power cap";

export function fleet_power(content: FleetContent): Figure {
  const {power, cap_w} = content;
  const end = Math.max(0, ...power.map(({at_s}) => at_s));
  const highest = Math.max(0, ...power.map(({most_w}) => most_w));
  const reported = Math.max(0, ...power.map(({power_w}) => power_w));
  const time = scaled([end], "s"),
    watts = scaled([highest, cap_w ?? 0], "W");
  const names = [kReported, kMost, ...(cap_w == null ? [] : [kCap])];
  const says =
    `The jobs together reported ${with_unit(reported, "W")} at most; their upper bounds add up to ` +
    `${with_unit(highest, "W")}${cap_w == null ? ", and nobody keeps a cap." : ` of ${with_unit(cap_w, "W")}.`}`;
  return {
    name: "power",
    title: "Power of all devices",
    finding: says,
    wide: true,
    table: {
      columns: [
        {title: "time", format: (v) => with_unit(v, "s", 4)},
        {title: kReported, format: (v) => with_unit(v, "W", 4)},
        {title: kMost, format: (v) => with_unit(v, "W", 4)},
      ],
      rows: power.map(({at_s, power_w, most_w}) => [at_s, power_w, most_w]),
    },
    height: (look, width) =>
      legend_height(names, look, width) + (look.medium === "print" ? 200 : 280),
    option: (look, width): EChartsOption => {
      const above = legend_height(names, look, width);
      const span = linear_span([highest, cap_w ?? 0]);
      const steps = (name: string, i: number, value: (row: (typeof power)[number]) => number) => ({
        type: "line" as const,
        name,
        step: "end" as const,
        symbol: "none",
        lineStyle: {color: mark(i, look.medium).color, width: 1.6},
        itemStyle: {color: mark(i, look.medium).color},
        data: power.map((row) => [row.at_s, value(row)]),
      });
      return {
        ...base_option(look, says),
        legend: legend(look, names, {icons: {[kCap]: kSolidIcon}}),
        grid: grid(look, {
          top: above + look.size * 2.4,
          left: label_room(span, watts.label, look),
        }),
        xAxis: x_axis(look, linear_span([0, end]), {
          name: `time since the first job began, ${time.unit}`,
          label: time.label,
        }),
        yAxis: y_axis(look, span, {name: `power, ${watts.unit}`, label: watts.label}),
        series: [
          steps(kReported, 0, (row) => row.power_w),
          steps(kMost, 1, (row) => row.most_w),
          ...(cap_w == null
            ? []
            : [rule_line([0, cap_w], [end, cap_w], look, {name: kCap, color: look.ink})]),
        ],
      } as EChartsOption;
    },
  };
}
