// Checks that package-lock.json serves every platform and registry. npm leaves out the optional packages that it could not
// fetch when the file was written, and then `npm ci` refuses the file; --fix adds them. Registry addresses do not belong
// in it either (see .npmrc).
import { readFileSync, writeFileSync } from "node:fs";

const FILE = "package-lock.json";
const SYSTEMS = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const PROCESSORS = ["arm", "arm64", "ia32", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

/** @typedef {{ version?: string, resolved?: string, dev?: boolean, optionalDependencies?: Record<string, string> }} Locked */

/** @type {{ packages: Record<string, Locked> }} */
const lock = JSON.parse(readFileSync(FILE, "utf8"));
const missing = findMissing();
const addressed = Object.values(lock.packages).filter(({ resolved }) => resolved?.startsWith("http"));

if (missing.length + addressed.length === 0) {
  console.log(`${Object.keys(lock.packages).length} packages, for every platform`);
} else if (process.argv.includes("--fix")) {
  for (const { path, entry } of missing) lock.packages[path] = entry;
  for (const entry of addressed) delete entry.resolved;
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en"));
  writeFileSync(FILE, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
  console.log(`Added ${missing.length} packages, removed ${addressed.length} addresses.`);
} else {
  for (const { path } of missing) console.error(`${path} is not locked.`);
  for (const { resolved } of addressed) console.error(`${resolved} names a registry.`);
  console.error("Run: node scripts/check-lockfile.mjs --fix");
  process.exit(1);
}

function findMissing() {
  return Object.entries(lock.packages).flatMap(([parent, { dev, optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .map(([name, version]) => ({ name, version, path: `node_modules/${name}` }))
      .filter(
        ({ name, path }) => !(path in lock.packages || `${parent}/node_modules/${name}` in lock.packages),
      )
      .map(({ name, version, path }) => ({ path, entry: describePackage(name, version, dev) })),
  );
}

/** A platform package says in its name where it runs. @param {string} name @param {string} version @param {boolean | undefined} dev */
function describePackage(name, version, dev) {
  const words = name.split(/[/-]/);
  const os = SYSTEMS.filter((word) => words.includes(word));
  const cpu = PROCESSORS.filter((word) => words.includes(word));
  const isMusl = words.some((word) => word.startsWith("musl"));
  const isGlibc = os.includes("linux") && words.some((word) => word.startsWith("gnu"));
  if (!/^\d/.test(version) || cpu.length === 0) {
    throw new Error(
      `${name}@${version} is not locked, and its name does not tell its platform: lock it by hand.`,
    );
  }
  return {
    version,
    cpu,
    ...(dev === true ? { dev } : {}),
    ...(isMusl ? { libc: ["musl"] } : isGlibc ? { libc: ["glibc"] } : {}),
    optional: true,
    ...(os.length > 0 ? { os } : {}),
  };
}
