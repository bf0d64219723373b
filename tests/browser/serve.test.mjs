// The page of `ampere serve` in a real browser.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { chromium_path, launch, table_of, visit } from "./browser.mjs";
import { run, run_json } from "./reports.mjs";
import { ServedStore, Server } from "./server.mjs";

if (!chromium_path) {
  console.log("skipped: no Chromium here; scripts/setup installs it");
  process.exit(0);
}

const views = [
  "parts",
  "devices",
  "batches",
  "budget",
  "profiles",
  "power",
  "results",
];
let store, server, browser;

before(async () => {
  store = new ServedStore();
  server = await Server.start(store);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  store?.remove();
});

/** The page at a view, with an estimate in it. */
async function open(view = "parts", options = {}) {
  const { base = server.url, ...rest } = options;
  const visited = await visit(browser, base, `/#${view}`, rest);
  if (!options.unanswered) await settled(visited.page);
  return visited;
}

/** No question is open; what was asked has been answered. */
async function settled(page) {
  await page
    .locator(".estimate:not([aria-busy]) [data-total], .notes .problem")
    .first()
    .waitFor({ state: "attached" });
  await page.waitForFunction(
    () => !document.querySelector('[aria-busy="true"]'),
  );
}

function mean_of(page, name = "Energy") {
  return page
    .locator(`[data-total="${name}"]`)
    .getAttribute("data-mean")
    .then(Number);
}

function estimate(model, ...words) {
  return run_json(
    "estimate",
    model,
    "--iterations",
    "1000",
    "--store",
    store.store,
    ...words,
  );
}

/** Waits until the page shows this energy: on a busy machine an event may still be on its way. */
async function shows(page, joules) {
  await page
    .waitForFunction((wanted) => {
      const shown = document.querySelector('[data-total="Energy"]')?.dataset.mean;
      return Math.abs(Number(shown) / wanted - 1) < 1e-6;
    }, joules)
    .catch(async () => near(await mean_of(page), joules));
}

function near(a, b) {
  assert.ok(Math.abs(a / b - 1) < 1e-6, `${a} is not ${b}`);
}

/** What Chromium says itself of an answer with such a status, which a test provoked. */
function expected(complaints, ...statuses) {
  return complaints.filter(
    (text) => !statuses.some((status) => text.includes(`status of ${status}`)),
  );
}

async function set_field(page, label, value) {
  const field = page.getByLabel(label, { exact: true });
  await field.fill(String(value));
  await field.press("Tab");
  await settled(page);
}

test("the page shows what the program estimates, and where it goes", async () => {
  const { page, complaints } = await open();
  const { energy_j, time_s, source } = estimate("cnn5");
  near(await mean_of(page), energy_j.mean);
  near(await mean_of(page, "Time"), time_s.mean);
  const panel = page.locator(".estimate");
  assert.equal(await panel.getAttribute("aria-live"), "polite");
  assert.equal(source, "simulated");
  assert.equal(await panel.locator(".badge").textContent(), "estimated, simulated");
  assert.match(await panel.textContent(), /90 % interval .* to /);
  const { rows } = await table_of(page, "shares");
  assert.equal(rows.length, 5);
  assert.ok((await page.locator('[data-figure="shares"] svg').count()) > 0);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a width that moves is estimated anew, beside the original", async () => {
  const { page, complaints } = await open();
  const before = await mean_of(page);
  const slider = page.getByLabel("conv4, slider");
  await slider.focus();
  for (let width = 127; width >= 123; --width) {
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(
      ([slider, wanted]) => slider.value === wanted,
      [await slider.elementHandle(), String(width)],
    );
  }
  await shows(page, estimate("cnn5:16,32,64,123").energy_j.mean);
  await set_field(page, "conv3", 20);
  await shows(page, estimate("cnn5:16,32,20,123").energy_j.mean);
  assert.match(
    await page.locator(".estimate").textContent(),
    /% against the original/,
  );
  await page.getByLabel("all widths, %, slider").focus();
  await page.keyboard.press("Home");
  await settled(page);
  assert.equal(await page.getByLabel("conv4", { exact: true }).inputValue(), "6");
  await page.getByRole("button", { name: "set all widths" }).click();
  await settled(page);
  near(await mean_of(page), before);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("the latest answer wins, however late an earlier one comes", async () => {
  const { page } = await open();
  let held = 0;
  await page.route("**/v1/estimate", async (route) => {
    if (route.request().postData().includes("[16,32,64,100]")) {
      ++held;
      await new Promise((resolve) => setTimeout(resolve, 700));
    }
    await route.continue().catch(() => undefined); // given up in the meantime
  });
  const field = page.getByLabel("conv4", { exact: true });
  await field.fill("100");
  await field.press("Tab");
  await page.waitForTimeout(200); // it is asked by now
  await set_field(page, "conv4", 50);
  const latest = estimate("cnn5:16,32,64,50").energy_j.mean;
  near(await mean_of(page), latest);
  await page.waitForTimeout(700);
  near(await mean_of(page), latest);
  assert.equal(held, 1);
  await page.close();
});

test("every setting is asked for, and a refusal says what helps", async () => {
  const { page, complaints } = await open();
  const slider = page.getByLabel("batch, slider");
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.getByLabel("Batch", { exact: true }).inputValue(), "32");
  await settled(page);
  near(await mean_of(page), estimate("cnn5", "--batch", "32").energy_j.mean);
  await page.getByLabel("Optimizer").selectOption("adam");
  const problem = page.locator(".notes .problem");
  assert.match(await problem.textContent(), /adam/);
  assert.match(await problem.textContent(), /What helps: ampere profile/);
  assert.equal(await page.locator("[data-total]").count(), 0);
  await page.getByLabel("Optimizer").selectOption("sgd");
  await page.getByLabel("Profile", { exact: true }).selectOption("1");
  await settled(page);
  assert.equal(await page.getByLabel("Batch", { exact: true }).inputValue(), "10");
  near(await mean_of(page), estimate("cnn5", "--profile", "1").energy_j.mean);
  await page.getByLabel("in", { exact: true }).selectOption("epochs");
  await set_field(page, "Samples per epoch", 2000);
  await set_field(page, "Length", 3);
  assert.match(await page.locator(".about").textContent(), /^600 iterations/);
  for (const [name, value] of [
    ["Precision", "bf16"],
    ["Mode", "inference"],
    ["Method", "flops"],
  ]) {
    const [request] = await Promise.all([
      page.waitForRequest("**/v1/estimate"),
      page.getByLabel(name, { exact: true }).selectOption(value),
    ]);
    assert.ok(request.postData().includes(`"${value}"`), name);
  }
  assert.deepEqual(expected(complaints, 400, 404), []);
  await page.close();
});

test("a network of the zoo has its options, and what is unknown is not 0", async () => {
  const { page, complaints } = await open();
  await page.getByLabel("Profile", { exact: true }).selectOption("1");
  await settled(page);
  const [request] = await Promise.all([
    page.waitForRequest("**/v1/estimate"),
    set_field(page, "classes", 100),
  ]);
  assert.equal(request.postDataJSON().network.zoo, "cnn5:classes=100");
  await page.getByLabel("From the zoo").selectOption("resnet18");
  await page.locator(".total.unknown").first().waitFor();
  assert.deepEqual(await page.locator(".totals .value").allTextContents(), [
    "unknown",
    "unknown",
  ]);
  assert.match(await page.locator(".notes").textContent(), /Not covered: /);
  assert.deepEqual(expected(complaints, 400, 404), []);
  await page.close();
});

test("a file is dropped or chosen; a broken one is refused next to it", async () => {
  const { page, complaints } = await open();
  const model = JSON.parse(
    run("show", "cnn5:8,16,32,64", "--json"),
  );
  const hostile = '<img src=x onerror="document.title=1">';
  const { format, version, layers } = model;
  const content = JSON.stringify({
    format,
    version,
    name: hostile,
    layers: layers.map(({ output, parameters, flops, ...layer }) => layer),
  });
  await page
    .locator("#file")
    .setInputFiles(store.file("<b>net.json", content));
  await page.locator(".chosen strong").waitFor();
  assert.equal(await page.locator(".chosen strong").textContent(), "<b>net.json");
  await settled(page);
  near(await mean_of(page), estimate("cnn5:8,16,32,64").energy_j.mean);
  assert.equal(
    await page.locator("#total-title").evaluate((title) => title.firstChild.textContent),
    hostile,
  );
  for (const view of ["devices", "batches"]) {
    await page.locator(`nav a[href="#${view}"]`).click();
    await settled(page);
  }
  assert.equal(await page.locator("img").count(), 0);

  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["no network"], "broken.onnx"));
    document.body.dispatchEvent(
      new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }),
    );
  });
  const problem = page.locator("section", { has: page.locator("#file") }).locator(".problem");
  await problem.waitFor();
  assert.ok((await problem.textContent()).length > 10);
  near(await mean_of(page), estimate("cnn5:8,16,32,64").energy_j.mean);
  assert.deepEqual(expected(complaints, 400), []);
  await page.close();
});

test("devices stand side by side, and one is taken from there", async () => {
  const { page, complaints } = await open("devices");
  await page.locator('[data-figure="devices"] svg').waitFor();
  const { rows } = await table_of(page, "devices");
  const sources = rows.map((row) => row[1]);
  assert.ok(sources.includes("measured") && sources.includes("simulated"));
  assert.match(
    await page.locator('[data-view="devices"] .cards').textContent(),
    /batch 32.*unknown/s,
  );
  await page.getByRole("button", { name: /profile 1: simulated GPU/ }).click();
  await settled(page);
  assert.equal(await page.getByLabel("Profile", { exact: true }).inputValue(), "1");
  assert.ok(page.url().endsWith("#parts"));
  near(await mean_of(page), estimate("cnn5", "--profile", "1").energy_j.mean);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("time stands against energy over batches, in one request", async () => {
  const { page, complaints } = await open();
  await page.getByLabel("Profile", { exact: true }).selectOption("1");
  await settled(page);
  let asked = 0;
  page.on("request", (request) => (asked += request.url().endsWith("/v1/estimate")));
  await page.locator('nav a[href="#batches"]').click();
  await page.locator('[data-figure="batches"] svg').waitFor();
  const { rows } = await table_of(page, "batches");
  assert.deepEqual(
    rows.map((row) => row[0]),
    ["10", "32"],
  );
  assert.equal(asked, 1);
  assert.match(
    await page.locator('[data-view="batches"]').textContent(),
    /Batch 1, 2, .* and 1024: unknown/,
  );
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a budget is searched for, cancelled, refused, and its widths are taken", async () => {
  const { page, complaints } = await open("budget");
  await page.getByLabel("Profile", { exact: true }).selectOption("3");
  await settled(page);
  const begin = page.getByRole("button", { name: "Find widths" });
  await page.getByLabel("Budget", { exact: true }).fill("70%");
  await begin.click();
  await page.locator(".found").waitFor();
  assert.match(await page.locator(".found").textContent(), /% against the original/);
  const { rows } = await table_of(page, "widths");
  await page.getByRole("button", { name: /set the sliders/ }).click();
  await settled(page);
  for (const [layer, , pruned] of rows)
    assert.equal(await page.getByLabel(layer, { exact: true }).inputValue(), pruned);
  near(
    await mean_of(page),
    estimate(`cnn5:${rows.map((row) => row[2])}`, "--profile", "3").energy_j.mean,
  );

  for (const budget of ["nonsense", "1%"]) {
    await page.getByLabel("Budget", { exact: true }).fill(budget);
    await page.keyboard.press("Enter");
    const problem = page.locator('[data-view="budget"] .problem');
    await problem.waitFor();
    assert.ok((await problem.textContent()).length > 10);
  }

  // Large enough that it can be cancelled.
  await page.route("**/v1/prune", (route) =>
    route.continue({
      postData: JSON.stringify({
        ...route.request().postDataJSON(),
        networks: 1_000_000,
      }),
    }),
  );
  await page.getByLabel("Budget", { exact: true }).fill("80%");
  await begin.click();
  await page.getByRole("button", { name: "cancel the search" }).click();
  await page.getByText("Cancelled.").waitFor();
  assert.ok(await begin.isEnabled());
  assert.deepEqual(expected(complaints, 400), []);
  await page.close();
});

test("profiles say their age, drift and error, and open their report", async () => {
  const { page, complaints } = await open("profiles", { unanswered: true });
  const card = page.locator('[data-profile="1"]');
  await card.waitFor();
  const text = await card.textContent();
  for (const word of ["age", "drift", "error", "simulated", "batch 10"])
    assert.ok(text.includes(word), word);
  assert.match(text, /age\d+ (second|minute)s?/);
  assert.match(text, /points\d+/);
  await card.getByRole("button", { name: /open the report/ }).click();
  const report = page.frameLocator("dialog iframe");
  await report.locator("figure.card .chart svg").first().waitFor();
  const link = report.locator("nav a").last();
  const target = (await link.getAttribute("href")).slice(1);
  await link.click();
  assert.ok(
    await report.locator(`#${target}`).evaluate(() => scrollY > 0),
    "a link leads to its section",
  );
  await page.getByRole("button", { name: "close the report" }).click();
  await page.locator('[data-profile="3"]').getByRole("button", { name: /estimate with/ }).click();
  await settled(page);
  assert.match(await page.locator(".about").textContent(), /profile 3\./);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("power is read each second while it is in sight", async () => {
  const { page, complaints } = await open("power", { unanswered: true });
  let asked = 0;
  page.on("request", (request) => (asked += request.url().endsWith("/v1/power")));
  await page.waitForRequest("**/v1/power");
  await page.locator(".missing dd").first().waitFor();
  assert.equal(await page.locator(".missing dd:empty").count(), 0);
  await page.waitForFunction(() => {
    const values = [...document.querySelectorAll(".tile .value")];
    return values.every((value) => / .?W$/.test(value.textContent));
  });
  assert.ok(asked >= 1);
  await page.locator('nav a[href="#profiles"]').click();
  await page.locator("[data-profile]").first().waitFor();
  const then = asked;
  await page.waitForTimeout(1300);
  assert.equal(asked, then);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("evaluations and jobs are listed, or why there are none", async () => {
  const { page, complaints } = await open("results", { unanswered: true });
  await page.getByRole("heading", { name: "Fleet jobs" }).waitFor();
  const panels = page.locator('[data-view="results"] .panel');
  for (const text of await panels.allTextContents()) assert.ok(text.length > 25);
  assert.deepEqual(expected(complaints, 404), []);
  await page.close();
});

test("a token is asked for, refused when wrong, and kept in the tab", async (t) => {
  const guarded = await Server.start(store, { token: "s3cret-of-the-test" });
  t.after(() => guarded.stop());
  const { page, complaints } = await open("parts", {
    base: guarded.url,
    unanswered: true,
  });
  const field = page.getByLabel("Token", { exact: true });
  await field.fill("wrong");
  await page.keyboard.press("Enter");
  await page.getByText("did not accept that token").waitFor();
  await field.fill("s3cret-of-the-test");
  await page.keyboard.press("Enter");
  await settled(page);
  near(await mean_of(page), estimate("cnn5").energy_j.mean);
  await page.reload();
  await settled(page);
  assert.equal(await page.locator("dialog[open]").count(), 0);
  await page.locator('nav a[href="#profiles"]').click();
  await page.getByRole("button", { name: /open the report of profile 1/ }).click();
  await page.frameLocator("dialog iframe").locator(".chart svg").first().waitFor();
  assert.deepEqual(expected(complaints, 401), []);
  await page.close();
});

test("the server goes away and comes back", async (t) => {
  let short = await Server.start(store);
  t.after(() => short.stop());
  const { page, complaints } = await open("parts", { base: short.url });
  const content = run("show", "cnn5", "--json");
  await page.locator("#file").setInputFiles(store.file("net.json", content));
  await page.locator(".chosen strong").waitFor();
  await settled(page);
  const before = await mean_of(page);
  await short.stop();
  const field = page.getByLabel("conv4", { exact: true });
  await field.fill("40");
  await field.press("Tab");
  const banner = page.locator(".banner");
  await page.getByText("The server does not answer.").waitFor();
  assert.equal(await mean_of(page), before, "the last answer stays");
  short = await Server.start(store, { port: short.port });
  await page.waitForFunction(() => !document.querySelector(".banner").textContent);
  await settled(page);
  assert.equal(await banner.textContent(), "");
  assert.ok((await mean_of(page)) > 0);
  assert.deepEqual(
    expected(complaints, 404).filter((text) => !text.includes("net::ERR_")),
    [],
  );
  await page.close();
});

test("a narrow screen never scrolls sideways, light or dark", async () => {
  for (const scheme of ["light", "dark"]) {
    const { page, complaints } = await open("parts", { width: 400, scheme });
    for (const view of views) {
      await page.locator(`nav a[href="#${view}"]`).click();
      await page.locator(`[data-view="${view}"]:not([aria-busy])`).waitFor({ state: "attached" });
      if (view !== "power") await page.waitForTimeout(50);
      const [wide, inside] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        innerWidth,
      ]);
      assert.ok(wide <= inside, `${view}: ${wide} > ${inside}`);
    }
    for (const title of ["Training", "Widths"]) {
      await page.locator('nav a[href="#parts"]').click();
      await page.locator("summary", { hasText: title }).click();
    }
    assert.ok(await page.getByLabel("conv4, slider").isVisible());
    assert.deepEqual(expected(complaints, 404), []);
    await page.close();
  }
});

test("the reader may change between light and dark", async () => {
  const { page } = await open("parts", { scheme: "dark" });
  const paper = () =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await paper();
  await page.getByRole("button", { name: "change between light and dark" }).click();
  assert.notEqual(await paper(), dark);
  await page.locator('[data-figure="shares"] svg path[fill="#0072b2"]').first().waitFor();
  await page.close();
});

test("the keyboard alone reaches every control, and shows where it is", async () => {
  const { page, complaints } = await open("budget");
  const wanted = await page.evaluate(
    () =>
      [...document.querySelectorAll("a, button, select, input, summary")].filter(
        (each) => each.checkVisibility() && !each.disabled,
      ).length,
  );
  const reached = new Set();
  for (let i = 0; i < wanted; ++i) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const now = document.activeElement;
      const shown = now.id === "file" ? now.nextElementSibling : now;
      const { outlineStyle, outlineWidth } = getComputedStyle(shown);
      const every = [...document.querySelectorAll("*")];
      return { index: every.indexOf(now), seen: outlineStyle !== "none" && outlineWidth !== "0px", name: now.id || now.textContent };
    });
    assert.ok(at.seen, `${at.name} does not show that it has the focus`);
    reached.add(at.index);
  }
  assert.equal(reached.size, wanted);
  const unnamed = await page.evaluate(
    () =>
      [...document.querySelectorAll("input, select")]
        .filter((each) => !each.labels?.length && !each.ariaLabel)
        .map((each) => each.outerHTML),
  );
  assert.deepEqual(unnamed, []);
  await page.locator('nav a[href="#power"]').focus();
  await page.keyboard.press("Enter");
  await page.locator('[data-view="power"]').waitFor();
  assert.deepEqual(complaints, []);
  await page.close();
});
