// What the energies of a page are called: an estimate is never called measured.
import type {EnergyOrigin, Source} from "./payload";

const kFound: Readonly<Record<Source, string>> = {
  measured: "it was read from a meter.",
  modelled: "there was no meter; it is time multiplied by a power model.",
  simulated: "the device is simulated; neither time nor energy was measured.",
};

const kProfiled: Readonly<Record<Source, string>> = {
  measured: "from a profile whose energy was measured by a meter.",
  modelled: "from a profile without a meter, whose energy is time multiplied by a power model.",
  simulated: "from a profile of a simulated device; neither time nor energy was measured.",
};

function origins(sources: readonly Source[], estimated: boolean): EnergyOrigin[] {
  return [...new Set(sources)].map((source) => ({source, estimated}));
}

/** Of estimates, by the sources of the profiles that answered. */
export function estimated_from(sources: readonly Source[]): EnergyOrigin[] {
  return origins(sources, true);
}

/** Of networks or jobs that ran. */
export function found_as(sources: readonly Source[]): EnergyOrigin[] {
  return origins(sources, false);
}

/** A word or two; what is modelled or simulated says so in estimates as well. */
export function origin_word({source, estimated}: EnergyOrigin): string {
  if (!estimated) return source;
  return source === "measured" ? "estimated" : `estimated, ${source}`;
}

/** A sentence without its subject; the title of a badge. */
export function origin_text({source, estimated}: EnergyOrigin): string {
  return (estimated ? kProfiled[source] : kFound[source]) ?? "";
}

/** A whole sentence per origin. */
export function origin_sentence(origin: EnergyOrigin): string {
  return origin.estimated
    ? `Estimated ${origin_text(origin)}`
    : `${origin.source}: ${origin_text(origin)}`;
}
