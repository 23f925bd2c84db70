// What is mutated: the parts whose promises matter most. A file belongs to the first part that names it.
import { listFiles } from "../list-files.mjs";

/** @type {Record<string, RegExp>} */
export const parts = {
  journal: /^src\/journal\//,
  claims:
    /^src\/hub\/(commands|rules)\/(claim-|release-claims|release-work|request-claimed|find-request|answer-request)/,
  // Who somebody is, and what they may do and see.
  auth: /^src\/(surface\/(caller\/|http\/bind-route|streams\/reader-registry|mcp\/(roles|find-sender))|hub\/rules\/credentials|model\/(mail-)?visibility)/,
  hub: /^src\/hub\//,
  delivery: /^src\/delivery\//,
  policies: /^src\/(policies|views\/comms-log)\//,
};

/** @param {string} file */
export function partOf(file) {
  return Object.keys(parts).find((part) => parts[part]?.test(file));
}

/** @param {readonly string[]} wanted parts; all when none is named */
export function filesToMutate(wanted) {
  return listFiles(["src"], /(?<!\.test)\.ts$/).filter((file) => {
    const part = partOf(file);
    return part !== undefined && (wanted.length === 0 || wanted.includes(part));
  });
}
