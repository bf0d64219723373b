// Sliders for widths, batch and iterations; every change is computed anew in the page.
import {percent, plain, signed_percent, with_unit} from "../base/format";
import {change, total, type Total} from "../data/change";
import type {Estimate} from "../data/payload";
import {
  is_refusal,
  open_what_if,
  type Answer,
  type Refusal,
  type WhatIf,
  type WidthRange,
} from "../what_if/what_if";
import {button, element} from "./dom";

interface Slider {
  readonly width: WidthRange;
  readonly line: HTMLElement;
  value(): number;
  set(value: number): void;
}

function bounded(width: WidthRange, value: number): number {
  if (!isFinite(value)) return width.original;
  const stepped = width.least + Math.round((value - width.least) / width.step) * width.step;
  return Math.min(width.most, Math.max(width.least, stepped));
}

function slider(width: WidthRange, changed: () => void): Slider {
  const range = {
    min: String(width.least),
    max: String(width.most),
    step: String(width.step),
    value: String(width.original),
  };
  const fixed = width.least === width.most;
  const slide = element("input", {type: "range", ...range, "aria-label": `${width.name}, slider`});
  const field = element("input", {type: "number", ...range, "aria-label": width.name});
  slide.disabled = field.disabled = fixed;
  let value = width.original;
  const set = (wanted: number) => {
    value = bounded(width, wanted);
    slide.value = field.value = String(value);
  };
  slide.addEventListener("input", () => {
    set(slide.valueAsNumber);
    changed();
  });
  field.addEventListener("change", () => {
    set(field.valueAsNumber);
    changed();
  });
  const line = element(
    "div",
    {class: "slider"},
    element("span", {class: "name"}, width.name),
    element("span", {class: "soft"}, width.held ? `fixed: ${width.held}` : `of ${width.original}`),
    slide,
    field,
  );
  return {width, line, value: () => value, set};
}

function change_text(by: number): HTMLElement {
  if (Math.abs(by) < 5e-4) return element("span", {class: "soft"}, "as the original");
  const text = `${signed_percent(by)} against the original`;
  return element("span", {class: by < 0 ? "change less" : "change more"}, text);
}

function line(
  name: string,
  now: Total,
  unit: string,
  before: number | undefined,
  iterations: number,
): HTMLElement {
  const by = change(now.mean, before === undefined ? undefined : before * iterations);
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
      `90 % interval ${with_unit(now.low, unit)} to ${with_unit(now.high, unit)}; ${with_unit(now.mean / iterations, unit)} an iteration`,
    ),
    by === null ? null : change_text(by),
  );
}

/** One panel for all batches: of each there is an estimate and what it is recomputed from. */
class WhatIfPanel {
  readonly element = element("div", {class: "what-if"});
  private readonly sliders_ = element("div", {class: "sliders"});
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
  private list_: Slider[] = [];
  private readonly opened_: readonly (WhatIf | Refusal)[];

  constructor(
    private readonly estimates_: readonly Estimate[],
    what_ifs: readonly unknown[],
  ) {
    this.opened_ = estimates_.map((_, i) =>
      open_what_if(what_ifs[i] ?? {reason: "the report holds nothing to compute it from"}),
    );
    estimates_.forEach((estimate, i) =>
      this.batch_.append(element("option", {value: String(i)}, String(estimate.batch))),
    );
    this.iterations_.value = String(estimates_[0]!.iterations);
    this.batch_.addEventListener("change", () => this.fill());
    this.iterations_.addEventListener("change", () => this.compute());
    this.element.append(
      element(
        "div",
        {class: "controls"},
        element("label", {}, "batch ", this.batch_),
        element("label", {}, "iterations ", this.iterations_),
        button("Original widths", "set all widths to the original's", () => this.reset()),
      ),
      this.sliders_,
      this.bar_,
      this.results_,
    );
    this.fill();
  }

  private get original(): Estimate {
    return this.estimates_[Number(this.batch_.value)]!;
  }

  private get opened(): WhatIf | Refusal {
    return this.opened_[Number(this.batch_.value)]!;
  }

  private fill(): void {
    const kept = new Map(this.list_.map((each) => [each.width.name, each.value()]));
    const {opened} = this;
    this.list_ = is_refusal(opened)
      ? []
      : opened.widths.map((width) => slider(width, () => this.compute()));
    for (const each of this.list_) each.set(kept.get(each.width.name) ?? each.width.original);
    this.sliders_.replaceChildren(...this.list_.map((each) => each.line));
    this.compute();
  }

  private reset(): void {
    for (const each of this.list_) each.set(each.width.original);
    this.compute();
  }

  private answer(): Answer | Refusal {
    const {opened} = this;
    return is_refusal(opened) ? opened : opened.at(this.list_.map((each) => each.value()));
  }

  private compute(): void {
    const answer = this.answer();
    if (is_refusal(answer)) {
      this.results_.replaceChildren(
        element("p", {class: "notice"}, `Not computed: ${answer.reason}`),
      );
      this.bar_.replaceChildren();
      return;
    }
    const iterations = Math.max(1, Math.round(this.iterations_.valueAsNumber || 1));
    const {original} = this;
    this.results_.replaceChildren(
      line(
        "energy",
        total(answer.energy_j_per_iteration, iterations),
        "J",
        original.energy_j_per_iteration?.mean,
        iterations,
      ),
      line(
        "time",
        total(answer.time_s_per_iteration, iterations),
        "s",
        original.time_s_per_iteration?.mean,
        iterations,
      ),
      answer.extrapolated
        ? element(
            "p",
            {class: "notice"},
            "Some block is wider than anything that was profiled: the interval is too narrow.",
          )
        : "",
    );
    const share =
      answer.energy_j_per_iteration.mean / (original.energy_j_per_iteration?.mean ?? NaN);
    if (!isFinite(share)) return;
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
  what_ifs: readonly unknown[],
): HTMLElement {
  return new WhatIfPanel(estimates, what_ifs).element;
}
