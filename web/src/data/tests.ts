// Test points of kinds, and how far the fits are off there.
import {mean} from "../base/statistics";
import type {Kind, KindTest} from "./payload";

export function tests_of(kind: Kind): readonly KindTest[] {
  return kind.tests ?? [];
}

/** In joules, as in Fig. 12 of the paper. */
export function difference_j(test: KindTest): number {
  return test.estimated_j.mean - test.energy_j;
}

/** Of the fit and of the measurement together. */
export function difference_sd(test: KindTest): number {
  return Math.hypot(test.estimated_j.stddev, test.energy_sd);
}

/** Mean over those that have one; null where none has. */
export function mean_difference(tests: readonly KindTest[]): number | null {
  const off = tests.flatMap((t) =>
    t.relative_difference == null ? [] : [Math.abs(t.relative_difference)],
  );
  return off.length > 0 ? mean(off) : null;
}

export function worst_test(tests: readonly KindTest[]): KindTest | null {
  const size = (t: KindTest) => Math.abs(t.relative_difference ?? 0);
  return tests.reduce<KindTest | null>(
    (worst, t) =>
      t.relative_difference == null || (worst && size(worst) >= size(t)) ? worst : t,
    null,
  );
}
