// The columns that tables of a kind's points have in common.
import {with_unit} from "../base/format";
import type {Cell, Column, Table} from "../chart/table";
import type {Kind, KindPoint, KindTest} from "../data/payload";

const joules = (value: number) => with_unit(value, "J", 4);

export const kTestCell = "test";

interface Row {
  /** When it was measured, or that it is a test; null where it was not measured. */
  readonly order: Cell;
  readonly features: readonly number[];
  readonly energy_j: number | null;
  readonly energy_sd: number | null;
  readonly fitted_j: number | null;
  /** Cells of further columns. */
  readonly further?: readonly Cell[];
}

export function point_row(point: KindPoint, ...further: Cell[]): Row {
  return {...point, further};
}

export function test_row(test: KindTest, ...further: Cell[]): Row {
  return {...test, order: kTestCell, fitted_j: test.estimated_j.mean, further};
}

export function fitted_row(width: number, fitted_j: number, ...further: Cell[]): Row {
  return {order: null, features: [width], energy_j: null, energy_sd: null, fitted_j, further};
}

export function point_table(
  kind: Kind,
  rows: readonly Row[],
  further: readonly string[] = [],
): Table {
  const columns: Column[] = [
    {title: "order"},
    ...kind.feature_names.map((title) => ({title})),
    ...["measured", "±", "fitted", ...further].map((title) => ({title, format: joules})),
  ];
  return {
    columns,
    rows: rows.map((row) => [
      row.order,
      ...row.features,
      row.energy_j,
      row.energy_sd,
      row.fitted_j,
      ...(row.further ?? []),
    ]),
  };
}
