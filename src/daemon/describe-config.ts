import { formatDuration } from "../model/duration.js";
import { formatBytes } from "./bytes.js";
import { listKeys } from "./config-keys.js";
import type { LeafFacts } from "./config-leaf.js";
import type { Origin, Origins } from "./config-load.js";
import { configSchema, type HubConfig } from "./config-schema.js";
import { valueAt } from "./config-tree.js";

type ConfigRow = { key: string; value: string; origin: Origin; description: string };

/** Every key with the value in force, as a person would write it, and where that value comes from. */
export function describeConfig(config: HubConfig, origins: Origins): ConfigRow[] {
  return listKeys(configSchema).map(({ key, path, unit, description }) => ({
    key,
    value: write(valueAt(config, path), unit),
    origin: origins[key] ?? "default",
    description,
  }));
}

function write(value: unknown, unit: LeafFacts["unit"]): string {
  if (typeof value === "string") return value;
  if (typeof value !== "number") return JSON.stringify(value);
  if (unit === "ms") return formatDuration(value);
  return unit === "bytes" ? formatBytes(value) : String(value);
}
