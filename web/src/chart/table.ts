import {with_unit} from "../base/format";

/** What stands behind a figure: the numbers as they are, and how they are written. */
export interface Column {
  readonly title: string;
  /** How a number is written; without it, as it is. */
  readonly format?: (value: number) => string;
}

export type Cell = string | number | boolean | null;

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

interface Cost {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** A mean and the ends of its interval, in the columns that cost_columns() gives. */
export function cost_cells(cost: Cost): Cell[] {
  return [cost.mean, cost.low, cost.high];
}

/** "energy per sequence", "energy, low", "energy, high". */
export function cost_columns(title: string, what: "energy" | "time"): Column[] {
  const format = (value: number) => with_unit(value, what === "energy" ? "J" : "s", 4);
  return [title, `${what}, low`, `${what}, high`].map((each) => ({title: each, format}));
}

export function cell_text(cell: Cell | undefined, column: Column): string {
  if (cell == null) return "–";
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  if (typeof cell === "string") return cell;
  return column.format ? column.format(cell) : String(cell);
}

function csv_field(cell: Cell): string {
  const text = cell == null ? "" : String(cell);
  return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** With every digit, for other programs. */
export function csv(table: Table): string {
  const lines = [table.columns.map((column) => csv_field(column.title))];
  for (const row of table.rows) lines.push(row.map(csv_field));
  return lines.map((line) => line.join(",") + "\n").join("");
}
