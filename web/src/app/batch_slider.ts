// The batch: a slider over usual sizes, and a field for any other.
import {element} from "../page/dom";
import {count_of} from "./fields";

const kUsual = [1, 2, 4, 8, 10, 16, 32, 64, 128, 256, 512, 1024];

export class BatchSlider {
  readonly element: HTMLElement;
  private readonly slide_ = element("input", {
    type: "range",
    min: "0",
    max: String(kUsual.length - 1),
    step: "1",
    "aria-label": "batch, slider",
  });
  private readonly field_ = element("input", {type: "number", min: "1", id: "batch"});

  constructor(
    private value_: number,
    changed: (batch: number) => void,
  ) {
    this.slide_.addEventListener("input", () => {
      this.set(kUsual[this.slide_.valueAsNumber]!);
      changed(this.value_);
    });
    this.field_.addEventListener("change", () => {
      this.set(count_of(this.field_, this.value_));
      changed(this.value_);
    });
    this.element = element(
      "div",
      {class: "slider"},
      element("label", {class: "name", for: "batch"}, "Batch"),
      element("span", {class: "soft"}, "samples"),
      this.slide_,
      this.field_,
    );
    this.set(value_);
  }

  set(batch: number): void {
    this.value_ = batch;
    this.field_.value = String(batch);
    const nearest = kUsual.reduce((best, each, i) =>
      Math.abs(Math.log(each / batch)) < Math.abs(Math.log(kUsual[best]! / batch)) ? i : best, 0);
    this.slide_.value = String(nearest);
    this.slide_.setAttribute("aria-valuetext", String(batch));
  }
}
