// One width: a slider and a field for the same number.
import type {WidthRange} from "../what_if/what_if";
import {element} from "./dom";

export interface WidthSlider {
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

export function width_slider(width: WidthRange, changed: () => void): WidthSlider {
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
