// A server to open pages of, with a store of simulated profiles, as people start one.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { program, run } from "./reports.mjs";

/** Two devices, one of them at two batches; a folder of its own. */
export class ServedStore {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "ampere-serve-"));
    this.store = `sqlite:${join(this.folder, "store.db")}`;
    const profile = (device, batch) =>
      run(
        "profile",
        "cnn5",
        "--rig",
        `sim:${device}`,
        "--batch",
        batch,
        "--store",
        this.store,
      );
    profile("server", "10");
    profile("server", "32");
    profile("xavier", "10");
  }

  file(name, content) {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    return path;
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** One run of `ampere serve`; `port` 0 lets the system choose. */
export class Server {
  /** Resolves when it listens. */
  static async start(store, { port = 0, token = null } = {}) {
    const words = ["--listen", `127.0.0.1:${port}`, "--store", store.store];
    if (token) words.push("--token-file", store.file("token", `${token}\n`));
    const server = new Server();
    server.child = spawn(program, ["serve", ...words], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    server.ended = new Promise((resolve) => server.child.on("close", resolve));
    const said = [];
    server.url = await new Promise((resolve, reject) => {
      createInterface({ input: server.child.stderr }).on("line", (line) => {
        said.push(line);
        const [, url] = line.match(/listening on (http:\/\/[^\s,]+)/) ?? [];
        if (url) resolve(url.replace(/\/$/, ""));
      });
      server.ended.then(() => reject(new Error(said.join("\n"))));
    });
    server.port = Number(new URL(server.url).port);
    return server;
  }

  async stop() {
    this.child.kill("SIGTERM");
    await this.ended;
  }
}
