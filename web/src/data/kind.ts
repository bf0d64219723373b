import type {Kind, KindPoint} from "./payload";

/** A name for files. */
export function kind_name(kind: Kind, index: number): string {
  const letters = kind.title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return `${index + 1}-${letters}`;
}

export function features_text(kind: Kind, features: readonly number[]): string {
  return kind.feature_names.map((name, i) => `${name} ${features[i]}`).join(", ");
}

/** In the order they were chosen; those of which it is not known last. */
export function in_order_chosen(kind: Kind): KindPoint[] {
  return [...kind.points].sort((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity));
}

/** Kinds of one title but different roles, told apart. */
export function with_own_titles(kinds: readonly Kind[]): Kind[] {
  const count = (title: string) => kinds.filter((kind) => kind.title === title).length;
  return kinds.map((kind) =>
    count(kind.title) > 1 ? {...kind, title: `${kind.title}, ${kind.role}`} : kind,
  );
}
