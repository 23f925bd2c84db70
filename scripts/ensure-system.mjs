// The tests drive real programs. Installs the missing ones where that needs nobody's consent (root on Debian);
// elsewhere says which single command does.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Each program with the package that brings it. What a platform does not have, its tests do without. */
const programs = [
  { program: "tmux", apt: "tmux", dnf: "tmux", brew: "tmux", platforms: ["linux", "darwin"] },
  { program: "strace", apt: "strace", dnf: "strace", brew: "strace", platforms: ["linux"] },
  {
    program: "chromium",
    // Where Debian's Chromium without windows is not offered, such as on Ubuntu, the whole one is installed.
    apt: "chromium-headless-shell",
    aptElse: "chromium",
    dnf: "chromium",
    brew: "--cask chromium",
    platforms: ["linux", "darwin"],
  },
  // Only its program: the package's own service is not wanted.
  {
    program: "nats-server",
    apt: "nats-server",
    dnf: "nats-server",
    brew: "nats-server",
    platforms: ["linux", "darwin"],
    service: "nats-server.service",
  },
  // Makes a disk in a file, which only root can mount; others do not even have it on their path.
  {
    program: "mkfs.ext4",
    apt: "e2fsprogs",
    dnf: "e2fsprogs",
    brew: "e2fsprogs",
    platforms: ["linux"],
    rootOnly: true,
  },
  // Several machines on one, which only root can make, and what the plainest of them has.
  { program: "ip", apt: "iproute2", dnf: "iproute", brew: "", platforms: ["linux"], rootOnly: true },
  { program: "curl", apt: "curl", dnf: "curl", brew: "curl", platforms: ["linux"], rootOnly: true },
  // In which completion is tried; others try it in those that they have.
  { program: "zsh", apt: "zsh", dnf: "zsh", brew: "zsh", platforms: ["linux"], rootOnly: true },
  { program: "fish", apt: "fish", dnf: "fish", brew: "fish", platforms: ["linux"], rootOnly: true },
  // Looks at units, and runs one in namespaces of its own, which only root can make.
  {
    program: "systemd-analyze",
    apt: "systemd",
    dnf: "systemd",
    brew: "",
    platforms: ["linux"],
    rootOnly: true,
  },
];

/** Any of these is a Chromium. */
const chromiums = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];

const managers = /** @type {const} */ (["apt", "dnf", "brew"]);
const manager = managers.find((name) => isInstalled(name === "apt" ? "apt-get" : name));
const isRoot = process.getuid?.() === 0;
const packages = programs
  .filter(({ platforms, rootOnly }) => platforms.includes(process.platform) && (isRoot || rootOnly !== true))
  .filter(({ program }) => !(program === "chromium" ? hasChromium() : isInstalled(program)))
  .map((entry) => entry[manager ?? "apt"]);

if (packages.length > 0) {
  if (manager === "apt" && isRoot) installWithApt(packages);
  else refuse(packages);
}

function hasChromium() {
  return (
    process.env["HUDDLE_CHROMIUM"] !== undefined ||
    chromiums.some(isInstalled) ||
    existsSync("/Applications/Google Chrome.app") ||
    existsSync("/Applications/Chromium.app")
  );
}

/** @param {string} program */
function isInstalled(program) {
  // Debian puts servers where only root looks.
  return [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"].some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** @param {string[]} names */
function installWithApt(names) {
  console.log(`Installing ${names.join(", ")} for the tests.`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  // A masked unit is not started when its package is installed. Where there is no systemd, nothing would start it.
  for (const { apt, service } of programs)
    if (service !== undefined && names.includes(apt))
      spawnSync("systemctl", ["mask", service], { stdio: "ignore" });
  const run = (/** @type {string[]} */ args) => {
    const { status } = spawnSync("apt-get", ["--quiet", ...args], {
      stdio: ["ignore", "inherit", "inherit"],
      env,
    });
    if (status !== 0) refuse(names);
  };
  run(["update"]);
  run(["install", "--yes", "--no-install-recommends", ...names.map(offered)]);
}

/** @param {string} name */
function offered(name) {
  const instead = programs.find(({ apt }) => apt === name)?.aptElse;
  if (instead === undefined) return name;
  const { stdout } = spawnSync("apt-cache", ["show", name], { encoding: "utf8" });
  return stdout.includes("Package: ") ? name : instead;
}

/** @param {string[]} names @returns {never} */
function refuse(names) {
  const list = names.join(" ");
  const commands = {
    apt: `sudo apt-get update && sudo apt-get install --yes ${list}`,
    dnf: `sudo dnf install --assumeyes ${list}`,
    brew: `brew install ${list}`,
  };
  const remedy =
    manager === undefined ? "Install them with your package manager" : `Run: ${commands[manager]}`;
  console.error(`The tests need ${names.join(", ")}. ${remedy}`);
  process.exit(1);
}
