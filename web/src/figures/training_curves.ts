// Loss and accuracy after every epoch, over the energy that went into training until then (Fig. 13 of the paper).
import type {EChartsOption} from "echarts";

import {percent, plain, scaled, with_unit} from "../base/format";
import {grid, label_room, legend, legend_height, linear_span, x_axis, y_axis} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";
import type {Prune} from "../data/payload";
import {networks_of} from "../data/pruning";

interface Step {
  readonly epoch: number;
  readonly energy: number;
  readonly loss: number;
  readonly accuracy: number | null;
  readonly test_loss: number | null;
}

interface Course {
  readonly title: string;
  readonly steps: readonly Step[];
}

function courses_of(prune: Prune): Course[] {
  return networks_of(prune).flatMap(({title, network}) => {
    if (!network.epochs?.length) return [];
    let energy = 0;
    const steps = network.epochs.map((epoch, i) => {
      energy += epoch.energy_j ?? 0;
      return {
        epoch: i + 1,
        energy,
        loss: epoch.loss,
        accuracy: epoch.test?.accuracy ?? null,
        test_loss: epoch.test?.loss ?? null,
      };
    });
    return [{title, steps}];
  });
}

export function shows_training(prune: Prune): boolean {
  return courses_of(prune).length > 0;
}

interface Measure {
  readonly name: string;
  readonly title: string;
  readonly axis: string;
  readonly from_zero: boolean;
  value(step: Step): number | null;
  write(value: number): string;
}

const kLoss: Measure = {
  name: "loss",
  title: "Loss over training energy",
  axis: "loss on the test set",
  from_zero: true,
  value: (step) => step.test_loss ?? step.loss,
  write: (value) => plain(value, 3),
};
const kAccuracy: Measure = {
  name: "accuracy",
  title: "Accuracy over training energy",
  axis: "accuracy on the test set",
  from_zero: false,
  value: (step) => step.accuracy,
  write: (value) => percent(value),
};

function curve(prune: Prune, measure: Measure, name: string, of?: string): Figure {
  const courses = courses_of(prune);
  const names = courses.map(({title}) => title);
  const {unit, label} = scaled(
    courses.flatMap(({steps}) => steps.map((step) => step.energy)),
    "J",
  );
  const values = courses.flatMap(({steps}) => steps.flatMap((step) => measure.value(step) ?? []));
  const last = courses.map(({title, steps}) => {
    const end = steps[steps.length - 1]!;
    const value = measure.value(end);
    return `${title} ends at ${value == null ? "–" : measure.write(value)} after ${with_unit(end.energy, "J")}`;
  });
  const says = `${last.slice(0, 2).join("; ")}.`;
  return {
    name: `${name}-${measure.name}`,
    title: measure.title,
    of,
    finding: says,
    table: {
      columns: [
        {title: "network"},
        {title: "epoch"},
        {title: "energy so far", format: (v) => with_unit(v, "J", 4)},
        {title: "loss in training", format: (v) => plain(v, 4)},
        {title: "loss on the test set", format: (v) => plain(v, 4)},
        {title: "accuracy", format: percent},
      ],
      rows: courses.flatMap(({title, steps}) =>
        steps.map((step) => [
          title,
          step.epoch,
          step.energy,
          step.loss,
          step.test_loss,
          step.accuracy,
        ]),
      ),
    },
    height: (look, width) =>
      legend_height(names, look, width) + (look.medium === "print" ? 220 : 310),
    option: (look, width): EChartsOption => {
      const above = legend_height(names, look, width);
      const span = linear_span(values, 5, measure.from_zero);
      return {
        ...base_option(look, says),
        legend: legend(look, names),
        grid: grid(look, {
          top: above + look.size * 2.2,
          left: label_room(span, measure.write, look),
        }),
        xAxis: x_axis(
          look,
          linear_span(courses.flatMap(({steps}) => steps.map((step) => step.energy))),
          {
            name: `energy of training, ${unit}`,
            label,
          },
        ),
        yAxis: y_axis(look, span, {name: measure.axis, label: measure.write}),
        series: courses.map(({title, steps}, i) => {
          const style = mark(i === 0 ? 2 : i - 1, look.medium);
          return {
            type: "line",
            name: title,
            symbol: style.symbol,
            symbolSize: 8,
            showAllSymbol: true,
            lineStyle: {color: style.color, type: style.dash, width: 2},
            itemStyle: {color: style.color},
            data: steps.flatMap((step) => {
              const value = measure.value(step);
              return value == null
                ? []
                : [
                    dot(
                      [step.energy, value],
                      `${title}, epoch ${step.epoch}`,
                      `${measure.write(value)} after ${with_unit(step.energy, "J")}`,
                    ),
                  ];
            }),
          };
        }),
      } as EChartsOption;
    },
  };
}

export function training_curves(prune: Prune, name: string, of?: string): Figure[] {
  const tested = courses_of(prune).some(({steps}) => steps.some((step) => step.accuracy != null));
  return [...(tested ? [curve(prune, kAccuracy, name, of)] : []), curve(prune, kLoss, name, of)];
}
