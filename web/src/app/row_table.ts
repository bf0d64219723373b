// Objects of the server as a table: one column per key, and the unit a key names.
import {percent, plain, with_unit} from "../base/format";
import type {Cell, Column, Table} from "../chart/table";

export type Row = Readonly<Record<string, unknown>>;

const kUnits: readonly (readonly [RegExp, (value: number) => string])[] = [
  [/_j(_|$)/, (value) => with_unit(value, "J", 4)],
  [/_s(_|$)/, (value) => with_unit(value, "s", 4)],
  [/_w(_|$)/, (value) => with_unit(value, "W", 4)],
  [/(^|[_ ])(mape|bias|error|share|coverage)/, (value) => percent(value)],
];

/** What a cell can show; null for what it cannot. */
function cell_of(value: unknown): Cell {
  if (value == null) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (Array.isArray(value)) return value.every((v) => typeof v !== "object") ? value.join(", ") : null;
  const {name, mean} = value as {name?: unknown; mean?: unknown};
  return typeof name === "string" ? name : typeof mean === "number" ? mean : null;
}

/** One level deep: of methods, each with its errors, the mean error of each. */
function flat(row: Row): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  for (const [key, value] of Object.entries(row)) {
    const cell = cell_of(value);
    if (cell !== null || value === null) cells.set(key, cell);
    else if (!Array.isArray(value))
      for (const [inner, each] of Object.entries(value as object)) {
        const error = (each as {mape?: unknown} | null)?.mape;
        if (typeof error === "number") cells.set(`error ${inner}`, error);
      }
  }
  return cells;
}

function column(key: string): Column {
  const title = key.replace(/_(j|s|w)(?=_|$)/, "").replace(/_/g, " ");
  return {title, format: kUnits.find(([named]) => named.test(key))?.[1] ?? ((v) => plain(v, 6))};
}

export function table_of(objects: readonly Row[]): Table {
  const rows = objects.map(flat);
  const keys = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  return {
    columns: keys.map(column),
    rows: rows.map((row) => keys.map((key) => row.get(key) ?? null)),
  };
}
