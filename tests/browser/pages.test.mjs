// Reports in a real browser, from file://.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";

import { chromium_path, drawn, launch, open, table_of } from "./browser.mjs";
import { Reports, run_json } from "./reports.mjs";

if (!chromium_path) {
  console.log("skipped: no Chromium here; scripts/setup installs it");
  process.exit(0);
}

const blue = "#0072b2"; // of dual, on a light page
const red = "#c8102e"; // of test points
const computes = Boolean(process.env.AMPERE_WHAT_IF);
let reports, browser;

before(async () => {
  reports = Reports.open();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  reports?.remove();
});

test("every report opens without an error and asks for nothing", async () => {
  for (const { kind, file } of reports.all) {
    const { page, complaints } = await open(browser, file);
    const figures = await page.locator("figure.card").count();
    assert.ok(figures > 0, kind);
    assert.equal(
      await page.locator("figure.card .chart svg").count(),
      figures,
      `${kind}: every figure is drawn`,
    );
    assert.equal(await page.locator("h1").count(), 1);
    assert.equal(
      await page.locator("figure.card figcaption:empty").count(),
      0,
      `${kind}: every figure says what it shows`,
    );
    assert.equal(
      await page.locator("figure.card details").count(),
      figures,
      `${kind}: every figure has a table`,
    );
    assert.deepEqual(complaints, [], kind);
    await page.close();
  }
});

test("a phone shows every report without scrolling sideways, light and dark", async () => {
  for (const { kind, file } of reports.all) {
    for (const scheme of ["light", "dark"]) {
      const { page, complaints } = await open(browser, file, {
        width: 375,
        height: 800,
        scheme,
      });
      const [wide, inside] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        innerWidth,
      ]);
      assert.ok(wide <= inside, `${kind}: ${wide} > ${inside}`);
      const drawn_wide = await page
        .locator(".chart svg")
        .evaluateAll((all) =>
          Math.max(...all.map((svg) => svg.getBoundingClientRect().right)),
        );
      assert.ok(
        drawn_wide <= inside,
        `${kind}: a figure ends at ${drawn_wide}`,
      );
      assert.deepEqual(complaints, [], kind);
      await page.close();
    }
  }
});

test("estimated against measured has a point for every network", async () => {
  const { page } = await open(browser, reports.evaluate.file);
  const marks = page.locator(
    `[data-figure^="estimated-vs-measured"] svg path[fill="${blue}"]`,
  );
  assert.equal(await marks.count(), reports.evaluation.networks.length);
  await page.close();
});

test("tables hold what was evaluated", async () => {
  const { page } = await open(browser, reports.evaluate.file);
  const name = await page
    .locator('[data-figure^="estimated-vs-measured"]')
    .getAttribute("data-figure");
  const { head, rows } = await table_of(page, name);
  const { networks } = reports.evaluation;
  assert.equal(rows.length, networks.length);
  const at = head.indexOf("dual (ours)");
  networks.forEach((network, i) => {
    assert.equal(rows[i][0], network.model);
    const [number, unit] = rows[i][at].split(" ");
    const joules = Number(number) * { J: 1, mJ: 1e-3, kJ: 1e3 }[unit];
    assert.ok(
      Math.abs(joules / network.estimates.dual.mean - 1) < 1e-3,
      rows[i][at],
    );
  });
  await page.close();
});

test("a table sorts by a column, and back", async () => {
  const { page } = await open(browser, reports.evaluate.file);
  const { rows } = await table_of(page, "accuracy");
  const heading = page
    .locator('[data-figure="accuracy"] th', { hasText: "mean error" })
    .first();
  await heading.locator("button").click();
  assert.equal(await heading.getAttribute("aria-sort"), "ascending");
  await heading.locator("button").click();
  assert.equal(await heading.getAttribute("aria-sort"), "descending");
  const sorted = (await table_of(page, "accuracy")).rows;
  assert.deepEqual([...sorted].sort(), [...rows].sort());
  await page.close();
});

test("a method that is unticked leaves every figure", async () => {
  const { page, complaints } = await open(browser, reports.evaluate.file);
  await page.getByRole("checkbox", { name: "dual (ours)" }).uncheck();
  await drawn(page);
  assert.equal(
    await page
      .locator(
        `[data-figure^="estimated-vs-measured"] svg path[fill="${blue}"]`,
      )
      .count(),
    0,
  );
  assert.deepEqual(complaints, []);
  await page.close();
});

test("all can be reached and read with the keyboard alone", async () => {
  const { page } = await open(browser, reports.evaluate.file);
  const seen = new Set();
  for (let i = 0; i < 40; ++i) {
    await page.keyboard.press("Tab");
    seen.add(
      await page.evaluate(() => {
        const at = document.activeElement;
        const outline = getComputedStyle(at);
        return `${at.tagName} ${at.className} ${outline.outlineStyle !== "none" ? "visible" : "hidden"}`;
      }),
    );
  }
  for (const wanted of [
    "BUTTON  visible",
    "A  visible",
    "INPUT  visible",
    "DIV chart visible",
    "SUMMARY  visible",
  ])
    assert.ok(seen.has(wanted), `${wanted} among ${[...seen].join(", ")}`);
  const chart = page.locator('[data-figure^="estimated-vs-measured"] .chart');
  await chart.focus();
  await page.keyboard.press("ArrowRight");
  const spoken = page.locator('[data-figure^="estimated-vs-measured"] .spoken');
  assert.match(await spoken.textContent(), /^lstm.*measured/);
  assert.match(await chart.locator(".tip").textContent(), /^lstm/);
  await page.keyboard.press("Escape");
  assert.equal(await spoken.textContent(), "");
  const summary = page.locator('[data-figure="accuracy"] summary');
  await summary.focus();
  await page.keyboard.press("Enter");
  await page.locator('[data-figure="accuracy"] table').waitFor();
  await page.close();
});

test("headings go down one level at a time, and landmarks are there", async () => {
  for (const { kind, file } of reports.all) {
    const { page } = await open(browser, file);
    const levels = await page
      .locator("h1, h2, h3")
      .evaluateAll((all) => all.map((each) => Number(each.tagName[1])));
    levels.forEach((level, i) =>
      assert.ok(i === 0 ? level === 1 : level <= levels[i - 1] + 1, kind),
    );
    for (const landmark of ["header", "main", "footer"])
      assert.equal(
        await page.locator(landmark).count(),
        1,
        `${kind}: ${landmark}`,
      );
    const unnamed = await page
      .locator("button, input, select")
      .evaluateAll(
        (all) =>
          all.filter(
            (each) =>
              !each.getAttribute("aria-label") &&
              !each.closest("label") &&
              !each.textContent,
          ).length,
      );
    assert.equal(unnamed, 0, kind);
    await page.close();
  }
});

test("sliders give the numbers of the command line", async (t) => {
  if (!computes) return t.skip("built without the estimators for the page");
  const { page, complaints } = await open(browser, reports.estimate.file);
  const { widths } = reports.estimate.payload.content.what_if[0];
  const chosen = widths.map(
    ({ least, most, step }, i) =>
      least +
      Math.floor((((i + 1) / (widths.length + 1)) * (most - least)) / step) *
        step,
  );
  for (const [i, width] of widths.entries()) {
    const field = page.getByLabel(width.name, { exact: true });
    await field.fill(String(chosen[i]));
    await field.press("Enter");
  }
  const expected = run_json(
    "estimate",
    `lstm:layers=2,${chosen.join(",")}`,
    "--batch",
    "128",
    "--iterations",
    "2000",
    "--store",
    reports.store,
  );
  const shown = async (name) => {
    const line = page.locator(`[data-result="${name}"]`);
    return {
      mean: Number(await line.getAttribute("data-mean")),
      stddev: Number(await line.getAttribute("data-stddev")),
    };
  };
  for (const [name, key] of [
    ["energy", "energy_j"],
    ["time", "time_s"],
  ]) {
    const got = await shown(name);
    assert.ok(
      Math.abs(got.mean / expected[key].mean - 1) < 1e-6,
      `${name}: ${got.mean}, not ${expected[key].mean}`,
    );
    assert.ok(
      Math.abs(got.stddev / expected[key].stddev - 1) < 1e-6,
      `${name} ±: ${got.stddev}, not ${expected[key].stddev}`,
    );
  }
  const slide = page.getByLabel(`${widths[0].name}, slider`);
  const before = await shown("energy");
  await slide.focus();
  await page.keyboard.press("End");
  assert.equal(
    await page.getByLabel(widths[0].name, { exact: true }).inputValue(),
    String(widths[0].most),
  );
  assert.notEqual((await shown("energy")).mean, before.mean);
  await page
    .getByRole("button", { name: "set all widths to the original's" })
    .click();
  const original = reports.estimate.payload.content.estimates[0].energy_j.mean;
  assert.ok(Math.abs((await shown("energy")).mean / original - 1) < 1e-6);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("iterations scale the total, and nonsense is brought back into range", async (t) => {
  if (!computes) return t.skip("built without the estimators for the page");
  const { page } = await open(browser, reports.estimate.file);
  const mean = async () =>
    Number(
      await page.locator('[data-result="energy"]').getAttribute("data-mean"),
    );
  const whole = await mean();
  await page.getByLabel("iterations").fill("1000");
  await page.getByLabel("iterations").press("Enter");
  assert.ok(Math.abs((await mean()) / (whole / 2) - 1) < 1e-9);
  const [width] = reports.estimate.payload.content.what_if[0].widths;
  const field = page.getByLabel(width.name, { exact: true });
  await field.fill("-5");
  await field.press("Enter");
  assert.equal(await field.inputValue(), String(width.least));
  await page.close();
});

/** The page of an estimate with something else in what it recomputes from. */
function recomputed_from(change) {
  const payload = structuredClone(reports.estimate.payload);
  for (const what_if of payload.content.what_if) change(what_if);
  return reports.with_payload(reports.estimate, payload);
}

test("less than nothing is not shown as joules", async (t) => {
  if (!computes) return t.skip("built without the estimators for the page");
  const negative = await open(
    browser,
    recomputed_from(({ laws }) => (laws.energy.j_per_block = -1e3)),
  );
  const energy = negative.page.locator('[data-result="energy"]');
  assert.equal(await energy.locator("strong").textContent(), "–");
  assert.equal(await energy.getAttribute("data-mean"), null);
  assert.match(
    await negative.page.locator(".results").textContent(),
    /too uncertain/,
  );
  assert.equal(await negative.page.locator(".compare em").count(), 0);
  assert.match(
    await negative.page.locator('[data-result="time"] strong').textContent(),
    / m?s$/,
  );
  await negative.page.close();
  const vague = await open(
    browser,
    recomputed_from(({ laws }) => (laws.energy_inflation = 1e3)),
  );
  assert.match(
    await vague.page.locator('[data-result="energy"]').textContent(),
    /interval 0 J to/,
  );
  await vague.page.close();
});

test("a page that cannot compute says why", async () => {
  for (const [missing, reason] of [
    [
      '<script type="text/plain" id="estimators-missing">no compiler</script>',
      "no compiler",
    ],
    ["", "no estimators"],
    [
      `<script type="text/plain" id="estimators-gz">${gzipSync("nonsense").toString("base64")}</script>`,
      "WebAssembly",
    ],
  ]) {
    const { page, complaints } = await open(
      browser,
      reports.with_estimators(reports.estimate, missing),
    );
    const notice = page.locator(".what-if .notice");
    await notice.waitFor();
    assert.match(await notice.textContent(), /^Not computed: /);
    assert.ok((await notice.textContent()).includes(reason));
    assert.equal(await page.locator(".slider").count(), 0);
    assert.deepEqual(complaints, []);
    await page.close();
  }
});

test("a point opens into its raw windows, by mouse and by Enter", async () => {
  const { page, complaints } = await open(browser, reports.profile.file);
  const panel = page.locator("details.windows").first();
  await panel.locator("summary").click();
  const row = panel.locator("tr.pressable").first();
  await row.click();
  const windows = panel.locator("tr.opened tbody tr");
  assert.ok((await windows.count()) > 0);
  await row.focus();
  await page.keyboard.press("Enter");
  assert.equal(await windows.count(), 0);
  await page.keyboard.press("Enter");
  assert.ok((await windows.count()) > 0);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("the profile shows every kind with all its points", async () => {
  const { page } = await open(browser, reports.profile.file);
  const kinds = reports.profile.payload.content.kinds;
  for (const [i, kind] of kinds.entries()) {
    if (!kind.curve && !kind.surface) continue;
    const residuals = page.locator(
      `[data-figure^="residuals-${i + 1}-"] svg path[fill="${blue}"]`,
    );
    assert.equal(await residuals.count(), kind.points.length, kind.title);
  }
  await page.close();
});

test("test points are crosses beside the profiled ones, and in the table", async () => {
  const { page, complaints } = await open(browser, reports.tested.file);
  const { kinds } = reports.tested.payload.content;
  assert.ok(kinds.some((kind) => kind.surface) && kinds.some((k) => k.curve));
  for (const [i, kind] of kinds.entries()) {
    assert.equal(kind.tests.length, 6, kind.title);
    const name = await page
      .locator(`[data-figure^="kind-${i + 1}-"]`)
      .getAttribute("data-figure");
    const crosses = page.locator(
      `[data-figure="${name}"] svg path[fill="${red}"]`,
    );
    assert.equal(
      await crosses.count(),
      kind.tests.length + 1,
      `${kind.title}, and one in the legend`,
    );
    const { head, rows } = await table_of(page, name);
    const tests = rows.filter(([order]) => order === "test");
    assert.deepEqual(
      tests.map((row) => row.slice(1, 1 + kind.feature_names.length)),
      kind.tests.map(({ features }) => features.map(String)),
    );
    assert.equal(
      tests[0][head.indexOf("measured")].split(" ")[1].at(-1),
      "J",
    );
  }
  assert.deepEqual(complaints, []);
  await page.close();
});

test("differences at test points are drawn where there are any", async () => {
  const { page } = await open(browser, reports.tested.file);
  const { kinds } = reports.tested.payload.content;
  for (const [i, kind] of kinds.entries()) {
    const figure = page.locator(`[data-figure^="tests-${i + 1}-"]`);
    assert.equal(
      await figure.locator(".chart").getAttribute("data-points"),
      String(kind.tests.length),
    );
    const worst = Math.max(
      ...kind.tests.map((test) => Math.abs(test.relative_difference)),
    );
    assert.ok(
      (await figure.locator("figcaption").textContent()).includes(
        `${(100 * worst).toFixed(1)} % at worst`,
      ),
    );
    const { head, rows } = await table_of(
      page,
      await figure.getAttribute("data-figure"),
    );
    assert.equal(rows.length, kind.tests.length);
    assert.ok(head.includes("difference"));
  }
  await page.close();
  const untested = (await open(browser, reports.profile.file)).page;
  assert.equal(
    await untested.locator('[data-figure^="tests-"]').count(),
    0,
  );
  await untested.close();
});

test("the pruning shows widths, budget and every epoch", async () => {
  const { page } = await open(browser, reports.prune.file);
  const [prune] = reports.prune.payload.content.prunes;
  const widths = await table_of(page, "widths");
  assert.deepEqual(
    widths.rows.map((row) => row.slice(0, 3)),
    Object.keys(prune.original.widths).map((name) => [
      name,
      String(prune.original.widths[name]),
      String(prune.pruned.widths[name]),
    ]),
  );
  const epochs = await table_of(page, "training-accuracy");
  assert.equal(
    epochs.rows.length,
    prune.original.epochs.length + prune.pruned.epochs.length,
  );
  await page.close();
});

test("a choice shows what each way costs, and which does not fit", async () => {
  const { page } = await open(browser, reports.choose.file);
  const [choices] = reports.choose.payload.content.choices;
  const known = choices.alternatives.filter((each) => each.energy_j);
  const front = await table_of(page, "pareto");
  assert.deepEqual(
    front.rows.map((row) => row[0]),
    known.map((each) => each.name),
  );
  const marks = Object.fromEntries(front.rows.map((row) => [row[0], row.at(-1)]));
  const best = choices.alternatives[choices.best];
  assert.match(marks[best.name], /best/);
  for (const each of known)
    assert.equal(
      /does not fit/.test(marks[each.name]),
      each.inside.memory === "outside",
      each.name,
    );
  assert.ok(known.some((each) => each.inside.memory === "outside"));
  // What could not be estimated is there with its reason.
  const text = await page.locator("body").textContent();
  const lost = choices.alternatives.filter((each) => !each.energy_j);
  assert.equal(lost.length, 6); // those that are compiled
  assert.ok(text.includes(lost[0].reason));
  assert.ok(text.includes("whether they learn as much"));
  await page.close();
});

test("an estimate is never called measured, and what ran is", async () => {
  const heads = async (file) => {
    const { page } = await open(browser, file);
    const badges = await page.locator("h1 .badge").allTextContents();
    const energy = await page.locator(".device").textContent();
    await page.close();
    return { badges, energy };
  };
  for (const report of [reports.choose, reports.estimate, reports.generation]) {
    const { badges, energy } = await heads(report.file);
    assert.deepEqual(badges, ["estimated"], report.kind);
    assert.match(
      energy,
      /Estimated from a profile whose energy was measured by a meter\./,
    );
    assert.doesNotMatch(energy, /read from a meter/);
  }
  const evaluated = await heads(reports.evaluate.file);
  assert.deepEqual(evaluated.badges, ["measured"]);
  const payload = structuredClone(reports.choose.payload);
  const [choices] = payload.content.choices;
  for (const each of choices.alternatives)
    if (each.source) each.source = "simulated";
  choices.checked = {
    held: null,
    pairs_held: 0,
    pairs_turned: 0,
    pairs_close: 0,
    measured: [
      {
        alternative: choices.best,
        name: choices.alternatives[choices.best].name,
        source: "measured",
        energy_j: 1000,
        time_s: 10,
        failure: null,
      },
    ],
  };
  const checked = await heads(reports.with_payload(reports.choose, payload));
  assert.deepEqual(checked.badges, ["estimated, simulated", "measured"]);
  assert.match(checked.energy, /Estimated from a profile of a simulated device/);
});

test("generated text has a tile per batch and context, and names the cheapest batch", async () => {
  const { page } = await open(browser, reports.generation.file);
  const [generation] = reports.generation.payload.content.generations;
  const tiles = await table_of(page, "token-energy");
  assert.deepEqual(
    tiles.rows.map((row) => row.slice(0, 2)),
    [1, 4].flatMap((batch) => [16, 20, 24].map((context) => [String(batch), String(context)])),
  );
  const drawn = await page.locator("#token-energy svg").first().textContent();
  assert.ok(drawn.includes("tokens in the cache"));
  const batches = await table_of(page, "token-latency");
  assert.deepEqual(
    batches.rows.map((row) => row[0]),
    ["1", "4"],
  );
  const text = await page.locator("body").textContent();
  assert.equal(generation.best_batch, 4);
  assert.ok(text.includes("Batch 4 is the cheapest inside of the limits"));
  assert.ok(text.includes("rests on training iterations"));
  await page.close();
});

test("the budget line stands where the budget is", async () => {
  const { page } = await open(browser, reports.prune.file);
  const [prune] = reports.prune.payload.content.prunes;
  const centres = (selector) =>
    page.locator(`[data-figure="budget"] svg ${selector}`).evaluateAll((all) =>
      all.map((each) => {
        const { left, right } = each.getBoundingClientRect();
        return (left + right) / 2;
      }),
    );
  // The legend's mark comes first.
  const [, original, pruned] = await centres(`path[fill="${blue}"]`);
  const [line] = await centres('path[stroke="#b3261e"]');
  const [most, least] = [prune.original, prune.pruned].map(
    (each) => each.measured_j_per_iteration,
  );
  const expected =
    pruned +
    ((prune.budget_j_per_iteration - least) / (most - least)) *
      (original - pruned);
  assert.ok(Math.abs(line - expected) < 1.5, `at ${line}, not ${expected}`);
  await page.close();
});

test("the reader may change between light and dark", async () => {
  const { page } = await open(browser, reports.prune.file, { scheme: "dark" });
  const paper = () =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await paper();
  await page
    .getByRole("button", { name: "change between light and dark" })
    .click();
  await drawn(page);
  assert.notEqual(await paper(), dark);
  assert.ok((await page.locator(`svg path[fill="${blue}"]`).count()) > 0);
  await page.close();
});

test("on paper it is light, without controls, and no figure is wider than the page", async () => {
  const { page, complaints } = await open(browser, reports.evaluate.file, {
    scheme: "dark",
  });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".chart svg")].every((svg) =>
      ["640", "308"].includes(svg.getAttribute("width")),
    ),
  );
  assert.equal(
    await page.evaluate(() => getComputedStyle(document.body).backgroundColor),
    "rgb(255, 255, 255)",
  );
  assert.equal(
    await page
      .locator("button:visible, nav:visible, fieldset:visible, details:visible")
      .count(),
    0,
  );
  assert.equal(
    (await page.pdf({ format: "A4" })).subarray(0, 5).toString(),
    "%PDF-",
  );
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a figure is saved as it would go into a paper", async () => {
  const { page } = await open(browser, reports.evaluate.file, {
    scheme: "dark",
  });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page
      .locator('[data-figure="accuracy"]')
      .getByRole("button", { name: /as SVG/ })
      .click(),
  ]);
  assert.equal(download.suggestedFilename(), "accuracy.svg");
  const size = statSync(await download.path()).size;
  assert.ok(size > 1000, `${size} bytes`);
  await page.close();
});

test("names are text, whatever they hold", async () => {
  const payload = structuredClone(reports.evaluate.payload);
  const hostile = '<img src=x onerror="document.title=1">\u2028</script>';
  payload.title = hostile;
  payload.content.evaluations[0].family = hostile;
  payload.content.evaluations[0].networks[0].model = hostile;
  const { page, complaints } = await open(
    browser,
    reports.with_payload(reports.evaluate, payload),
  );
  assert.equal(
    await page
      .locator("h1")
      .evaluate((heading) => heading.firstChild.textContent),
    hostile,
  );
  assert.equal(await page.locator("img").count(), 0);
  const chart = page.locator('[data-figure^="estimated-vs-measured"] .chart');
  await chart.focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a profile from somebody else runs nothing", async () => {
  const hostile =
    '"><img src=x onerror="window.ran=1"></script><script>window.ran=1</script><svg onload=window.ran=1>';
  const report = reports.make_untrusted(hostile);
  const { page, complaints } = await open(browser, report.file);
  assert.ok((await page.locator("body").textContent()).includes(hostile));
  assert.equal(await page.locator("img").count(), 0);
  assert.equal(await page.evaluate(() => window.ran), undefined);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("what is missing is said, and not drawn as nothing", async () => {
  const payload = structuredClone(reports.prune.payload);
  for (const network of [
    payload.content.prunes[0].original,
    payload.content.prunes[0].pruned,
  ]) {
    network.measured_j_per_iteration = null;
    network.test = network.epochs = network.inherited = null;
  }
  const { page, complaints } = await open(
    browser,
    reports.with_payload(reports.prune, payload),
  );
  assert.match(await page.locator("main").textContent(), /Not measured/);
  assert.match(await page.locator("main").textContent(), /Not trained/);
  assert.equal((await table_of(page, "budget")).rows[1][4], "–");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a report without data says so", async () => {
  for (const content of [{ evaluations: [] }, {}]) {
    const file = reports.with_payload(reports.evaluate, {
      ...reports.evaluate.payload,
      content,
    });
    const { page } = await open(browser, file);
    assert.match(
      await page.locator("[role=alert]").textContent(),
      /cannot be shown/,
    );
    await page.close();
  }
});

test("a report of five megabytes opens as any other", async (t) => {
  const payload = structuredClone(reports.profile.payload);
  const { content } = payload;
  const kinds = content.kinds,
    windows = content.windows;
  for (let i = 1; JSON.stringify(payload).length < 5e6; i *= 2) {
    content.kinds = content.kinds.concat(
      kinds.map((kind) => ({ ...kind, title: `${kind.title} ${i}` })),
    );
    content.windows = content.windows.concat(content.windows, windows);
  }
  const file = reports.with_payload(reports.profile, payload, true);
  const begun = performance.now();
  const page = await browser.newPage();
  await page.goto(`file://${file}`);
  await page.locator("figure.card .chart svg").first().waitFor();
  t.diagnostic(
    `first figure after ${Math.round(performance.now() - begun)} ms, file of ${(statSync(file).size / 1e6).toFixed(1)} MB`,
  );
  assert.equal(
    await page.locator("main > section").count(),
    content.kinds.length + 2,
  );
  await page.close();
});
