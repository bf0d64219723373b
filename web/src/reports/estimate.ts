import {percent, plain, with_unit} from "../base/format";
import {estimated_from} from "../data/origin";
import type {Estimate, EstimateContent, Interval} from "../data/payload";
import {batches} from "../figures/batches";
import {block_shares} from "../figures/block_shares";
import {element} from "../page/dom";
import {what_if_panel} from "../page/what_if_panel";
import type {Fact, ReportDocument, Section} from "./document";

function between(interval: Interval, write: (value: number) => string): string {
  return `${percent(interval.confidence, 0)} interval ${write(interval.low)} to ${write(interval.high)}`;
}

function fact(
  label: string,
  interval: Interval | null | undefined,
  write: (value: number) => string,
): Fact[] {
  return interval ? [{label, value: write(interval.mean), note: between(interval, write)}] : [];
}

function facts_of(estimate: Estimate): Fact[] {
  const joules = (value: number) => with_unit(value, "J"),
    seconds = (value: number) => with_unit(value, "s");
  const one = estimate.energy_j_per_iteration;
  return [
    ...fact("energy", estimate.energy_j, joules),
    ...(one
      ? [
          {
            label: "an iteration",
            value: joules(one.mean),
            note: `± ${joules(one.stddev)}; ${with_unit(one.mean / estimate.batch, "J")} a sample`,
          },
        ]
      : []),
    ...fact("time", estimate.time_s, seconds),
    ...fact("of the battery", estimate.battery_share, (value) => percent(value, 2)),
    ...fact("carbon dioxide", estimate.carbon_g, (value) => with_unit(value, "g")),
    ...fact("price of the electricity", estimate.price, (value) => plain(value, 3)),
  ];
}

function notes_of(estimate: Estimate): string[] {
  return [
    ...(estimate.energy_j ? [] : ["No total: the profile does not cover every block."]),
    ...estimate.uncovered.map(({layer, reason}) => `Not covered: ${layer}: ${reason}`),
    ...estimate.warnings,
    ...estimate.advice,
  ];
}

function batch_section(estimate: Estimate, several: boolean): Section {
  return {
    id: `batch${estimate.batch}`,
    title: several ? `Batch ${estimate.batch}` : "The estimate",
    text: `${estimate.iterations} ${estimate.iterations === 1 ? "iteration" : "iterations"} of ${estimate.mode ?? "training"}, batch ${estimate.batch}, by method ${estimate.method} from profile ${estimate.profile}.`,
    facts: facts_of(estimate),
    notes: notes_of(estimate),
    figures:
      estimate.parts.length > 0
        ? [
            block_shares(
              estimate,
              several ? `shares-batch${estimate.batch}` : "shares",
              several ? `batch ${estimate.batch}` : undefined,
            ),
          ]
        : [],
  };
}

export function estimate_document(content: EstimateContent): ReportDocument {
  const estimates = content.estimates ?? [];
  const first = estimates[0];
  if (!first) throw new Error("This report holds no estimate.");
  const several = estimates.length > 1;
  const what_if: Section = {
    id: "what-if",
    title: "What if it were narrower?",
    text: "Move a slider or type a width: energy, time and interval are computed anew, here in the page.",
    figures: several ? [batches(estimates)] : [],
    panels: [
      {
        title: "what if",
        build: () =>
          element("div", {class: "card"}, what_if_panel(estimates, content.what_if ?? [])),
      },
    ],
  };
  return {
    lead: `What training ${first.model} costs, before anyone runs it.`,
    device: first.device,
    origins: estimated_from([first.source]),
    choices: [],
    sections: () => [...estimates.map((estimate) => batch_section(estimate, several)), what_if],
  };
}
