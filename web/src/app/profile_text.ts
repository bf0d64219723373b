// A profile in words.
import {counted, kNone, percent, signed_percent} from "../base/format";
import type {Source} from "../data/payload";
import type {Profile} from "./answers";

export function setup_text({setup}: Profile): string {
  if (setup.batch == null) return "any network, batch and optimizer";
  return [`batch ${setup.batch}`, setup.optimizer, setup.precision].filter(Boolean).join(", ");
}

export function profile_title(profile: Profile): string {
  return `${profile.id}: ${profile.device.name} (${setup_text(profile)})`;
}

export function source_of(profile: Profile): Source | null {
  return profile.source ?? (profile.device.source as Source | undefined) ?? null;
}

const kAges: readonly (readonly [number, string])[] = [
  [86400, "day"],
  [3600, "hour"],
  [60, "minute"],
  [1, "second"],
];

export function age_text(seconds: number | null | undefined): string {
  if (seconds == null) return "unknown";
  const [size, name] = kAges.find(([each]) => seconds >= 2 * each) ?? [1, "second"];
  return counted(Math.max(0, Math.floor(seconds / size)), name);
}

/** How far measured energy was from the estimates since. */
export function drift_text({drift}: Profile): string {
  if (!drift || drift.ratio == null) return "unknown: never checked";
  return `${signed_percent(drift.ratio - 1)} in ${counted(drift.checks, "check")}`;
}

export function error_text({error}: Profile): string {
  if (!error) return "unknown: not tested";
  return `${percent(error.energy)} over ${counted(error.networks, "network")}`;
}

export function methods_text(profile: Profile): string {
  return (profile.methods ?? profile.method ?? []).join(", ") || kNone;
}
