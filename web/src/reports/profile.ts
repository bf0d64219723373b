import {counted, percent, signed_percent, whole, with_unit} from "../base/format";
import {features_text, in_order_chosen, kind_name, with_own_titles} from "../data/kind";
import {found_as} from "../data/origin";
import type {
  Dual,
  Kind,
  KindPoint,
  KindTest,
  ProfileContent,
  Source,
  Window,
} from "../data/payload";
import {mean_difference, tests_of, worst_test} from "../data/tests";
import {agreement, type PairGroup} from "../figures/agreement";
import {energy_flops} from "../figures/energy_flops";
import {kind_curve, kind_steps, shows_steps} from "../figures/kind_curve";
import {kind_slices} from "../figures/kind_slices";
import {kind_surface} from "../figures/kind_surface";
import {kTestCell} from "../figures/point_table";
import {residuals} from "../figures/residuals";
import {shows_differences, test_differences} from "../figures/test_differences";
import {shows_uncertainty, uncertainty} from "../figures/uncertainty";
import {element} from "../page/dom";
import {window_table, type Openable} from "../page/window_table";
import type {Fact, Panel, ReportDocument, Section} from "./document";

type Windows = readonly (readonly Window[])[];

const kMostOpenable = 300;

/** Made when it is opened: a profile may have thousands of points. */
function windows_panel(
  title: string,
  columns: readonly string[],
  rows: readonly Openable[],
  windows: Windows,
): Panel {
  return {
    title,
    build: () => {
      const details = element(
        "details",
        {class: "windows"},
        element("summary", {}, `${title} (${rows.length})`),
      );
      details.addEventListener("toggle", () => {
        if (!details.open || details.childElementCount > 1) return;
        details.append(window_table(columns, rows.slice(0, kMostOpenable), windows, title));
        if (rows.length > kMostOpenable)
          details.append(
            element(
              "p",
              {class: "soft"},
              `The first ${kMostOpenable} of ${whole(rows.length)} are listed here.`,
            ),
          );
      });
      return details;
    },
  };
}

function openable(kind: Kind, point: KindPoint | KindTest, order: string): Openable {
  return {
    cells: [
      order,
      features_text(kind, point.features),
      with_unit(point.energy_j, "J"),
      with_unit(point.time_s, "s"),
      point.taken_at ?? "–",
    ],
    windows: point.windows,
  };
}

function kind_facts(kind: Kind): Fact[] {
  const worst = worst_test(tests_of(kind));
  return [
    ...(kind.constant
      ? [
          {
            label: "energy an iteration",
            value: with_unit(kind.constant.mean, "J"),
            note: `± ${with_unit(kind.constant.stddev, "J")}; this kind has no width`,
          },
        ]
      : []),
    ...(worst
      ? [
          {
            label: "error at test points",
            value: percent(mean_difference(tests_of(kind))),
            note: `at worst ${signed_percent(worst.relative_difference)}, at ${features_text(kind, worst.features)}`,
          },
        ]
      : []),
  ];
}

function kind_notes(kind: Kind): string[] {
  return [
    ...(kind.points_left_out ? [`${whole(kind.points_left_out)} more points are not shown.`] : []),
    ...(kind.tests_failed
      ? [`${counted(kind.tests_failed, "test point")} could not be measured.`]
      : []),
    ...(kind.more_tests ? ["There are more test points than are shown."] : []),
  ];
}

function kind_section(kind: Kind, index: number, windows: Windows): Section {
  const points = in_order_chosen(kind),
    tests = tests_of(kind);
  const figures = [
    ...(kind.curve ? [kind_curve(kind, index)] : []),
    ...(kind.surface ? [kind_surface(kind, index), kind_slices(kind, index)] : []),
    ...(shows_differences(kind) ? [test_differences(kind, index)] : []),
    ...(points.some((p) => p.fitted_j != null) ? [residuals(kind, index)] : []),
    ...(points.filter((p) => p.training_flops).length > 2 ? [energy_flops(kind, index)] : []),
    ...(kind.curve && shows_steps(kind) ? [kind_steps(kind, index)] : []),
  ];
  const rows = [
    ...points.map((p) => openable(kind, p, String(p.order ?? "–"))),
    ...tests.map((test) => openable(kind, test, kTestCell)),
  ];
  return {
    id: kind_name(kind, index),
    title: kind.title,
    text: `${kind.role[0]?.toUpperCase()}${kind.role.slice(1)} block; ${counted(points.length, "point")}, each after subtraction of the blocks beside it${tests.length > 0 ? `; ${counted(tests.length, "random test point")} that nothing was fitted to` : ""}.`,
    facts: kind_facts(kind),
    notes: kind_notes(kind),
    figures,
    panels: [
      windows_panel(
        "Points and their raw windows",
        ["order", "widths", "energy", "time", "measured at"],
        rows,
        windows,
      ),
    ],
  };
}

function network_pairs(dual: Dual, quantity: "j" | "s"): PairGroup[] {
  const pairs = (dual.networks ?? []).flatMap((network) => {
    const [measured, predicted] =
      quantity === "j"
        ? [network.measured_j, network.fitted_j]
        : [network.measured_s, network.fitted_s];
    return predicted == null || !(measured > 0) || !(predicted > 0)
      ? []
      : [{name: network.model, measured, predicted}];
  });
  return pairs.length > 0 ? [{title: "networks", pairs}] : [];
}

function timing_groups(dual: Dual): PairGroup[] {
  return (dual.timings ?? [])
    .map((kind) => ({
      title: kind.title,
      pairs: kind.points.flatMap((p) =>
        p.predicted_device_s == null || !(p.device_s > 0) || !(p.predicted_device_s > 0)
          ? []
          : [
              {
                name: `${kind.title}: ${kind.feature_names.map((name, i) => `${name} ${p.features[i]}`).join(", ")}`,
                measured: p.device_s,
                predicted: p.predicted_device_s,
              },
            ],
      ),
    }))
    .filter(({pairs}) => pairs.length > 0);
}

function dual_section(dual: Dual, windows: Windows): Section {
  const timings = timing_groups(dual);
  const energies = network_pairs(dual, "j"),
    times = network_pairs(dual, "s");
  const facts: Fact[] = [];
  if (dual.check)
    facts.push({
      label: "error on networks left out",
      value: percent(dual.check.energy_mape),
      note: `energy; time ${percent(dual.check.time_mape)}; ${counted(dual.check.networks, "network")}`,
    });
  if (dual.ready_w != null)
    facts.push({label: "power while it waits", value: with_unit(dual.ready_w, "W")});
  const rows = (dual.networks ?? []).map((network) => ({
    cells: [
      network.model,
      with_unit(network.measured_j, "J"),
      with_unit(network.fitted_j, "J"),
      with_unit(network.measured_s, "s"),
      network.taken_at ?? "–",
    ],
    windows: network.windows ?? null,
  }));
  return {
    id: "dual",
    title: "Our method: blocks alone and whole networks",
    text: "Blocks are timed alone; small and whole networks are trained under the energy meter. From both, host time, device time and the energy of the work are modelled apart.",
    facts,
    figures: [
      ...(energies.length > 0
        ? [
            agreement(energies, {
              name: "dual-networks-energy",
              title: "Energy of whole networks",
              of_what: "Networks, fitted and measured",
              unit: "J",
            }),
          ]
        : []),
      ...(times.length > 0
        ? [
            agreement(times, {
              name: "dual-networks-time",
              title: "Time of whole networks",
              of_what: "Networks, fitted and measured",
              unit: "s",
            }),
          ]
        : []),
      ...(timings.length > 0
        ? [
            {
              ...agreement(timings, {
                name: "dual-timings",
                title: "Device time of blocks alone",
                of_what: "Blocks, predicted by the maps and timed",
                unit: "s",
              }),
              wide: true,
            },
          ]
        : []),
    ],
    panels:
      rows.length > 0
        ? [
            windows_panel(
              "Networks and their raw windows",
              ["network", "measured", "fitted", "time", "measured at"],
              rows,
              windows,
            ),
          ]
        : [],
    notes: dual.more_networks ? ["The profile has more networks than are shown."] : [],
  };
}

function tests_fact(kinds: readonly Kind[]): Fact[] {
  const tests = kinds.flatMap(tests_of);
  const off = mean_difference(tests);
  if (off == null) return [];
  const tested = kinds.filter((kind) => tests_of(kind).length > 0).length;
  return [
    {
      label: "error at test points",
      value: percent(off),
      note: `energy of single kinds; ${counted(tests.length, "random point")} of ${counted(tested, "kind")}, never fitted to`,
    },
  ];
}

function overview(content: ProfileContent, kinds: readonly Kind[]): Section {
  const {profile} = content;
  const notes = [
    ...(content.kinds_reason ? [`No fits of the published method: ${content.kinds_reason}`] : []),
    ...(content.dual_reason ? [`Nothing of our own method: ${content.dual_reason}`] : []),
    ...(content.windows_left_out
      ? [
          `Raw windows of ${counted(content.windows_left_out, "measurement")} were left out for want of room.`,
        ]
      : []),
  ];
  return {
    id: "overview",
    title: "At a glance",
    facts: [
      {label: "kinds of blocks", value: whole(profile.kinds)},
      {
        label: "networks measured",
        value: whole(profile.points),
        note: profile.failures > 0 ? `${counted(profile.failures, "failure")} beside` : undefined,
      },
      ...tests_fact(kinds),
      {label: "last measured", value: profile.updated_at.replace("T", " ").replace("Z", " UTC")},
    ],
    notes,
    figures: shows_uncertainty(kinds) ? [uncertainty(kinds)] : [],
  };
}

export function profile_document(content: ProfileContent): ReportDocument {
  const windows = content.windows ?? [];
  const {profile} = content;
  const kinds = with_own_titles(content.kinds);
  return {
    lead: "What blocks of networks cost on this device, as it was measured and as it is fitted.",
    device: profile.device,
    origins: found_as([(profile.device.source ?? "measured") as Source]),
    setup: profile.setup,
    choices: [],
    sections: () => [
      overview(content, kinds),
      ...(content.dual ? [dual_section(content.dual, windows)] : []),
      ...kinds.map((kind, i) => kind_section(kind, i, windows)),
    ],
  };
}
