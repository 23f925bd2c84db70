// Installs better-sqlite3, the database driver that Huddle can use but never installs, into HUDDLE_SQLITE_DIR or
// .cache/better-sqlite3, for the tests. It downloads a binary or compiles one, so no `npm ci` does this.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "12.11.1";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const folder = resolve(process.env["HUDDLE_SQLITE_DIR"] || join(".cache", "better-sqlite3"));

if (!works()) {
  mkdirSync(folder, { recursive: true });
  const manifest = { name: "huddle-better-sqlite3", private: true, allowScripts: { "better-sqlite3": true } };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest)}\n`);
  // Where no binary can be downloaded, it is compiled against Node's own headers, if they came along.
  const prefix = resolve(dirname(process.execPath), "..");
  const headers = existsSync(join(prefix, "include", "node", "node.h")) ? { npm_config_nodedir: prefix } : {};
  const flags = ["--no-audit", "--no-fund", "--save-exact", "--loglevel=error"];
  const { status } = spawnSync("npm", ["install", ...flags, `better-sqlite3@${VERSION}`], {
    cwd: folder,
    stdio: "inherit",
    env: { ...process.env, ...headers },
  });
  if (status !== 0 || !works()) {
    console.error(
      `better-sqlite3 could not be installed into ${folder}. It needs a registry, or a C++ compiler and Python.`,
    );
    process.exit(1);
  }
}
console.log(`better-sqlite3 is in ${folder}.`);
console.log(
  `Tests on it: HUDDLE_SQLITE=better-sqlite3 HUDDLE_SQLITE_DIR=${folder} npx vitest run --project 'unit*'`,
);

function works() {
  try {
    const Database = createRequire(join(folder, "package.json"))("better-sqlite3");
    new Database(":memory:").close();
    return true;
  } catch {
    return false;
  }
}
