// What a network costs at other widths: the estimators of the program, from what they know.

import {AmpereMethod} from "./ampere";
import type {Answer, Refusal} from "./answer";
import {Blocks, type SizedBlock} from "./blocks";
import {DualMethod} from "./dual";
import {Field} from "./field";
import {complaint, read_range, type WidthRange} from "./widths";

export type {Answer, Quantity, Refusal} from "./answer";
export type {WidthRange} from "./widths";

/** A network that can be asked about at any widths. */
export interface WhatIf {
  readonly network: string;
  readonly method: string;
  readonly batch: number;
  readonly widths: readonly WidthRange[];
  /** One number for each of `widths`. */
  at(widths: readonly number[]): Answer | Refusal;
}

interface Method {
  estimate(blocks: readonly SizedBlock[]): Answer;
}

function read_method(document: Field, blocks: Blocks): Method {
  const name = document.at("method").text();
  if (name === "dual") return new DualMethod(blocks.kinds, document.at("laws"));
  if (name === "ampere") return new AmpereMethod(blocks.kinds);
  return document.at("method").fail("must be dual or ampere");
}

function read(document: Field): WhatIf {
  const ranges = document.at("widths").items().map(read_range);
  const blocks = new Blocks(document, ranges.length);
  const method = read_method(document, blocks);
  return {
    network: document.at("network").text(),
    method: document.at("method").text(),
    batch: document.at("setup").at("batch").number(),
    widths: ranges,
    at(widths) {
      const reason = complaint(ranges, widths);
      return reason === null ? method.estimate(blocks.at(widths)) : {reason};
    },
  };
}

function or_refusal<Value>(value: () => Value): Value | Refusal {
  try {
    return value();
  } catch (error) {
    return {reason: error instanceof Error ? error.message : String(error)};
  }
}

/** From the parsed JSON; where that holds a reason why there is none, that. */
export function open_what_if(document: unknown): WhatIf | Refusal {
  return or_refusal<WhatIf | Refusal>(() => {
    const field = new Field(document, "");
    return field.has("reason") ? {reason: field.at("reason").text()} : read(field);
  });
}

export function is_refusal(answer: object): answer is Refusal {
  return "reason" in answer;
}

/** Texts in, text out; the widths are a list of numbers in the order of the what-if's. */
export function what_if(what_if_text: string, widths_text: string): string {
  return JSON.stringify(or_refusal<Answer | Refusal>(() => {
    const opened = open_what_if(JSON.parse(what_if_text));
    if (is_refusal(opened)) return opened;
    return opened.at(new Field(JSON.parse(widths_text), "the widths").numbers());
  }));
}
