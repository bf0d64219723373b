// Figures without a browser: in an engine that has the language and nothing else.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import vm from "node:vm";

import { Reports } from "./reports.mjs";

let reports, bare;

before(() => {
  reports = Reports.open();
  bare = vm.createContext(Object.create(null));
  vm.runInContext(
    readFileSync(
      process.env.AMPERE_REPORT_JS ??
        new URL("../../web/dist/report.js", import.meta.url),
      "utf8",
    ),
    bare,
  );
});
after(() => reports.remove());

// Drawing them takes seconds, and several tests look at those of the same reports.
const drawn = new WeakMap();

function figures_of(payload) {
  if (!drawn.has(payload)) {
    bare.text = JSON.stringify(payload);
    drawn.set(
      payload,
      JSON.parse(vm.runInContext("ampere_report.figures(text)", bare)),
    );
  }
  return drawn.get(payload);
}

test("every report gives figures that are drawn to the end", () => {
  for (const { kind, payload } of reports.all) {
    const figures = figures_of(payload);
    assert.ok(figures.length > 0, kind);
    for (const { name, title, svg } of figures) {
      assert.match(name, /^[a-z0-9-]+$/);
      assert.ok(title.length > 0);
      assert.match(svg, /^<svg[^]*<\/svg>$/);
      assert.doesNotMatch(svg, /NaN|undefined|Infinity/, name);
    }
    assert.equal(
      new Set(figures.map(({ name }) => name)).size,
      figures.length,
      `${kind}: names are unique`,
    );
  }
});

test("the program writes the same figures into files", () => {
  for (const { kind, figures, payload } of reports.all) {
    const names = figures_of(payload)
      .map(({ name }) => `${name}.svg`)
      .sort();
    assert.deepEqual(
      readdirSync(figures)
        .filter((file) => file.endsWith(".svg"))
        .sort(),
      names,
      kind,
    );
  }
});

test("all figures are set in one type size", () => {
  for (const { payload } of reports.all)
    for (const { name, svg } of figures_of(payload))
      for (const [, size] of svg.matchAll(/font-size:\s*([\d.]+)px/g))
        assert.ok(Number(size) >= 10 && Number(size) <= 11, `${name}: ${size}`);
});

/** The rectangle between the axes, from the lines at its ticks. */
function plot_of(svg) {
  const lines = [...svg.matchAll(/d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"[^>]*stroke="#d4d4d4"/g)].map(
    ([, ...ends]) => ends.map(Number),
  );
  const across = lines.find(([, y, , to]) => y === to), up = lines.find(([x, , to]) => x === to);
  return {
    left: Math.min(across[0], across[2]),
    right: Math.max(across[0], across[2]),
    top: Math.min(up[1], up[3]),
    bottom: Math.max(up[1], up[3]),
  };
}

/** Where the texts are that say one of these names, as far as it can be told without a browser. */
function boxes_of(svg, names) {
  const number = (tag, pattern) => Number(pattern.exec(tag)?.[1] ?? 0);
  return [...svg.matchAll(/<text([^>]*)>([^<]*)<\/text>/g)]
    .filter(([, , text]) => names.includes(text))
    .map(([, tag, text]) => {
      const [, x, y] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(tag).map(Number);
      const size = number(tag, /font-size:([\d.]+)px/);
      const left = x + number(tag, / x="([-\d.]+)"/), middle = y + number(tag, / y="([-\d.]+)"/);
      assert.match(tag, /text-anchor="start"/);
      return { text, left, right: left + 0.5 * size * text.length, top: middle - size / 2, bottom: middle + size / 2 };
    });
}

test("names of alternatives stay between the axes, wherever the points are", () => {
  const places = [0.001, 0.999].flatMap((time) => [0.001, 0.999].map((energy) => [time, energy]));
  for (const [time, energy] of [...places, [0.5, 0.001], [0.5, 0.999], [0.001, 0.5], [0.999, 0.5]]) {
    const payload = structuredClone(reports.choose.payload);
    const [choices] = payload.content.choices;
    const known = choices.alternatives.filter((each) => each.energy_j);
    known.forEach((each, i) => {
      const at = (share) => 10 ** (i === 0 ? share : i === 1 ? 0 : i === 2 ? 1 : 0.5);
      for (const [cost, share] of [["time_s", time], ["energy_j", energy]])
        each[cost] = { ...each[cost], mean: at(share), low: at(share), high: at(share) };
    });
    const named = choices.alternatives.indexOf(known[0]);
    Object.assign(choices, { best: named, knee: null, least_energy: named, least_time: named });
    const { svg } = figures_of(payload).find(({ name }) => name === "pareto");
    const plot = plot_of(svg);
    const boxes = boxes_of(svg, [known[0].name]);
    assert.equal(boxes.length, 1, `${time} ${energy}`);
    for (const { text, left, right, top, bottom } of boxes)
      assert.ok(
        left > plot.left && right < plot.right && top > plot.top && bottom < plot.bottom,
        `${text} at ${time}, ${energy}: ${JSON.stringify({ left, right, top, bottom, plot })}`,
      );
  }
});

test("what names are called is never markup in a figure", () => {
  const payload = structuredClone(reports.prune.payload);
  payload.content.prunes[0].original.parts[0].kind =
    "<script>alert(1)</script>";
  for (const { svg } of figures_of(payload))
    assert.doesNotMatch(svg, /<script/);
});

test("widths are asked about without a page", (t) => {
  const module = process.env.AMPERE_WHAT_IF;
  if (!module) return t.skip("built without the estimators for the page");
  const { what_if, estimates } = reports.estimate.payload.content;
  bare.bytes = readFileSync(module);
  bare.what_if = JSON.stringify(what_if[0]);
  bare.widths = JSON.stringify(
    what_if[0].widths.map(({ original }) => original),
  );
  const [answer] = vm
    .runInContext(
      "ampere_report.what_if(new WebAssembly.Module(bytes), what_if, [widths])",
      bare,
    )
    .map(JSON.parse);
  const expected = estimates[0].energy_j_per_iteration;
  assert.ok(
    Math.abs(answer.energy_j_per_iteration.mean / expected.mean - 1) < 1e-6,
  );
  assert.ok(
    Math.abs(answer.energy_j_per_iteration.stddev / expected.stddev - 1) < 1e-6,
  );
});

test("what a choice ran on a simulated device is not called measured", () => {
  const payload = structuredClone(reports.choose.payload);
  const [choices] = payload.content.choices;
  const { name } = choices.alternatives[choices.best];
  const ran = { alternative: choices.best, name, energy_j: 1e5, time_s: 400, failure: null };
  const legend = (source) => {
    choices.checked = {
      held: null,
      pairs_held: 0,
      pairs_turned: 0,
      pairs_close: 0,
      measured: [{ ...ran, source }],
    };
    return figures_of(structuredClone(payload)).find((each) => each.name === "pareto").svg;
  };
  assert.match(legend("simulated"), />simulated</);
  assert.doesNotMatch(legend("simulated"), />measured</);
  assert.match(legend("measured"), />measured</);
});

test("the figures of a fleet name the source of its energies", () => {
  const job = (name, begin_s, end_s, spent_j) => ({
    name,
    kind: "xavier",
    node: "n2",
    state: "finished",
    reason: "",
    begin_s,
    end_s,
    estimated_j: { mean: 100, low: 90, high: 110 },
    reserved_j: 150,
    spent_j,
    assumed_j: 0,
    source: "simulated",
    power_most_w: 10,
  });
  const fleet = (sources) =>
    figures_of({
      ...reports.prune.payload,
      report: "fleet",
      content: {
        list: "nightly",
        jobs: [job("a", 0, 0.4, 104), job("b", 0.45, 0.9, 108)],
        power: [{ at_s: 0, power_w: 8, most_w: 10 }],
        cap_w: 20,
        accounts: [],
        sources,
      },
    });
  const axis = (sources) =>
    fleet(sources).find(({ name }) => name === "predicted-measured").svg;
  assert.match(axis(["simulated"]), />simulated, J</);
  assert.doesNotMatch(axis(["simulated"]), /measured/);
  assert.match(axis(["measured", "modelled"]), />reported, J</);
});
