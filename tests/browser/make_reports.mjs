// The reports that several suites look at, made once: make_reports.mjs FOLDER
import { mkdirSync, rmSync } from "node:fs";

import { Reports } from "./reports.mjs";

const [folder] = process.argv.slice(2);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
new Reports(folder).save();
