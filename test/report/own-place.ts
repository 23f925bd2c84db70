import { mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { expect } from "vitest";
import { placeName } from "./place-name.js";

/*
 * Each test file has a temporary folder, a home and a folder for tmux sockets of its own, so that files can run side by
 * side, and so that whatever is left of one says whose it is. `scripts/run-tests.mjs` looks once all have ended.
 */
const run = process.env["HUDDLE_TEST_RUN"];
const file = expect.getState().testPath;

if (run !== undefined && file !== undefined) {
  const place = join(run, placeName(relative(process.cwd(), file)));
  for (const [name, folder] of Object.entries({ TMPDIR: "tmp", HOME: "home", TMUX_TMPDIR: "tmux" })) {
    const path = join(place, folder);
    mkdirSync(path, { recursive: true });
    process.env[name] = path;
  }
}
