import {unpack_doubles, unpack_floats} from "./packed";

/** A value of a document that knows where it stands, so that every complaint does. */
export class Field {
  constructor(private readonly value: unknown, private readonly path: string) {}

  has(key: string): boolean {
    return this.object()[key] != null;
  }

  at(key: string): Field {
    return new Field(this.object()[key], this.path === "" ? key : `${this.path}.${key}`);
  }

  items(): Field[] {
    if (!Array.isArray(this.value)) this.fail("must be a list");
    return this.value.map((item: unknown, i) => new Field(item, `${this.path}[${i}]`));
  }

  text(): string {
    if (typeof this.value !== "string") this.fail("must be a text");
    return this.value;
  }

  number(): number {
    if (typeof this.value !== "number" || !isFinite(this.value)) this.fail("must be a number");
    return this.value;
  }

  boolean(): boolean {
    if (typeof this.value !== "boolean") this.fail("must be true or false");
    return this.value;
  }

  numbers(): number[] {
    return this.items().map((item) => item.number());
  }

  /** A whole number from 0 to below `count`. */
  index(count: number): number {
    const value = this.number();
    if (!Number.isInteger(value) || value < 0 || value >= count) this.fail("is out of range");
    return value;
  }

  /** Of the key, 0 where it is not there. */
  number_of(key: string): number {
    return this.has(key) ? this.at(key).number() : 0;
  }

  doubles(): Float64Array {
    return this.unpacked(unpack_doubles);
  }

  floats(): Float32Array {
    return this.unpacked(unpack_floats);
  }

  fail(what: string): never {
    throw new Error(`the what-if: ${this.path || "it"} ${what}`);
  }

  private unpacked<Numbers>(unpack: (text: string) => Numbers): Numbers {
    const text = this.text();
    try {
      return unpack(text);
    } catch (error) {
      this.fail(error instanceof Error ? error.message : String(error));
    }
  }

  private object(): Readonly<Record<string, unknown>> {
    if (typeof this.value !== "object" || this.value === null || Array.isArray(this.value))
      this.fail("must be an object");
    return this.value as Readonly<Record<string, unknown>>;
  }
}
