// A real Chromium, and pages in it that report all that goes wrong.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(
  new URL("../../web/package.json", import.meta.url),
);

export const chromium_path = [
  process.env.AMPERE_CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path && existsSync(path));

export async function launch() {
  const { chromium } = require("playwright-core");
  return chromium.launch({
    executablePath: chromium_path,
    args: ["--no-sandbox", "--disable-gpu"],
  });
}

/** An empty page; `complaints` will hold errors, warnings and requests that are not its own. */
async function watched_page(
  browser,
  is_own,
  { width = 1280, height = 900, scheme = "light" } = {},
) {
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: "reduce",
  });
  page.setDefaultTimeout(15000);
  const complaints = [];
  page.on("console", (message) =>
    complaints.push(`${message.type()}: ${message.text()}`),
  );
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!is_own(request.url()) && !/^(data|about):/.test(request.url()))
      complaints.push(`request: ${request.url()}`);
  });
  return { page, complaints };
}

/** A page of the file, drawn to the last figure. */
export async function open(browser, file, view) {
  const own = pathToFileURL(file).href;
  const watched = await watched_page(browser, (url) => url === own, view);
  await watched.page.goto(own);
  await drawn(watched.page);
  return watched;
}

/** A page of a server, which may ask that server and nobody else. */
export async function visit(browser, base, path, view) {
  const watched = await watched_page(
    browser,
    (url) => url.startsWith(`${base}/`),
    view,
  );
  await watched.page.goto(base + path);
  return watched;
}

export async function drawn(page) {
  await page.waitForFunction(
    () =>
      document.documentElement.dataset.drawn !== undefined ||
      document.querySelector("[role=alert]"),
  );
}

/** The table behind a figure, as it is written. */
export async function table_of(page, figure) {
  const details = page.locator(`[data-figure="${figure}"] details`);
  if (!(await details.evaluate((element) => element.open)))
    await details.locator("summary").click();
  await details.locator("table").waitFor();
  return details.locator("table").evaluate((table) => ({
    head: [...table.tHead.rows[0].cells].map((cell) => cell.textContent),
    rows: [...table.tBodies[0].rows].map((row) =>
      [...row.cells].map((cell) => cell.textContent),
    ),
  }));
}
