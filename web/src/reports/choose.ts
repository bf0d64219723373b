import {counted, in_words, whole, with_unit} from "../base/format";
import type {Table} from "../chart/table";
import {estimated_from, found_as} from "../data/origin";
import type {Choices, ChooseContent} from "../data/payload";
import {pareto, shows_front} from "../figures/pareto";
import type {Fact, ReportDocument, Section} from "./document";

function fact(choices: Choices, label: string, at: number | null, why: string | null): Fact {
  const found = at == null ? undefined : choices.alternatives[at];
  if (!found?.energy_j || !found.time_s) return {label, value: "–", note: why ?? undefined};
  return {
    label,
    value: found.name,
    note: `${with_unit(found.energy_j.mean, "J")}, ${with_unit(found.time_s.mean, "s")}`,
  };
}

function facts_of(choices: Choices): Fact[] {
  return [
    fact(choices, `best: least ${choices.objective}`, choices.best, choices.why_no_best),
    fact(choices, "least energy", choices.least_energy, null),
    fact(choices, "least time", choices.least_time, null),
    fact(choices, "knee", choices.knee, choices.why_no_knee),
  ];
}

function limits_text(choices: Choices): string {
  const {energy_j, time_s, memory_bytes} = choices.limits;
  const limits = [
    ...(energy_j == null ? [] : [`energy ${with_unit(energy_j, "J")}`]),
    ...(time_s == null ? [] : [`time ${with_unit(time_s, "s")}`]),
    ...(memory_bytes == null ? [] : [`memory ${with_unit(memory_bytes, "B")}`]),
  ];
  return limits.length > 0 ? ` Limits: ${in_words(limits)}.` : "";
}

function order_note(choices: Choices): string[] {
  const order = choices.checked;
  if (!order) return [];
  const pairs = order.pairs_held + order.pairs_turned + order.pairs_close;
  const measured = order.measured.filter((each) => each.energy_j != null).length;
  if (pairs === 0)
    return [
      `${measured} of ${counted(order.measured.length, "alternative")} could be measured, so no order can be judged.`,
    ];
  return [
    `${measured} were measured: ${order.pairs_held} of ${pairs} pairs in the predicted order, ` +
      `${order.pairs_turned} the other way round, ${order.pairs_close} too close to tell.`,
  ];
}

function missing(choices: Choices): Table {
  return {
    columns: [
      {title: "alternative"},
      {title: "why there is no estimate"},
      {title: "what would change it"},
    ],
    rows: choices.alternatives
      .filter((each) => !each.energy_j)
      .map((each) => [each.name, each.reason, each.remedy ?? null]),
  };
}

function section(choices: Choices, index: number, several: boolean): Section {
  const lost = missing(choices);
  const epochs = choices.epochs === 1 ? "One epoch" : `${whole(choices.epochs)} epochs`;
  return {
    id: `choice-${index + 1}`,
    title: choices.model,
    text: `${epochs} of ${whole(choices.samples)} samples.${limits_text(choices)}`,
    facts: facts_of(choices),
    notes: [
      "All alternatives train on the same samples; whether they learn as much from them is not known here.",
      ...order_note(choices),
      ...choices.warnings,
    ],
    figures: shows_front(choices)
      ? [
          pareto(
            choices,
            several ? `pareto-${index + 1}` : "pareto",
            several ? choices.model : undefined,
          ),
        ]
      : [],
    tables: lost.rows.length > 0 ? [{title: "Not estimated", table: lost}] : [],
  };
}

export function choose_document(content: ChooseContent): ReportDocument {
  const all = content.choices ?? [];
  if (all.length === 0) throw new Error("This report holds no choice.");
  const alternatives = all.flatMap((choices) => choices.alternatives);
  const devices = [...new Set(alternatives.flatMap((each) => each.device?.name ?? []))];
  const checked = all.flatMap((choices) => choices.checked?.measured ?? []);
  return {
    lead: "Ways to train on the same samples: what each costs, and which no other beats.",
    device: {name: in_words(devices)},
    origins: [
      ...estimated_from(alternatives.flatMap((each) => each.source ?? [])),
      ...found_as(checked.flatMap((each) => each.source ?? [])),
    ],
    choices: [],
    sections: () => all.map((choices, i) => section(choices, i, all.length > 1)),
  };
}
