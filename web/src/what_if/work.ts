import type {Field} from "./field";

/** What a block computes and moves in a training step. */
export interface Work {
  readonly flops: number;
  readonly bytes: number;
}

/** Of the second degree in u = feature / multiple, in Newton's form over u = 1, 2, 3. */
class Polynomial {
  private readonly coefficients: number[];  // f(1), Δi, Δij for i ≤ j row by row

  constructor(field: Field, features: number) {
    this.coefficients = field.numbers();
    if (this.coefficients.length !== 1 + features + (features * (features + 1)) / 2)
      field.fail("does not have as many coefficients as the features ask for");
  }

  /** `beyond` are u − 1. */
  at(beyond: readonly number[]): number {
    let value = this.coefficients[0], pair = 1 + beyond.length;
    for (let i = 0; i < beyond.length; ++i) {
      value += beyond[i] * this.coefficients[1 + i];
      value += ((beyond[i] * (beyond[i] - 1)) / 2) * this.coefficients[pair++];
      for (let j = i + 1; j < beyond.length; ++j)
        value += beyond[i] * beyond[j] * this.coefficients[pair++];
    }
    return value;
  }
}

/** The work of a kind at any features. */
export class KindWork {
  private readonly flops: Polynomial;
  private readonly bytes: Polynomial;

  constructor(field: Field, private readonly multiples: readonly number[]) {
    this.flops = new Polynomial(field.at("flops"), multiples.length);
    this.bytes = new Polynomial(field.at("bytes"), multiples.length);
  }

  at(features: readonly number[]): Work {
    const beyond = features.map((feature, i) => feature / this.multiples[i] - 1);
    return {flops: this.flops.at(beyond), bytes: this.bytes.at(beyond)};
  }
}
