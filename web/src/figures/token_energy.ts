// What a new token costs over the batch and the length of the context, as a map.
import type {EChartsOption} from "echarts";

import {scaled, whole, with_unit} from "../base/format";
import {extent} from "../base/statistics";
import {category_axis, grid} from "../chart/axes";
import {dot, type Figure} from "../chart/figure";
import {text_width, type Look} from "../chart/look";
import {base_option} from "../chart/option";
import {heat_scale} from "../chart/scale";
import {cost_cells, cost_columns} from "../chart/table";
import type {ContextCost, Generation, GenerationBatch} from "../data/payload";

interface Tile {
  readonly batch: GenerationBatch;
  readonly cost: ContextCost;
}

function tiles_of(generation: Generation): Tile[] {
  return generation.batches.flatMap((batch) => batch.contexts.map((cost) => ({batch, cost})));
}

export function shows_tokens(generation: Generation): boolean {
  return tiles_of(generation).length > 0;
}

function contexts_of(tiles: readonly Tile[]): number[] {
  return [...new Set(tiles.map((tile) => tile.cost.context))].sort((a, b) => a - b);
}

function finding(tiles: readonly Tile[]): string {
  const by_energy = [...tiles].sort(
    (a, b) => a.cost.energy_j_per_token.mean - b.cost.energy_j_per_token.mean,
  );
  const text = (tile: Tile) =>
    `${with_unit(tile.cost.energy_j_per_token.mean, "J")} at batch ${tile.batch.batch} and a context of ` +
    `${whole(tile.cost.context)} tokens`;
  const least = by_energy[0]!,
    most = by_energy[by_energy.length - 1]!;
  return least === most
    ? `A new token costs ${text(least)}.`
    : `A new token costs between ${text(least)} and ${text(most)}.`;
}

/** Light tiles need dark letters. */
function letters(share: number): string {
  return share > 0.45 ? "#ffffff" : "#000000";
}

export function token_energy(generation: Generation, name: string, of?: string): Figure {
  const tiles = tiles_of(generation);
  const contexts = contexts_of(tiles);
  const batches = generation.batches.map((batch) => batch.batch);
  const energies = tiles.map((tile) => tile.cost.energy_j_per_token.mean);
  const {unit, label} = scaled(energies, "J");
  // Batches differ by factors, so that the scale is one of factors, too.
  const logs = energies.map((energy) => Math.log10(energy));
  const [least, most] = extent(logs);
  const room = most > least ? most - least : 1;
  const says = finding(tiles);
  const rows = (look: Look) => (look.medium === "print" ? 26 : 38);
  return {
    name,
    title: "Energy per new token over batch and context",
    of,
    finding: says,
    wide: true,
    table: {
      columns: [
        {title: "batch"},
        {title: "context"},
        ...cost_columns("energy per new token", "energy"),
        {title: "time between tokens", format: (v) => with_unit(v, "s", 4)},
      ],
      rows: tiles.map(({batch, cost}) => [
        batch.batch,
        cost.context,
        ...cost_cells(cost.energy_j_per_token),
        cost.time_s.mean,
      ]),
    },
    height: (look) => look.size * 8.5 + rows(look) * batches.length,
    option: (look, width): EChartsOption =>
      ({
        ...base_option(look, says),
        grid: grid(look, {
          top: look.size * 4.4,
          left: Math.max(...batches.map((batch) => text_width(String(batch), look))) + look.size * 3,
        }),
        visualMap: heat_scale(
          [least, least + room],
          [label(10 ** least), `${label(10 ** most)} ${unit} per token`],
          look,
          width,
          {dimension: 2},
        ),
        xAxis: category_axis(look, contexts.map(whole), {name: "tokens in the cache (context)"}),
        yAxis: category_axis(look, batches.map(String), {name: "batch"}),
        series: [
          {
            type: "heatmap",
            itemStyle: {borderColor: look.paper, borderWidth: 2},
            emphasis: {disabled: true},
            label: {
              show: true,
              fontSize: look.size,
              fontFamily: look.font,
              formatter: (at: {dataIndex: number}) => label(energies[at.dataIndex]!),
            },
            data: tiles.map((tile, i) => ({
              ...dot(
                [contexts.indexOf(tile.cost.context), batches.indexOf(tile.batch.batch), logs[i]!],
                `batch ${tile.batch.batch}, context ${whole(tile.cost.context)}`,
                `${with_unit(energies[i]!, "J")} per new token ` +
                  `(${with_unit(tile.cost.energy_j_per_token.low, "J")} to ${with_unit(tile.cost.energy_j_per_token.high, "J")})`,
                `${with_unit(tile.cost.time_s.mean, "s")} between tokens`,
              ),
              label: {color: letters((logs[i]! - least) / room)},
            })),
          },
        ],
      }) as EChartsOption,
  };
}
