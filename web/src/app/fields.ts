import {element} from "../page/dom";

/** A field under its name; the name is the field's for a screen reader too. */
export function labelled(name: string, field: HTMLElement): HTMLElement {
  return element(
    "div",
    {class: "field"},
    element("label", field.id ? {for: field.id} : {}, name),
    field,
  );
}

export function option(value: string, text: string): HTMLOptionElement {
  return element("option", {value}, text);
}

export function select(id: string, options: readonly (readonly [string, string])[]) {
  return element("select", {id}, ...options.map(([value, text]) => option(value, text)));
}

/** A whole number of at least 1, or what was there before. */
export function count_of(field: HTMLInputElement, before: number): number {
  const value = Math.round(field.valueAsNumber);
  const taken = value >= 1 && value <= 1e12 ? value : before;
  field.value = String(taken);
  return taken;
}

/** Replaces what is in an element, leaving out what is not there. */
export function fill(place: HTMLElement, ...children: (Node | string | null)[]): void {
  place.replaceChildren(...children.filter((child) => child !== null));
}

/** Controls under a heading. Where the page is one column they begin folded: the answer comes first. */
export function folding_panel(
  title: string,
  name: string,
  ...content: HTMLElement[]
): HTMLDetailsElement {
  const panel = element(
    "details",
    {class: `panel ${name}`},
    element("summary", {}, element("h2", {}, title)),
    ...content,
  );
  panel.open = matchMedia("(min-width: 901px)").matches;
  return panel;
}
