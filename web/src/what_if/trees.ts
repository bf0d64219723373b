import type {Field} from "./field";

/** Boosted regression trees: the sum of what all of them say. */
export class Trees {
  private readonly start: number;
  private readonly columns: Int32Array;  // -1: a leaf
  private readonly numbers: Float64Array;  // a cut, or the value of a leaf
  private readonly rights: Int32Array;  // the left side begins with the next node
  private readonly roots: number[] = [];

  constructor(field: Field) {
    this.start = field.at("start").number();
    const packed = field.at("nodes").floats();
    const count = packed.length >> 1;
    this.columns = new Int32Array(count);
    this.numbers = new Float64Array(count);
    this.rights = new Int32Array(count);
    for (let i = 0; i < count; ++i) {
      this.columns[i] = packed[2 * i];
      this.numbers[i] = packed[2 * i + 1];
    }
    for (let root = 0; root < count; root = this.end_of(root, field)) this.roots.push(root);
  }

  at(row: readonly number[]): number {
    let value = this.start;
    for (const root of this.roots) {
      let node = root;
      while (this.columns[node] >= 0)
        node = row[this.columns[node]] > this.numbers[node] ? this.rights[node] : node + 1;
      value += this.numbers[node];
    }
    return value;
  }

  /** Where what stands below a node ends. */
  private end_of(node: number, field: Field): number {
    if (node >= this.columns.length) field.at("nodes").fail("ends inside a tree");
    if (this.columns[node] < 0) return node + 1;
    this.rights[node] = this.end_of(node + 1, field);
    return this.end_of(this.rights[node], field);
  }
}
