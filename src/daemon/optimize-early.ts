import { setFlagsFromString } from "node:v8";

/**
 * A hub does little, and somebody waits for each thing that it does. The V8 of Node 20 would leave its code slow until it
 * had run some thousand times (its default is 67584). Later ones have no such flag and would print an error. Called once the
 * hub is ready: code that only runs at the start is not worth optimizing.
 */
export function optimizeEarly(v8Version = process.versions.v8): void {
  if (v8Version.startsWith("11.")) setFlagsFromString("--interrupt-budget=6000");
}
