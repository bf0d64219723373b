// What the same training costs on each device, side by side.
import type {EChartsOption} from "echarts";

import {scaled, with_unit} from "../base/format";
import {grid, linear_span, wrapped_axis, x_axis} from "../chart/axes";
import type {Figure} from "../chart/figure";
import {kNarrow, text_width, type Look} from "../chart/look";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";
import {whiskers} from "../chart/shapes";
import {origin_word} from "../data/origin";
import type {Interval, Source} from "../data/payload";

export interface DeviceCost {
  readonly name: string;
  readonly source: Source;
  readonly energy: Interval;
  readonly time: Interval;
}

function finding(rows: readonly DeviceCost[]): string {
  const by = (cost: (row: DeviceCost) => number) => [...rows].sort((a, b) => cost(a) - cost(b))[0]!;
  const cheapest = by((row) => row.energy.mean),
    fastest = by((row) => row.time.mean);
  const least = `${cheapest.name} takes the least energy, ${with_unit(cheapest.energy.mean, "J")}`;
  return cheapest === fastest
    ? `${least}, and the least time, ${with_unit(fastest.time.mean, "s")}.`
    : `${least}; ${fastest.name} the least time, ${with_unit(fastest.time.mean, "s")}.`;
}

/** Of at least one device. */
export function devices(rows: readonly DeviceCost[]): Figure {
  const says = finding(rows);
  const {unit, label} = scaled(
    rows.map((row) => row.energy.mean),
    "J",
  );
  const titles = rows.map(
    (row) => `${row.name} (${origin_word({source: row.source, estimated: true})})`,
  );
  const room = (look: Look, width: number) =>
    Math.min(width * 0.42, Math.max(...titles.map((each) => text_width(each, look))) * 1.1 + 24);
  return {
    name: "devices",
    title: "Energy by device",
    finding: says,
    wide: true,
    table: {
      columns: [
        {title: "device"},
        {title: "profile is"},
        {title: "energy", format: (v) => with_unit(v, "J", 4)},
        {title: "low", format: (v) => with_unit(v, "J", 4)},
        {title: "high", format: (v) => with_unit(v, "J", 4)},
        {title: "time", format: (v) => with_unit(v, "s", 4)},
        {title: "power", format: (v) => with_unit(v, "W")},
      ],
      rows: rows.map(({name, source, energy, time}) => [
        name,
        source,
        energy.mean,
        energy.low,
        energy.high,
        time.mean,
        energy.mean / time.mean,
      ]),
    },
    height: (look, width) =>
      look.size * 5 + rows.length * look.size * (width < kNarrow ? 4.4 : 3.2),
    option: (look, width): EChartsOption => {
      const left = room(look, width);
      const span = linear_span(
        rows.map((row) => row.energy.high),
        width < kNarrow ? 3 : 5,
      );
      const style = mark(0, look.medium);
      return {
        ...base_option(look, says),
        grid: grid(look, {top: 4, left, right: look.size * 2, bottom: look.size * 3.6}),
        xAxis: x_axis(look, span, {name: `energy, ${unit}`, label}),
        yAxis: wrapped_axis(look, titles, left),
        series: [
          {
            type: "bar",
            barWidth: "52%",
            itemStyle: {color: style.color},
            data: rows.map(({energy, time}, i) => ({
              value: energy.mean,
              tip: `${titles[i]}\n${with_unit(energy.mean, "J")} (${with_unit(energy.low, "J")} to ${with_unit(energy.high, "J")})\n${with_unit(time.mean, "s")}`,
            })),
          },
          whiskers(
            rows.map(({energy}, i) => [i, energy.low, energy.high] as const),
            look.ink,
            {horizontal: true, cap: 5},
          ),
        ],
      } as EChartsOption;
    },
  };
}
