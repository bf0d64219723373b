// Matérn 5/2: variance · (1 + s + s²/3) e^(−s) with s = √5 r.

import type {Field} from "./field";

/** Rows one after the other. */
export interface Rows {
  readonly count: number;
  readonly columns: number;
  readonly values: Float64Array;
}

/** From a matrix that travels column by column. */
export function read_rows(field: Field, columns: number): Rows {
  const packed = field.doubles();
  const count = columns === 0 ? 0 : packed.length / columns;
  if (!Number.isInteger(count) || (columns === 0 && packed.length > 0))
    field.fail("does not have as many numbers in each row");
  const values = new Float64Array(packed.length);
  for (let row = 0; row < count; ++row)
    for (let column = 0; column < columns; ++column)
      values[row * columns + column] = packed[column * count + row];
  return {count, columns, values};
}

/** With every column times √5 / length scale, so that plain distances are s. */
export function scaled(rows: Rows, length_scales: ArrayLike<number>): Rows {
  const values = rows.values.slice();
  for (let i = 0; i < values.length; ++i)
    values[i] *= Math.sqrt(5) / length_scales[i % rows.columns];
  return {...rows, values};
}

export function rows_of(points: readonly ArrayLike<number>[], columns: number): Rows {
  const values = new Float64Array(points.length * columns);
  points.forEach((point, i) => values.set(point, i * columns));
  return {count: points.length, columns, values};
}

/** Of row i of a and row j of b, both scaled. */
export function covariance(a: Rows, i: number, b: Rows, j: number, variance: number): number {
  const columns = a.columns;
  let squares = 0;
  for (let d = 0; d < columns; ++d) {
    const difference = a.values[i * columns + d] - b.values[j * columns + d];
    squares += difference * difference;
  }
  const s = Math.sqrt(squares);
  return variance * (1 + s + squares / 3) * Math.exp(-s);
}
