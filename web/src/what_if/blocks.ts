import type {Field} from "./field";
import {read_form, value_of, type Form} from "./widths";
import {KindWork, type Work} from "./work";

export interface Kind {
  readonly key: string;
  readonly title: string;
  readonly role: string;
  readonly work: KindWork | null;
  readonly field: Field;  // where the rest stands: what a method knows of it
}

/** A block at given widths. */
export interface SizedBlock {
  readonly kind: number;
  readonly features: readonly number[];
  readonly work: Work | null;  // null where nothing reads it
}

interface Place {
  readonly kind: number;
  readonly features: readonly Form[];
  readonly work: Work | null;  // where no width moves the block
}

function read_kind(field: Field): Kind {
  const multiples = field.at("features").items().map((item) => item.at("multiple_of").number());
  return {
    key: field.at("key").text(),
    title: field.at("title").text(),
    role: field.at("role").text(),
    work: field.has("work") ? new KindWork(field.at("work"), multiples) : null,
    field,
  };
}

function read_work(field: Field): Work {
  const [flops, bytes] = field.items();
  return {flops: flops.number(), bytes: bytes.number()};
}

/** The blocks of a network as functions of its widths. */
export class Blocks {
  readonly kinds: readonly Kind[];
  private readonly places: readonly Place[];

  constructor(document: Field, widths: number) {
    this.kinds = document.at("kinds").items().map(read_kind);
    this.places = document.at("blocks").items().map((item) => ({
      kind: item.at("kind").index(this.kinds.length),
      features: item.at("features").items().map((form) => read_form(form, widths)),
      work: item.has("work") ? read_work(item.at("work")) : null,
    }));
  }

  /** In the order of the network. */
  at(widths: readonly number[]): SizedBlock[] {
    return this.places.map(({kind, features, work}) => {
      const values = features.map((form) => value_of(form, widths));
      return {kind, features: values, work: work ?? this.kinds[kind].work?.at(values) ?? null};
    });
  }
}

/** Equal blocks once, each with its count. */
export interface CountedBlock {
  readonly block: SizedBlock;
  count: number;
}

export function counted(blocks: readonly SizedBlock[]): CountedBlock[] {
  const found = new Map<string, CountedBlock>();
  for (const block of blocks) {
    const key = `${block.kind}:${block.features.join()}`;
    const equal = found.get(key);
    if (equal) ++equal.count;
    else found.set(key, {block, count: 1});
  }
  return [...found.values()];
}
