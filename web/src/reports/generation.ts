import {in_words, whole, with_unit} from "../base/format";
import type {Table} from "../chart/table";
import {estimated_from} from "../data/origin";
import type {Costs, Generation, GenerationBatch, GenerationContent} from "../data/payload";
import {shows_tokens, token_energy} from "../figures/token_energy";
import {best_text, shows_latency, token_latency} from "../figures/token_latency";
import type {Fact, ReportDocument, Section} from "./document";

/** The batch that the facts are of: the cheapest that keeps the limits, or the largest of all. */
function shown_batch(generation: Generation): GenerationBatch | undefined {
  const batches = generation.batches;
  const wanted = generation.best_batch ?? generation.best_batch_by_means;
  return batches.find((each) => each.batch === wanted) ?? batches[batches.length - 1];
}

function fact(label: string, cost: Costs | null, unit: string, none: string): Fact {
  if (!cost) return {label, value: "–", note: none};
  return {
    label,
    value: with_unit(cost.mean, unit),
    note: `${with_unit(cost.low, unit)} to ${with_unit(cost.high, unit)}`,
  };
}

function facts_of(generation: Generation): Fact[] {
  const batch = shown_batch(generation);
  if (!batch) return [];
  const none = "nothing is decoded for one new token";
  return [
    {label: "batch", value: String(batch.batch), note: best_text(generation)},
    fact("per prompt token", batch.energy_j_per_prompt_token, "J", none),
    fact("per new token", batch.energy_j_per_new_token, "J", none),
    fact("to the first token", batch.time_to_first_token_s, "s", none),
    fact("between tokens", batch.time_between_tokens_s, "s", none),
    {
      label: "memory at the peak",
      value: with_unit(batch.peak_memory_bytes, "B"),
      note: `the cache ends with ${with_unit(batch.cache_bytes, "B")}`,
    },
  ];
}

function limits_text(generation: Generation): string {
  const {between_tokens_s, first_token_s, memory_bytes} = generation.limits;
  const limits = [
    ...(between_tokens_s == null ? [] : [`${with_unit(between_tokens_s, "s")} between tokens`]),
    ...(first_token_s == null ? [] : [`${with_unit(first_token_s, "s")} to the first token`]),
    ...(memory_bytes == null ? [] : [`${with_unit(memory_bytes, "B")} of memory`]),
  ];
  return limits.length > 0 ? ` Limits: ${in_words(limits)}.` : "";
}

function batches_table(generation: Generation): Table {
  const joules = (v: number) => with_unit(v, "J");
  const seconds = (v: number) => with_unit(v, "s");
  return {
    columns: [
      {title: "batch"},
      {title: "per prompt token", format: joules},
      {title: "per new token", format: joules},
      {title: "to the first token", format: seconds},
      {title: "between tokens", format: seconds},
      {title: "memory", format: (v) => with_unit(v, "B")},
      {title: "rank"},
    ],
    rows: generation.batches.map((each) => [
      each.batch,
      each.energy_j_per_prompt_token.mean,
      each.energy_j_per_new_token?.mean ?? null,
      each.time_to_first_token_s.mean,
      each.time_between_tokens_s?.mean ?? null,
      each.peak_memory_bytes,
      each.rank,
    ]),
  };
}

function section(generation: Generation, index: number, several: boolean): Section {
  const named = (name: string) => (several ? `${name}-${index + 1}` : name);
  const of = several ? generation.model : undefined;
  return {
    id: `generation-${index + 1}`,
    title: generation.model,
    text:
      `Prompts of ${whole(generation.prompt)} tokens, ${whole(generation.new_tokens)} new ones each, in ` +
      `${generation.number_format}, by the method ${generation.method}.${limits_text(generation)}`,
    facts: facts_of(generation),
    notes: [
      "The first new token comes out of the prefill; energy per new token is that of the others.",
      ...generation.warnings,
    ],
    figures: [
      ...(shows_tokens(generation) ? [token_energy(generation, named("token-energy"), of)] : []),
      ...(shows_latency(generation) ? [token_latency(generation, named("token-latency"), of)] : []),
    ],
    tables: [{title: "Batches", table: batches_table(generation)}],
  };
}

export function generation_document(content: GenerationContent): ReportDocument {
  const all = content.generations ?? [];
  if (all.length === 0) throw new Error("This report holds no generation.");
  return {
    lead: "What a language model takes to read prompts and to generate text, estimated from a profile of the device; the model itself did not run.",
    device: {name: in_words([...new Set(all.map((each) => each.device.name))])},
    origins: estimated_from(all.map((each) => each.source)),
    choices: [],
    sections: () => all.map((each, i) => section(each, i, all.length > 1)),
  };
}
