import {cell_text, csv, type Cell, type Table} from "../chart/table";
import {button, element, save} from "./dom";

const kMostRows = 1000;

type Order = {column: number; ascending: boolean} | null;

function compare(a: Cell | undefined, b: Cell | undefined): number {
  if (a == null || b == null) return a == null ? (b == null ? 0 : 1) : -1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b));
}

function ordered(rows: Table["rows"], order: Order): Table["rows"] {
  if (!order) return rows;
  const sign = order.ascending ? 1 : -1;
  return [...rows].sort((a, b) => sign * compare(a[order.column], b[order.column]));
}

function body_of(table: Table, order: Order): HTMLTableSectionElement {
  const body = element("tbody");
  for (const row of ordered(table.rows, order).slice(0, kMostRows)) {
    const line = element("tr");
    table.columns.forEach((column, i) => {
      const cell = row[i];
      line.append(
        element("td", typeof cell === "number" ? {class: "number"} : {}, cell_text(cell, column)),
      );
    });
    body.append(line);
  }
  return body;
}

/** A real table whose columns sort it. */
export function table_element(table: Table, caption: string): HTMLElement {
  let order: Order = null;
  const view = element("table", {}, element("caption", {}, caption));
  const head = element("tr");
  const headings = table.columns.map((column, i) => {
    const heading = element("th", {scope: "col"});
    heading.append(
      button(column.title, `sort by ${column.title}`, () => {
        order = {column: i, ascending: order?.column === i ? !order.ascending : true};
        headings.forEach((each, j) =>
          each.setAttribute(
            "aria-sort",
            j !== i ? "none" : order?.ascending ? "ascending" : "descending",
          ),
        );
        view.tBodies[0]?.replaceWith(body_of(table, order));
      }),
    );
    head.append(heading);
    return heading;
  });
  view.append(element("thead", {}, head), body_of(table, order));
  const rest = table.rows.length - kMostRows;
  return element(
    "div",
    {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
    view,
    rest > 0 ? element("p", {class: "soft"}, `${rest} more rows are in the CSV file.`) : null,
  );
}

/** Closed at first, and made when it is opened: a page may have many. */
export function table_details(
  table: Table,
  caption: string,
  file: string,
): HTMLDetailsElement {
  const details = element(
    "details",
    {},
    element("summary", {}, `Table (${table.rows.length} rows)`),
  );
  details.addEventListener("toggle", () => {
    if (!details.open || details.childElementCount > 1) return;
    details.append(
      button("Save CSV", `save the table of ${caption} as CSV`, () =>
        save(`${file}.csv`, "text/csv", csv(table)),
      ),
      table_element(table, caption),
    );
  });
  return details;
}
