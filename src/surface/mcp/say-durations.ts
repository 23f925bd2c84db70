import { parseJson } from "../../model/parse-json.js";
import type { SurfaceLimits } from "../ports.js";
import { objectSchema, type Tool } from "./tool.js";

/** The keys of the configuration that arguments are described by, in seconds. */
function secondsOf({ waitMaxMs, requestDefaultMs, workLeaseMs }: SurfaceLimits): ReadonlyMap<string, number> {
  return new Map([
    ["inbox.wait_max", waitMaxMs / 1000],
    ["requests.default", requestDefaultMs / 1000],
    ["work.lease", workLeaseMs / 1000],
  ]);
}

/** The arguments of a tool, described by the durations of this hub. */
export function sayDurations(schema: Tool["inputSchema"], limits: SurfaceLimits): Tool["inputSchema"] {
  const seconds = secondsOf(limits);
  const say = (word: string, key: string) => String(seconds.get(key) ?? word);
  // A bracket of JSON itself is never followed by a bare word.
  return objectSchema.parse(parseJson(JSON.stringify(schema).replaceAll(/\{([a-z_.]+)\}/g, say)));
}
