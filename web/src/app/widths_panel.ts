// Sliders for the widths of the network; the server is asked while they move.
import {counted, whole} from "../base/format";
import {button, element} from "../page/dom";
import {width_slider, type WidthSlider} from "../page/width_slider";
import type {Api} from "./api";
import type {Width, Widths} from "./answers";
import {fill, folding_panel} from "./fields";
import {Latest} from "./latest";
import {error_element} from "./problem_view";
import type {Question} from "./question";

/** All widths at once, as a share of what they were. */
const kAll = {name: "all widths, %", least: 5, most: 100, step: 5, original: 100, held: null};

export class WidthsPanel {
  readonly element: HTMLElement;
  private readonly says_ = element("div", {class: "says"});
  private readonly place_ = element("div", {class: "sliders"});
  private readonly count_ = element("span", {class: "soft"});
  private readonly reset_ = button("Original widths", "set all widths to the original's", () =>
    this.reset(),
  );
  private readonly all_ = width_slider(kAll, () => this.scale(this.all_.value() / 100));
  private sliders_: WidthSlider[] = [];
  private asked_for_ = "";
  private readonly widths_: Latest<Widths>;

  constructor(
    api: Api,
    private readonly question_: Question,
  ) {
    this.widths_ = new Latest<Widths>(
      (signal) => api.post("/v1/widths", {network: this.question_.asked.network}, signal),
      {
        busy: () => this.element.setAttribute("aria-busy", "true"),
        answer: (answer) => this.show(answer),
        problem: (error) => this.refuse(error),
      },
    );
    question_.on_change(() => this.follow());
    this.element = folding_panel(
      "Widths",
      "widths",
      element("div", {class: "hint"}, this.count_, this.reset_),
      this.place_,
      this.says_,
    );
  }

  /** By name: a network that was found may list fewer. */
  set(values: ReadonlyMap<string, number>): void {
    for (const each of this.sliders_) each.set(values.get(each.width.name) ?? each.value());
    this.changed();
  }

  private follow(): void {
    const network = JSON.stringify(this.question_.asked.network);
    if (network === this.asked_for_) return;
    this.asked_for_ = network;
    this.widths_.ask();
  }

  private show({widths, parameters}: Widths): void {
    this.element.removeAttribute("aria-busy");
    fill(this.says_);
    this.sliders_ = widths.map((width) => width_slider(range_of(width), () => this.changed()));
    this.all_.set(100);
    this.reset_.hidden = widths.length === 0;
    this.count_.textContent =
      (widths.length === 0
        ? "Nothing of this network can be made narrower."
        : `${counted(widths.length, "width")} can vary.`) +
      (parameters == null ? "" : ` ${whole(parameters)} parameters as it is.`);
    const lines = this.sliders_.map((each) => each.line);
    this.place_.replaceChildren(...(widths.length > 1 ? [this.all_.line] : []), ...lines);
  }

  private refuse(error: unknown): void {
    this.element.removeAttribute("aria-busy");
    this.asked_for_ = ""; // to be asked again when the server is back
    this.sliders_ = [];
    this.reset_.hidden = true;
    this.count_.textContent = "";
    fill(this.place_);
    fill(this.says_, error_element(error));
  }

  private changed(): void {
    this.question_.set({widths: this.sliders_.map((each) => each.value())});
  }

  private scale(share: number): void {
    for (const each of this.sliders_) each.set(each.width.original * share);
    this.changed();
  }

  private reset(): void {
    this.all_.set(100);
    this.scale(1);
  }
}

function range_of({name, value, least, most, step}: Width) {
  return {name, least, most, step, original: value, held: null};
}
