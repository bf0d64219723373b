import {with_unit} from "../base/format";
import type {Window} from "../data/payload";
import {element} from "./dom";
import {table_element} from "./table_view";

/** A measurement that can be opened: its name, its columns, and which windows are its own. */
export interface Openable {
  readonly cells: readonly string[];
  readonly windows: number | null;
}

function windows_element(windows: readonly Window[], caption: string): HTMLElement {
  return table_element(
    {
      columns: [
        {title: "window"},
        {title: "iterations"},
        {title: "time", format: (v) => with_unit(v, "s", 4)},
        {title: "energy", format: (v) => with_unit(v, "J", 4)},
        {title: "time an iteration", format: (v) => with_unit(v, "s", 4)},
        {title: "energy an iteration", format: (v) => with_unit(v, "J", 4)},
        {title: "power", format: (v) => with_unit(v, "W", 4)},
        {title: "rejected"},
      ],
      rows: windows.map(([iterations, time, energy, rejected], i) => [
        i + 1,
        iterations,
        time,
        energy,
        time / iterations,
        energy == null ? null : energy / iterations,
        energy == null ? null : energy / time,
        rejected === true ? "yes" : rejected || "no",
      ]),
    },
    caption,
  );
}

/** Rows that open, by a click or by Enter, into the raw windows they are made of. */
export function window_table(
  titles: readonly string[],
  rows: readonly Openable[],
  windows: readonly (readonly Window[])[],
  caption: string,
): HTMLElement {
  const body = element("tbody");
  for (const row of rows) {
    const own = row.windows == null ? null : windows[row.windows];
    const line = element(
      "tr",
      own ? {class: "pressable", tabindex: "0", role: "button", "aria-expanded": "false"} : {},
    );
    for (const cell of row.cells) line.append(element("td", {}, cell));
    line.append(element("td", {class: "soft"}, own ? `${own.length} windows ▸` : "not kept"));
    body.append(line);
    if (own)
      line_opens(
        line,
        () => windows_element(own, `Raw windows: ${row.cells.join(", ")}`),
        titles.length + 1,
      );
  }
  const head = element("tr");
  for (const title of [...titles, "raw windows"]) head.append(element("th", {scope: "col"}, title));
  return element(
    "div",
    {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
    element(
      "table",
      {class: "openable"},
      element("caption", {}, caption),
      element("thead", {}, head),
      body,
    ),
  );
}

function line_opens(line: HTMLTableRowElement, make: () => HTMLElement, columns: number): void {
  let opened: HTMLTableRowElement | null = null;
  const press = () => {
    if (opened) {
      opened.remove();
      opened = null;
    } else {
      opened = element("tr", {class: "opened"}, element("td", {colspan: String(columns)}, make()));
      line.after(opened);
    }
    line.setAttribute("aria-expanded", String(opened !== null));
  };
  line.addEventListener("click", press);
  line.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    press();
  });
}
