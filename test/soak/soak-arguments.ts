import { parseArgs } from "node:util";
import type { Part } from "./part.js";

type Chosen = { part: Part; count: number };

export type SoakArguments = { chosen: readonly Chosen[]; fresh: boolean; list: boolean; write: boolean };

/** Or why they cannot be understood. */
export function readSoakArguments(argv: readonly string[], parts: readonly Part[]): SoakArguments | string {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      fresh: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
    },
  });
  const chosen: Chosen[] = [];
  for (const argument of positionals) {
    const [name, count] = argument.split("=");
    const part = parts.find((known) => known.name === name);
    if (part === undefined || !/^[1-9]\d*$/.test(count ?? "1")) {
      const names = parts.map((known) => known.name).join(", ");
      return `"${argument}" is no part. Usage: npm run soak -- [part[=count] …] [--fresh] [--list] [--write], with parts ${names}`;
    }
    chosen.push({ part, count: count === undefined ? part.count : Number(count) });
  }
  const all = parts.map((part) => ({ part, count: part.count }));
  return { ...values, chosen: chosen.length === 0 ? all : chosen };
}
