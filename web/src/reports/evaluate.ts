import {counted, in_words, percent} from "../base/format";
import type {Figure} from "../chart/figure";
import {accuracy_bars} from "../figures/accuracy_bars";
import {accuracy_methods} from "../figures/accuracy_methods";
import {additivity, shows_additivity} from "../figures/additivity";
import {coverage} from "../figures/coverage";
import {error_cdf} from "../figures/error_cdf";
import {estimated_measured} from "../figures/estimated_measured";
import {intervals} from "../figures/intervals";
import {profiling_cost} from "../figures/profiling_cost";
import {time_energy} from "../figures/time_energy";
import {
  cell_name,
  cell_title,
  compared,
  compared_methods,
  measured_networks,
  on_a_steady_host,
  other_errors,
  with_own_names,
} from "../data/evaluation";
import {kUsualMethods, method_title} from "../data/methods";
import {found_as} from "../data/origin";
import type {EvaluateContent, Evaluation} from "../data/payload";
import type {Fact, ReportDocument, Section} from "./document";

function steady_bars(evaluations: readonly Evaluation[], methods: readonly string[]): Figure[] {
  const steady = on_a_steady_host(evaluations);
  if (steady.length < 2) return [];
  const bars = accuracy_bars(steady, methods);
  return [
    {...bars, name: "accuracy-steady-host", title: "The same with the host's drift taken out"},
  ];
}

/** The steps of a suite do not say what was measured for them. */
function knows_seconds(evaluations: readonly Evaluation[]): boolean {
  return evaluations.some((evaluation) =>
    Object.values(evaluation.methods).some((score) => score.seconds > 0),
  );
}

function overview(evaluations: readonly Evaluation[], methods: readonly string[]): Section {
  const several = evaluations.length > 1;
  return {
    id: "overview",
    title: several ? "All cells together" : "At a glance",
    text:
      "The error is that of the estimated energy of a training iteration against the measured one. " +
      "Repeat noise is the error of measuring the same network twice: no method can honestly be better.",
    figures: [
      several ? accuracy_bars(evaluations, methods) : accuracy_methods(evaluations[0]!, methods),
      ...(several ? steady_bars(evaluations, methods) : []),
      ...(several ? [error_cdf(evaluations, methods, "error-cdf")] : []),
      ...(knows_seconds(evaluations) ? [profiling_cost(evaluations, methods)] : []),
      ...(several ? [time_energy(evaluations, "time-vs-energy")] : []),
    ],
  };
}

function facts_of(evaluation: Evaluation, methods: readonly string[]): Fact[] {
  const facts: Fact[] = methods.slice(0, 2).flatMap((method) => {
    const score = evaluation.methods[method];
    if (score?.mape == null) return [];
    const note = other_errors(score).join("; ") || undefined;
    return [{label: `mean error, ${method_title(method)}`, value: percent(score.mape), note}];
  });
  const noise = evaluation.repeat_noise.mape;
  if (noise != null) facts.push({label: "repeat noise", value: percent(noise)});
  return facts;
}

function cell(evaluation: Evaluation, methods: readonly string[]): Section {
  const stated = methods.find((method) =>
    compared(evaluation, method).some(({estimate}) => estimate.low != null),
  );
  const failures = evaluation.networks.filter((network) => network.failure);
  return {
    id: cell_name(evaluation),
    title: cell_title(evaluation),
    text: `${counted(measured_networks(evaluation).length, "network")}, each estimated before it was measured.`,
    facts: facts_of(evaluation, methods),
    notes: failures.map((network) => `${network.model}: not measured: ${network.failure}`),
    figures: [
      ...(shows_additivity(evaluation) ? [additivity(evaluation, methods)] : []),
      estimated_measured(evaluation, methods),
      error_cdf(
        [evaluation],
        methods,
        `error-cdf-${cell_name(evaluation)}`,
        cell_title(evaluation),
      ),
      coverage(evaluation, methods),
      ...(stated ? [intervals(evaluation, stated)] : []),
      time_energy([evaluation], `time-vs-energy-${cell_name(evaluation)}`, cell_title(evaluation)),
    ],
  };
}

export function evaluate_document(content: EvaluateContent): ReportDocument {
  const evaluations = with_own_names(content.evaluations ?? []);
  const first = evaluations[0];
  if (!first) throw new Error("This report holds no evaluation.");
  const methods = compared_methods(evaluations);
  const usual = methods.filter((method) => kUsualMethods.includes(method));
  const families = [...new Set((content.evaluations ?? []).map((evaluation) => evaluation.family))];
  const devices = [...new Set(evaluations.map((evaluation) => evaluation.device.name))];
  const networks = evaluations.reduce(
    (sum, evaluation) => sum + measured_networks(evaluation).length,
    0,
  );
  return {
    lead: `How close estimates of training energy come, on ${counted(networks, "network")} of ${in_words(families)}.`,
    device: devices.length > 1 ? {name: in_words(devices)} : (first.environment ?? first.device),
    origins: found_as(evaluations.map((evaluation) => evaluation.source)),
    setup: evaluations.length === 1 ? first.setup : undefined,
    choices: methods.map((value) => ({
      value,
      title: method_title(value),
      chosen: usual.length === 0 || usual.includes(value),
    })),
    sections: (chosen) => {
      const shown = methods.filter((method) => chosen.includes(method));
      return [
        overview(evaluations, shown),
        ...evaluations.map((evaluation) => cell(evaluation, shown)),
      ];
    },
  };
}
