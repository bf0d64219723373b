import {chart_in, type Chart} from "../chart/engine";
import {full_title, type Figure} from "../chart/figure";
import {look_of} from "../chart/look";
import type {Medium} from "../chart/palette";
import {print_svg} from "../chart/print";
import {button, element, save} from "./dom";
import {PointKeys} from "./point_keys";
import {table_details} from "./table_view";

// Between the margins of A4 or Letter, and half of it.
const kPaperWidth = 640;
const kHalfPaperWidth = 308;

/** A figure on the page: its sentence, the picture, and the table behind it. */
export class ChartCard {
  readonly element: HTMLElement;
  private readonly stage_ = element("div", {
    class: "chart",
    tabindex: "0",
    role: "application",
    "aria-roledescription": "chart",
  });
  private readonly canvas_ = element("div");
  private readonly spoken_ = element("p", {class: "spoken", "aria-live": "polite"});
  private readonly title_ = element("h3");
  private readonly finding_ = element("figcaption");
  private table_ = element("details");
  private chart_: Chart | null = null;
  private keys_: PointKeys | null = null;
  private drawn_ = "";

  constructor(private figure_: Figure) {
    const {name} = figure_;
    this.stage_.append(this.canvas_);
    this.element = element(
      "figure",
      {class: figure_.wide ? "card wide" : "card", id: name, "data-figure": name},
      element(
        "div",
        {class: "head"},
        this.title_,
        button("Save SVG", `save ${full_title(figure_)} as SVG`, () =>
          save(`${name}.svg`, "image/svg+xml", print_svg(this.figure_)),
        ),
      ),
      this.finding_,
      this.stage_,
      this.spoken_,
      this.table_,
    );
    this.show(figure_);
  }

  /** Another figure of the same name in the same card; a table that is open stays open. */
  show(figure: Figure): void {
    this.figure_ = figure;
    this.drawn_ = "";
    this.title_.textContent = figure.title;
    this.finding_.textContent = figure.finding;
    const table = table_details(figure.table, full_title(figure), figure.name);
    table.open = this.table_.open;
    this.table_.replaceWith(table);
    this.table_ = table;
  }

  draw(medium: Medium): void {
    const look = look_of(medium);
    const on_paper = this.figure_.wide ? kPaperWidth : kHalfPaperWidth;
    const width = medium === "print" ? on_paper : this.stage_.clientWidth;
    if (width < 50 || this.drawn_ === `${medium} ${width}`) return;
    this.drawn_ = `${medium} ${width}`;
    const height = this.figure_.height(look, width);
    const option = this.figure_.option(look, width);
    this.chart_ ??= chart_in(this.canvas_, width, height);
    this.keys_ ??= new PointKeys(this.chart_, this.stage_, this.spoken_);
    this.chart_.resize({width, height});
    this.chart_.setOption(option, {notMerge: true});
    const points = this.keys_.show(option);
    this.stage_.dataset["points"] = String(points);
    this.stage_.setAttribute(
      "aria-label",
      `${full_title(this.figure_)}. ${this.figure_.finding} Arrow keys go through its ${points} points.`,
    );
  }

  dispose(): void {
    this.chart_?.dispose();
  }
}
