// How long a page takes to open: node open.mjs FILE
// The thread's own time does not depend on what else the machine does.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { drawn, launch } from "../../tests/browser/browser.mjs";

const browser = await launch();
for (let i = 0; i < 5; ++i) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(120000);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const thread_ms = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
  };
  const figures = page.locator("figure.card .chart svg");
  const begin = performance.now();
  const after = async (what) =>
    `${what} after ${Math.round(performance.now() - begin)} ms (${Math.round(await thread_ms())} ms of the page's thread)`;
  await page.goto(pathToFileURL(resolve(process.argv[2])).href);
  await figures.first().waitFor();
  const first = await after("first figure");
  await drawn(page);
  console.log(`${first}, ${await after(`all ${await figures.count()}`)}`);
  await page.close();
}
await browser.close();
