// Estimated and measured energy of the networks, and the budget they have to stay under.
import type {EChartsOption, ScatterSeriesOption} from "echarts";

import {percent, scaled, with_unit} from "../base/format";
import {grid, legend, legend_height, linear_span, wrapped_axis, x_axis} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import {kNarrow, text_width, type Look} from "../chart/look";
import {base_option, kEveryDigit} from "../chart/option";
import {mark} from "../chart/palette";
import {whiskers} from "../chart/shapes";
import type {Prune} from "../data/payload";
import {networks_of, type Named} from "../data/pruning";

const kEstimated = "estimated, with its upper bound";

function finding(prune: Prune): string {
  const {pruned, budget_j_per_iteration: budget} = prune;
  const measured = pruned.measured_j_per_iteration;
  if (measured == null)
    return `Nothing was measured: the pruned network is estimated to take ${percent(pruned.estimated_j_per_iteration.mean / budget)} of the budget of ${with_unit(budget, "J")} an iteration.`;
  return (
    `The pruned network takes ${with_unit(measured, "J")} an iteration (${prune.source}), ${percent(pruned.share_of_original)} of the original: ` +
    `${measured <= budget ? "inside" : "outside"} the budget of ${with_unit(budget, "J")} (${prune.budget}).`
  );
}

function points(networks: readonly Named[], look: Look, kind: string): ScatterSeriesOption {
  const is_measured = kind !== kEstimated;
  return {
    type: "scatter",
    name: kind,
    z: 6,
    symbol: is_measured ? "circle" : "diamond",
    symbolSize: look.medium === "print" ? 8 : 12,
    itemStyle: is_measured
      ? {color: mark(0, look.medium).color}
      : {color: look.paper, borderColor: mark(1, look.medium).color, borderWidth: 2},
    data: networks.flatMap(({title, network}, i) => {
      const value = is_measured
        ? network.measured_j_per_iteration
        : network.estimated_j_per_iteration.mean;
      if (value == null) return [];
      return [
        dot(
          [value, i],
          `${title}: ${network.model}`,
          is_measured
            ? `${kind} ${with_unit(value, "J")} an iteration`
            : `estimated ${with_unit(value, "J")}, at most ${with_unit(network.estimated_j_per_iteration.upper, "J")} (${percent(network.estimated_j_per_iteration.confidence, 0)})`,
        ),
      ];
    }),
  };
}

export function prune_budget(prune: Prune, name: string, of?: string): Figure {
  const networks = networks_of(prune);
  const energies = networks.flatMap(({network}) => [
    network.measured_j_per_iteration ?? 0,
    network.estimated_j_per_iteration.upper,
  ]);
  const {unit, label} = scaled([...energies, prune.budget_j_per_iteration], "J");
  const joules = (value: number) => with_unit(value, "J", 4);
  const names = [kEstimated, prune.source];
  const says = finding(prune);
  return {
    name,
    title: "Energy against the budget",
    of,
    finding: says,
    table: {
      columns: [
        {title: "network"},
        {title: "model"},
        {title: "estimated", format: joules},
        {title: "at most", format: joules},
        {title: prune.source, format: joules},
        {title: "of the original", format: percent},
      ],
      rows: networks.map(({title, network}) => [
        title,
        network.model,
        network.estimated_j_per_iteration.mean,
        network.estimated_j_per_iteration.upper,
        network.measured_j_per_iteration,
        network.share_of_original,
      ]),
    },
    height: (look, width) =>
      legend_height(names, look, width, {points: true}) +
      look.size * 7 +
      networks.length * look.size * 3,
    option: (look, width): EChartsOption => {
      const above = legend_height(names, look, width, {points: true});
      const left = Math.min(
        width * (width < kNarrow ? 0.34 : 0.3),
        Math.max(...networks.map(({title}) => text_width(title, look))) + 14,
      );
      return {
        ...base_option(look, says),
        legend: legend(look, names, {points: true}),
        grid: grid(look, {top: above + look.size * 1.8, left}),
        xAxis: x_axis(look, linear_span([...energies, prune.budget_j_per_iteration]), {
          name: `energy, ${unit} an iteration`,
          label,
        }),
        yAxis: {
          ...wrapped_axis(
            look,
            networks.map(({title}) => title),
            left,
          ),
          splitLine: {show: true, lineStyle: {color: look.rule}},
        },
        series: [
          {
            type: "line",
            data: [],
            silent: true,
            markLine: {
              silent: true,
              symbol: "none",
              precision: kEveryDigit,
              lineStyle: {color: look.warning, type: [6, 4], width: 2},
              label: {
                formatter: `budget ${with_unit(prune.budget_j_per_iteration, "J")}`,
                position: "start",
                color: look.ink,
                fontSize: look.size,
                fontFamily: look.font,
              },
              data: [{xAxis: prune.budget_j_per_iteration}],
            },
          },
          whiskers(
            networks.map(
              ({network}, i) =>
                [
                  i,
                  network.estimated_j_per_iteration.mean,
                  network.estimated_j_per_iteration.upper,
                ] as const,
            ),
            mark(1, look.medium).color,
            {horizontal: true, cap: 5, width: 2},
          ),
          points(networks, look, kEstimated),
          points(networks, look, prune.source),
        ],
      } as EChartsOption;
    },
  };
}
