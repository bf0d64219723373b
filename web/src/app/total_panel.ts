// The answer in two numbers, said aloud when they change.
import {percent, plain, with_unit} from "../base/format";
import {change} from "../data/change";
import type {Estimate, Interval} from "../data/payload";
import {element} from "../page/dom";
import {badge} from "../page/shell";
import {change_text} from "../page/change_text";
import {fill} from "./fields";
import {error_element} from "./problem_view";

function number_line(
  name: string,
  unit: string,
  total: Interval | null,
  one: number | undefined,
  before: number | undefined,
): HTMLElement {
  if (!total)
    return element(
      "div",
      {class: "total unknown", "data-total": name},
      element("dt", {}, name),
      element("dd", {class: "value"}, "unknown"),
      element("dd", {class: "note"}, "The profile does not cover all of the network."),
    );
  const by = change(total.mean, before);
  return element(
    "div",
    {class: "total", "data-total": name, "data-mean": String(total.mean)},
    element("dt", {}, name),
    element("dd", {class: "value"}, with_unit(total.mean, unit)),
    element(
      "dd",
      {class: "note"},
      `${percent(total.confidence, 0)} interval ${with_unit(total.low, unit)} to ${with_unit(total.high, unit)}`,
    ),
    one === undefined
      ? null
      : element("dd", {class: "note"}, `${with_unit(one, unit)} per iteration`),
    by === null || Math.abs(by) < 5e-4 ? null : element("dd", {class: "note"}, change_text(by)),
  );
}

function describe(estimate: Estimate): string {
  const {iterations, mode, batch, method, profile} = estimate;
  return (
    `${plain(iterations, 12)} ${iterations === 1 ? "iteration" : "iterations"} of ${mode ?? "training"}, batch ${batch}, ` +
    `on ${estimate.device.name}; method ${method}, profile ${profile}.`
  );
}

export class TotalPanel {
  readonly element: HTMLElement;
  private readonly numbers_ = element("dl", {class: "totals"});
  private readonly about_ = element("p", {class: "soft about"});
  private readonly title_ = element("h2", {id: "total-title"}, "Estimate");
  /** What to know beside the numbers; apart from them, for these stay in sight. */
  readonly notes = element("div", {class: "notes"});

  constructor() {
    this.element = element(
      "section",
      {
        class: "panel estimate",
        "aria-labelledby": "total-title",
        role: "status",
        "aria-live": "polite",
      },
      this.title_,
      this.numbers_,
      this.about_,
    );
  }

  busy(): void {
    this.element.setAttribute("aria-busy", "true");
  }

  /** `original` is of the same network at its own widths. */
  show(estimate: Estimate, original: Estimate | null): void {
    this.element.removeAttribute("aria-busy");
    fill(this.title_, estimate.model, " ", badge({source: estimate.source, estimated: true}));
    fill(
      this.numbers_,
      number_line(
        "Energy",
        "J",
        estimate.energy_j,
        estimate.energy_j_per_iteration?.mean,
        original?.energy_j?.mean,
      ),
      number_line(
        "Time",
        "s",
        estimate.time_s,
        estimate.time_s_per_iteration?.mean,
        original?.time_s?.mean,
      ),
    );
    this.about_.textContent = describe(estimate);
    fill(
      this.notes,
      ...estimate.uncovered.map(({layer, reason}) => note(`Not covered: ${layer}: ${reason}`)),
      ...estimate.warnings.map(note),
      ...[estimate.advice].flat().filter(Boolean).map(note),
    );
  }

  refuse(error: unknown): void {
    this.element.removeAttribute("aria-busy");
    const says = error_element(error);
    if (!says) return; // the last answer stays, and the banner says so
    fill(this.title_, "Estimate");
    fill(this.numbers_);
    this.about_.textContent = "";
    fill(this.notes, says);
  }
}

function note(text: string): HTMLElement {
  return element("p", {class: "notice"}, text);
}
