// Sliders for widths, batch and iterations; every change is computed anew in the page.
import {kNone, percent, plain, with_unit} from "../base/format";
import {change, total, type Total} from "../data/change";
import type {Estimate} from "../data/payload";
import {
  is_refusal,
  open_what_if,
  refusal,
  type Answer,
  type Refusal,
  type WhatIf,
  type WhatIfDocument,
} from "../what_if/what_if";
import {change_text} from "./change_text";
import {button, element} from "./dom";
import {stored_estimators} from "./stored";
import {width_slider, type WidthSlider} from "./width_slider";

function notice(text: string): HTMLElement {
  return element("p", {class: "notice"}, text);
}

function known_line(
  name: string,
  now: Total,
  unit: string,
  before: Total | null,
  iterations: number,
): HTMLElement {
  const by = change(now.mean, before?.mean);
  return element(
    "div",
    {
      class: "result",
      "data-result": name,
      "data-mean": String(now.mean),
      "data-stddev": String(now.stddev),
    },
    element("span", {class: "name"}, name),
    element("strong", {}, with_unit(now.mean, unit)),
    element(
      "span",
      {class: "soft"},
      `90 % interval ${with_unit(now.low, unit)} to ${with_unit(now.high, unit)}; ${with_unit(now.mean / iterations, unit)} per iteration`,
    ),
    by === null ? null : change_text(by),
  );
}

function unknown_line(name: string): HTMLElement {
  return element(
    "div",
    {class: "result", "data-result": name},
    element("span", {class: "name"}, name),
    element("strong", {}, kNone),
  );
}

/** One panel for all batches: each has an estimate and what it is recomputed from. */
class WhatIfPanel {
  readonly element = element("div", {class: "what-if"});
  private readonly place_ = element("div", {class: "sliders"});
  private readonly results_ = element("div", {
    class: "results",
    role: "status",
    "aria-live": "polite",
  });
  private readonly bar_ = element("div", {class: "compare", "aria-hidden": "true"});
  private readonly batch_ = element("select", {"aria-label": "batch"});
  private readonly iterations_ = element("input", {
    type: "number",
    min: "1",
    step: "1",
    "aria-label": "iterations",
  });
  private sliders_: WidthSlider[] = [];
  private module_: Promise<WebAssembly.Module> | null = null;
  private readonly opened_ = new Map<number, Promise<WhatIf | Refusal>>();
  private current_: WhatIf | Refusal | null = null; // null until it is there

  constructor(
    private readonly estimates_: readonly Estimate[],
    private readonly documents_: readonly (WhatIfDocument | Refusal)[],
  ) {
    estimates_.forEach((estimate, i) =>
      this.batch_.append(element("option", {value: String(i)}, String(estimate.batch))),
    );
    this.iterations_.value = String(estimates_[0]!.iterations);
    this.batch_.addEventListener("change", () => void this.fill());
    this.iterations_.addEventListener("change", () => this.compute());
    this.element.append(
      element(
        "div",
        {class: "controls"},
        element("label", {}, "batch ", this.batch_),
        element("label", {}, "iterations ", this.iterations_),
        button("Original widths", "set all widths to the original's", () => this.reset()),
      ),
      this.place_,
      this.bar_,
      this.results_,
    );
    void this.fill();
  }

  private get original(): Estimate {
    return this.estimates_[Number(this.batch_.value)]!;
  }

  private document(batch: number): WhatIfDocument | Refusal {
    return this.documents_[batch] ?? {reason: "the report holds nothing to compute it from"};
  }

  private async open(batch: number): Promise<WhatIf | Refusal> {
    const document = this.document(batch);
    if (is_refusal(document)) return document;
    try {
      this.module_ ??= stored_estimators();
      return await open_what_if(await this.module_, document);
    } catch (error) {
      return refusal(error);
    }
  }

  /** The sliders of the chosen batch, at the widths that were set before. */
  private async fill(): Promise<void> {
    const batch = Number(this.batch_.value);
    if (!this.opened_.has(batch)) this.opened_.set(batch, this.open(batch));
    const opened = await this.opened_.get(batch)!;
    if (batch !== Number(this.batch_.value)) return;
    this.current_ = opened;
    const document = this.document(batch);
    const kept = new Map(this.sliders_.map((each) => [each.width.name, each.value()]));
    this.sliders_ =
      is_refusal(opened) || is_refusal(document)
        ? []
        : document.widths.map((width) => width_slider(width, () => this.compute()));
    for (const each of this.sliders_) each.set(kept.get(each.width.name) ?? each.width.original);
    this.place_.replaceChildren(...this.sliders_.map((each) => each.line));
    this.compute();
  }

  private reset(): void {
    for (const each of this.sliders_) each.set(each.width.original);
    this.compute();
  }

  private compute(): void {
    if (!this.current_) return;
    const answer = is_refusal(this.current_)
      ? this.current_
      : this.current_.at(JSON.stringify(this.sliders_.map((each) => each.value())));
    if (is_refusal(answer)) {
      this.results_.replaceChildren(notice(`Not computed: ${answer.reason}`));
      this.bar_.replaceChildren();
    } else {
      this.show(answer);
    }
  }

  private show(answer: Answer): void {
    const iterations = Math.max(1, Math.round(this.iterations_.valueAsNumber || 1));
    const of = (what: "energy_j_per_iteration" | "time_s_per_iteration") => ({
      now: total(answer[what], iterations),
      before: total(this.original[what], iterations),
    });
    const energy = of("energy_j_per_iteration"),
      time = of("time_s_per_iteration");
    const line = (name: string, unit: string, {now, before}: typeof energy) =>
      now ? known_line(name, now, unit, before, iterations) : unknown_line(name);
    const notices = [
      ...(energy.now && time.now
        ? []
        : ["The profile is too uncertain for a network this small: the estimate is not positive."]),
      ...(answer.extrapolated
        ? ["Some block lies outside what was profiled: the interval is too narrow."]
        : []),
    ];
    this.results_.replaceChildren(
      line("energy", "J", energy),
      line("time", "s", time),
      ...notices.map(notice),
    );
    this.compare(energy.now && energy.before ? energy.now.mean / energy.before.mean : null);
  }

  /** A bar as long as the share of the original's energy. */
  private compare(share: number | null): void {
    if (share === null) return this.bar_.replaceChildren();
    const filled = element("span");
    filled.style.width = `${plain(Math.min(100, 100 * share), 4)}%`;
    this.bar_.replaceChildren(
      filled,
      element("em", {}, `${percent(share)} of the original's energy`),
    );
  }
}

export function what_if_panel(
  estimates: readonly Estimate[],
  documents: readonly (WhatIfDocument | Refusal)[],
): HTMLElement {
  return new WhatIfPanel(estimates, documents).element;
}
