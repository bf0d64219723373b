// Ways to train on the same samples: time against energy, and those that no other beats.
import type {EChartsOption} from "echarts";

import {scaled, with_unit} from "../base/format";
import {
  grid,
  label_room,
  legend,
  legend_height,
  log_span,
  place_on,
  plot_of,
  x_axis,
  y_axis,
} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import {inside, type Box, type Side} from "../chart/labels";
import type {Look} from "../chart/look";
import {base_option} from "../chart/option";
import {mark} from "../chart/palette";
import {rule_line, whiskers} from "../chart/shapes";
import {cost_cells, cost_columns} from "../chart/table";
import type {Alternative, Choices, Costs} from "../data/payload";

interface Row {
  readonly index: number;
  readonly alternative: Alternative;
  readonly energy: Costs;
  readonly time: Costs;
}

interface Group {
  readonly name: string;
  readonly color: number;
  readonly rows: readonly Row[];
}

function rows_of(choices: Choices): Row[] {
  return choices.alternatives.flatMap((alternative, index) =>
    alternative.energy_j && alternative.time_s
      ? [{index, alternative, energy: alternative.energy_j, time: alternative.time_s}]
      : [],
  );
}

export function shows_front(choices: Choices): boolean {
  return rows_of(choices).length > 0;
}

function groups_of(rows: readonly Row[]): Group[] {
  const fits = (row: Row) => row.alternative.inside.memory !== "outside";
  return [
    {name: "no other is better in both", color: 0, rows: rows.filter((row) => row.alternative.front)},
    {
      name: "others",
      color: 2,
      rows: rows.filter((row) => !row.alternative.front && fits(row)),
    },
    {name: "does not fit into memory", color: 1, rows: rows.filter((row) => !fits(row))},
  ].filter((group) => group.rows.length > 0);
}

function finding(choices: Choices): string {
  const named = (at: number | null) => (at == null ? undefined : choices.alternatives[at]?.name);
  const energy = named(choices.least_energy),
    time = named(choices.least_time);
  if (!energy || !time) return "Nothing fits into memory.";
  if (energy === time) return `${energy} takes the least energy and the least time.`;
  const knee = named(choices.knee);
  return `${energy} takes the least energy, ${time} the least time${knee ? `; ${knee} is the knee` : ""}.`;
}

function marks_of(choices: Choices, row: Row): string {
  const marks = [
    ...(row.index === choices.best ? ["best"] : []),
    ...(row.index === choices.knee ? ["knee"] : []),
    ...(row.alternative.front ? ["front"] : row.alternative.maybe_front ? ["maybe front"] : []),
    ...(row.alternative.inside.memory === "outside" ? ["does not fit"] : []),
    ...(row.alternative.inside.memory === "uncertain" ? ["may not fit"] : []),
  ];
  return marks.join(", ");
}

/** Only those that one may want are named in the picture. */
function named(choices: Choices, rows: readonly Row[]): Row[] {
  const wanted = [choices.best, choices.least_energy, choices.least_time, choices.knee];
  return rows
    .filter((row) => wanted.includes(row.index))
    .sort((a, b) => wanted.indexOf(a.index) - wanted.indexOf(b.index));
}

const mark_size = (look: Look) => (look.medium === "print" ? 6 : 10);

/** Where each name stands, from the upper left corner of its mark, by the index of the alternative. */
function name_places(
  choices: Choices,
  rows: readonly Row[],
  pixel: (row: Row) => {x: number; y: number},
  plot: Box,
  look: Look,
): Map<number, [number, number]> {
  const shown = named(choices, rows);
  const marks = shown.map((row) => ({
    ...pixel(row),
    size: mark_size(look),
    text: row.alternative.name,
    side: side_of(choices, row),
  }));
  const places = new Map<number, [number, number]>();
  inside(marks, plot, look).forEach((box, i) => {
    const {x, y, size} = marks[i]!;
    if (box) places.set(shown[i]!.index, [box.left - x + size / 2, box.top - y + size / 2]);
  });
  return places;
}

/** The ends of a front lie near each other where its middle is named too. */
function side_of(choices: Choices, row: Row): Side {
  if (row.index === choices.least_energy) return "bottom";
  return row.index === choices.least_time ? "top" : "right";
}

function points(
  choices: Choices,
  group: Group,
  places: ReadonlyMap<number, [number, number]>,
  look: Look,
): object {
  const style = mark(group.color, look.medium);
  return {
    type: "scatter",
    name: group.name,
    symbol: style.symbol,
    symbolSize: mark_size(look),
    itemStyle: {color: style.color},
    label: {
      formatter: (at: {dataIndex: number}) => group.rows[at.dataIndex]!.alternative.name,
      color: look.ink,
      fontSize: look.size,
      fontFamily: look.font,
      align: "left",
      verticalAlign: "top",
    },
    z: 4,
    data: group.rows.map((row) => ({
      ...dot(
        [row.time.mean, row.energy.mean],
        row.alternative.name,
        `${with_unit(row.time.mean, "s")}, ${with_unit(row.energy.mean, "J")}`,
        marks_of(choices, row),
      ),
      label: {show: places.has(row.index), position: places.get(row.index)},
    })),
  };
}

/** What the energies of those that ran are called; nothing where none did. */
function found_word(choices: Choices): string | null {
  const known = (choices.checked?.measured ?? []).filter((each) => each.energy_j != null);
  if (known.length === 0) return null;
  const sources = new Set(known.map((each) => each.source ?? "measured"));
  return sources.size === 1 ? [...sources][0]! : "measured or modelled";
}

/** Those that ran, as hollow marks. */
function found(choices: Choices, look: Look): object[] {
  const word = found_word(choices);
  const known = (choices.checked?.measured ?? []).filter(
    (each) => each.energy_j != null && each.time_s != null,
  );
  if (word === null || known.length === 0) return [];
  return [
    {
      type: "scatter",
      name: word,
      symbol: "emptyCircle",
      symbolSize: look.medium === "print" ? 7 : 12,
      itemStyle: {color: look.ink},
      z: 5,
      data: known.map((each) =>
        dot(
          [each.time_s!, each.energy_j!],
          `${each.name}, ${each.source ?? word}`,
          `${with_unit(each.time_s!, "s")}, ${with_unit(each.energy_j!, "J")}`,
        ),
      ),
    },
  ];
}

function front_lines(rows: readonly Row[], look: Look): object[] {
  const front = rows
    .filter((row) => row.alternative.front)
    .sort((a, b) => a.time.mean - b.time.mean);
  return front
    .slice(1)
    .map((row, i) =>
      rule_line(
        [front[i]!.time.mean, front[i]!.energy.mean],
        [row.time.mean, row.energy.mean],
        look,
        {dash: [4, 3]},
      ),
    );
}

export function pareto(choices: Choices, name: string, of?: string): Figure {
  const rows = rows_of(choices);
  const groups = groups_of(rows);
  const names = [...groups.map((group) => group.name), found_word(choices) ?? []].flat();
  const times = scaled(
    rows.map((row) => row.time.mean),
    "s",
  );
  const joules = scaled(
    rows.map((row) => row.energy.mean),
    "J",
  );
  const says = finding(choices);
  const height = (look: Look, width: number) =>
    legend_height(names, look, width, {points: true}) + (look.medium === "print" ? 260 : 380);
  return {
    name,
    title: "Time against energy",
    of,
    finding: says,
    wide: true,
    table: {
      columns: [
        {title: "alternative"},
        ...cost_columns("energy", "energy"),
        ...cost_columns("time", "time"),
        {title: "memory", format: (v) => with_unit(v, "B")},
        {title: "marks"},
      ],
      rows: rows.map((row) => [
        row.alternative.name,
        ...cost_cells(row.energy),
        ...cost_cells(row.time),
        row.alternative.peak_memory_bytes,
        marks_of(choices, row),
      ]),
    },
    height,
    option: (look, width): EChartsOption => {
      const ends = (costs: (row: Row) => Costs) =>
        rows.flatMap((row) => [costs(row).low, costs(row).high]).filter((value) => value > 0);
      const energies = log_span(ends((row) => row.energy));
      const margins = grid(look, {
        top: legend_height(names, look, width, {points: true}) + look.size * 2.2,
        left: label_room(energies, joules.label, look),
      });
      const plot = plot_of(margins, width, height(look, width));
      const spent = log_span(ends((row) => row.time));
      const pixel = (row: Row) => ({
        x: place_on(spent, row.time.mean, plot.left, plot.right),
        y: place_on(energies, row.energy.mean, plot.bottom, plot.top),
      });
      const places = name_places(choices, rows, pixel, plot, look);
      return {
        ...base_option(look, says),
        legend: legend(look, names, {points: true}),
        grid: margins,
        xAxis: x_axis(look, spent, {name: `time, ${times.unit}`, label: times.label}),
        yAxis: y_axis(look, energies, {name: `energy, ${joules.unit}`, label: joules.label}),
        series: [
          whiskers(
            rows.map((row) => [row.time.mean, row.energy.low, row.energy.high]),
            look.soft,
            {opacity: 0.6},
          ),
          whiskers(
            rows.map((row) => [row.energy.mean, row.time.low, row.time.high]),
            look.soft,
            {horizontal: true, opacity: 0.6},
          ),
          ...front_lines(rows, look),
          ...groups.map((group) => points(choices, group, places, look)),
          ...found(choices, look),
        ],
      } as EChartsOption;
    },
  };
}
