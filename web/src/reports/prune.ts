import {in_words, percent, whole, with_unit} from "../base/format";
import {estimated_from, found_as} from "../data/origin";
import type {Prune, PruneContent} from "../data/payload";
import {energy_accuracy, shows_accuracy} from "../figures/energy_accuracy";
import {prune_budget} from "../figures/prune_budget";
import {prune_parts} from "../figures/prune_parts";
import {prune_widths} from "../figures/prune_widths";
import {shows_training, training_curves} from "../figures/training_curves";
import type {Fact, ReportDocument, Section} from "./document";

function facts_of(prune: Prune): Fact[] {
  const {pruned, original} = prune;
  const inside =
    pruned.measured_j_per_iteration == null
      ? undefined
      : pruned.measured_j_per_iteration <= prune.budget_j_per_iteration
        ? "inside the budget"
        : "outside the budget";
  return [
    {
      label:
        pruned.measured_j_per_iteration == null
          ? "estimated energy, of the original"
          : `energy (${prune.source}), of the original`,
      value: percent(pruned.share_of_original),
      note: inside,
    },
    {
      label: "budget",
      value: with_unit(prune.budget_j_per_iteration, "J"),
      note: `an iteration: ${prune.budget}, to hold with ${percent(prune.confidence, 0)}`,
    },
    ...(pruned.test
      ? [
          {
            label: "accuracy",
            value: percent(pruned.test.accuracy),
            note: original.test ? `the original ${percent(original.test.accuracy)}` : undefined,
          },
        ]
      : []),
    ...(pruned.training
      ? [
          {
            label: "training the pruned network",
            value: with_unit(pruned.training.energy_j, "J"),
            note: `estimated ${with_unit(pruned.training.estimated_j, "J")}, testing apart`,
          },
        ]
      : []),
    ...(prune.training_j != null
      ? [{label: "all training took", value: with_unit(prune.training_j, "J")}]
      : []),
  ];
}

/** A network is accepted by one measurement, and shown by another, by which nothing was chosen. */
function acceptance_of({pruned}: Prune): string[] {
  const {found_at_j_per_iteration: found, measured_j_per_iteration: again} = pruned;
  if (found == null || again == null || found === again) return [];
  return [
    `The pruned network took ${with_unit(found, "J")} an iteration when it was accepted, and ${with_unit(again, "J")} when it was measured once more, which is the figure shown.`,
  ];
}

function notes_of(prune: Prune): string[] {
  return [
    ...acceptance_of(prune),
    ...(prune.pruned.measured_j_per_iteration == null
      ? ["Not measured: the device was left alone, all energies are estimates."]
      : []),
    ...(prune.pruned.epochs ? [] : ["Not trained: there is no accuracy to show."]),
    ...(prune.warnings ?? []),
  ];
}

function pruning(prune: Prune, index: number, several: boolean): Section {
  const of = several ? `${prune.model}, ${prune.budget}` : undefined;
  const name = (what: string) => (several ? `${what}-${index + 1}` : what);
  const searched = prune.judged
    ? ` ${whole(prune.judged)} networks were judged by method ${prune.method}, ${prune.search} search.`
    : "";
  return {
    id: `pruning-${index + 1}`,
    title: `${prune.model} to ${prune.budget}`,
    text: `${prune.pruned.model}, batch ${prune.batch}.${searched}`,
    facts: facts_of(prune),
    notes: notes_of(prune),
    figures: [
      prune_widths(prune, name("widths"), of),
      prune_budget(prune, name("budget"), of),
      ...(shows_accuracy([prune]) ? [energy_accuracy([prune], name("energy-accuracy"), of)] : []),
      ...(shows_training(prune) ? training_curves(prune, name("training"), of) : []),
      prune_parts(prune, name("joules"), of),
    ],
  };
}

/** Whether the energies of its networks were found on the device, beside the estimates. */
function was_measured({original, pruned, others}: Prune): boolean {
  return [original, pruned, ...others].some((each) => each.measured_j_per_iteration != null);
}

export function prune_document(content: PruneContent): ReportDocument {
  const prunes = content.prunes ?? [];
  const first = prunes[0];
  if (!first) throw new Error("This report holds no pruning.");
  const several = prunes.length > 1;
  const devices = [...new Set(prunes.map((prune) => prune.device.name))];
  const together: Section[] =
    several && shows_accuracy(prunes)
      ? [
          {
            id: "together",
            title: "All budgets together",
            figures: [energy_accuracy(prunes, "energy-accuracy")],
          },
        ]
      : [];
  return {
    lead: "A narrower network inside an energy budget: what it became, what it costs, what it can do.",
    device: devices.length > 1 ? {name: in_words(devices)} : first.device,
    origins: [
      ...estimated_from(prunes.map((prune) => prune.source)),
      ...found_as(prunes.filter(was_measured).map((prune) => prune.source)),
    ],
    choices: [],
    sections: () => [...together, ...prunes.map((prune, i) => pruning(prune, i, several))],
  };
}
