// What a network costs at other widths, by the program's own estimators.
import {start_estimators, start_estimators_now, type Estimators} from "./estimators";

/** Null where the estimators know no number. */
export interface Quantity {
  readonly mean: number | null;
  readonly stddev: number | null;
}

/** Of one iteration of training. */
export interface Answer {
  readonly energy_j_per_iteration: Quantity;
  readonly time_s_per_iteration: Quantity;
  readonly extrapolated: boolean; // a block lies outside what was profiled
}

export interface Refusal {
  readonly reason: string;
}

export interface WidthRange {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly original: number;
  readonly held: string | null; // why it cannot vary
}

/** What the program wrote of a network. Only the estimators read the rest of it. */
export interface WhatIfDocument {
  readonly widths: readonly WidthRange[];
}

export function is_refusal(answer: object): answer is Refusal {
  return "reason" in answer;
}

export function refusal(error: unknown): Refusal {
  return {reason: error instanceof Error ? error.message : String(error)};
}

/** A network that can be asked about at any widths. */
export class WhatIf {
  constructor(
    private readonly estimators_: Estimators,
    document: string,
  ) {
    estimators_.load(document);
  }

  /** A list of numbers as JSON, in the order of the document's widths. */
  at(widths: string): Answer | Refusal {
    try {
      return JSON.parse(this.estimators_.evaluate(widths)) as Answer;
    } catch (error) {
      return refusal(error);
    }
  }
}

export async function open_what_if(
  module: WebAssembly.Module,
  document: WhatIfDocument,
): Promise<WhatIf | Refusal> {
  try {
    return new WhatIf(await start_estimators(module), JSON.stringify(document));
  } catch (error) {
    return refusal(error);
  }
}

/** For programs without a page: one network at several widths, texts in and texts out. */
export function what_if(
  module: WebAssembly.Module,
  document: string,
  widths: readonly string[],
): string[] {
  const answer_all = (answer: (one: string) => Answer | Refusal) =>
    widths.map((one) => JSON.stringify(answer(one)));
  try {
    const opened = new WhatIf(start_estimators_now(module), document);
    return answer_all((one) => opened.at(one));
  } catch (error) {
    return answer_all(() => refusal(error));
  }
}
