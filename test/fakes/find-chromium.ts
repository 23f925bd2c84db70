import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The first is Debian's Chromium without windows: a desk costs it a fifth less. */
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];
const elsewhere = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The machine's own Chromium: `scripts/ensure-system.mjs` has seen to it. HUDDLE_CHROMIUM names another. */
export function findChromium(): string {
  const given = process.env["HUDDLE_CHROMIUM"];
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = [...(given === undefined ? [] : [given]), ...onPath, ...elsewhere].find(isProgram);
  if (found === undefined)
    throw new Error("The browser tests need Chromium. Run: node scripts/ensure-system.mjs");
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
