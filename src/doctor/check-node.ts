import type { Finding } from "../model/finding.js";

/** As package.json has it. */
const LEAST = [20, 19] as const;

export function checkNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNew = major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1]);
  if (isNew) return { check: "node", state: "ok", text: `${version} (${process.execPath})` };
  return {
    check: "node",
    state: "problem",
    text: `${version} is too old: Huddle needs ${LEAST.join(".")} or newer`,
    fix: "npm install -g node@22",
  };
}
