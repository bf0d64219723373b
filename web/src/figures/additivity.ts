// Energy against the number of equal hidden layers (Fig. 2 of the paper): a straight line where costs add up.
import type {EChartsOption, LineSeriesOption} from "echarts";

import {percent, scaled, with_unit} from "../base/format";
import {line_through, mean} from "../base/statistics";
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
import {dot, type Figure} from "../chart/figure";
import type {Look} from "../chart/look";
import {base_option} from "../chart/option";
import {rule_line} from "../chart/shapes";
import {cell_name, cell_title, measured_j, measured_networks} from "../data/evaluation";
import {method_mark, method_title} from "../data/methods";
import type {EvaluatedNetwork, Evaluation} from "../data/payload";

const kDefaultLayers = 8; // of a conv_stack that does not say
const kMeasured = "measured";
const kLine = "straight line";

interface Stack {
  readonly layers: number;
  readonly network: EvaluatedNetwork;
}

/** Equal but for their number of layers; empty where the evaluation is of something else. */
function stacks_of(evaluation: Evaluation): Stack[] {
  const networks = measured_networks(evaluation);
  if (networks.length < 3 || !networks.every((network) => /^conv_stack\b/.test(network.model)))
    return [];
  const others = new Set(
    networks.map((network) => network.model.replace(/layers=\d+,?/, "").replace(/[:,]$/, "")),
  );
  if (others.size !== 1) return [];
  return networks
    .map((network) => ({
      layers: Number(/layers=(\d+)/.exec(network.model)?.[1] ?? kDefaultLayers),
      network,
    }))
    .sort((a, b) => a.layers - b.layers);
}

export function shows_additivity(evaluation: Evaluation): boolean {
  return stacks_of(evaluation).length > 0;
}

function measured_series(stacks: readonly Stack[], look: Look): LineSeriesOption {
  return {
    type: "line",
    name: kMeasured,
    symbol: "circle",
    symbolSize: 9,
    showAllSymbol: true,
    z: 6,
    lineStyle: {width: 0},
    itemStyle: {color: look.paper, borderColor: look.ink, borderWidth: 2},
    data: stacks.map(({layers, network}) =>
      dot(
        [layers, measured_j(network)],
        `${layers} hidden layers`,
        `measured ${with_unit(measured_j(network), "J")}`,
      ),
    ),
  };
}

function estimated_series(stacks: readonly Stack[], method: string, look: Look): LineSeriesOption {
  const mark = method_mark(method, look.medium);
  return {
    type: "line",
    name: method_title(method),
    symbol: mark.symbol,
    symbolSize: 7,
    showAllSymbol: true,
    lineStyle: {color: mark.color, type: mark.dash, width: 1.8},
    itemStyle: {color: mark.color},
    data: stacks.flatMap(({layers, network}) => {
      const estimate = network.estimates[method];
      return estimate
        ? [
            dot(
              [layers, estimate.mean],
              `${layers} hidden layers`,
              `${method_title(method)} ${with_unit(estimate.mean, "J")}`,
            ),
          ]
        : [];
    }),
  };
}

function finding(stacks: readonly Stack[], slope: number, intercept: number): string {
  const off = mean(
    stacks.map(({layers, network}) =>
      Math.abs((slope * layers + intercept) / measured_j(network) - 1),
    ),
  );
  const power = stacks.flatMap(({network}) => {
    const estimate = network.estimates["neuralpower"];
    return estimate ? [estimate.mean / measured_j(network) - 1] : [];
  });
  const sum =
    power.length > 0
      ? ` The sum of single layers, NeuralPower, is ${percent(Math.abs(mean(power)))} ${mean(power) < 0 ? "too low" : "too high"}.`
      : "";
  return `Each further layer adds ${with_unit(slope, "J")}; a straight line is ${percent(off)} off on average.${sum}`;
}

export function additivity(evaluation: Evaluation, methods: readonly string[]): Figure {
  const stacks = stacks_of(evaluation);
  const shown = methods.filter((method) => stacks.some(({network}) => network.estimates[method]));
  const [slope, intercept] = line_through(
    stacks.map(({layers}) => layers),
    stacks.map(({network}) => measured_j(network)),
  );
  const energies = stacks.flatMap(({network}) => [
    measured_j(network),
    ...shown.flatMap((m) => network.estimates[m]?.mean ?? []),
  ]);
  const {unit, label} = scaled(energies, "J");
  const names = [kMeasured, kLine, ...shown.map(method_title)];
  const joules = (value: number) => with_unit(value, "J", 4);
  const says = finding(stacks, slope, intercept);
  return {
    name: `additivity-${cell_name(evaluation)}`,
    title: "Do layers add up?",
    of: cell_title(evaluation),
    finding: says,
    table: {
      columns: [
        {title: "hidden layers"},
        {title: kMeasured, format: joules},
        ...shown.map((m) => ({title: method_title(m), format: joules})),
      ],
      rows: stacks.map(({layers, network}) => [
        layers,
        measured_j(network),
        ...shown.map((m) => network.estimates[m]?.mean ?? null),
      ]),
    },
    height: (look, width) =>
      legend_height(names, look, width) + (look.medium === "print" ? 240 : 340),
    option: (look, width): EChartsOption => {
      const above = legend_height(names, look, width);
      const span = linear_span(energies);
      const across = linear_span(stacks.map(({layers}) => layers));
      return {
        ...base_option(look, says),
        legend: legend(look, names, {icons: {[kLine]: kSolidIcon}}),
        grid: grid(look, {top: above + look.size * 2.2, left: label_room(span, label, look)}),
        xAxis: x_axis(look, across, {name: "equal hidden layers", label: String}),
        yAxis: y_axis(look, span, {name: `energy, ${unit} an iteration`, label}),
        series: [
          rule_line(
            [across.min, slope * across.min + intercept],
            [across.max, slope * across.max + intercept],
            look,
            {name: kLine},
          ),
          measured_series(stacks, look),
          ...shown.map((method) => estimated_series(stacks, method, look)),
        ],
      } as EChartsOption;
    },
  };
}
