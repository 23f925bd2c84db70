import type { Colors } from "./output.js";

const paints = [
  "magenta",
  "cyan",
  "yellow",
  "green",
  "blue",
  "red",
  "magentaBright",
  "cyanBright",
  "yellowBright",
  "greenBright",
  "blueBright",
  "redBright",
] as const;

/** A colour for each name, mostly the same one in every run; two names share one only once all are taken. */
export function agentPaints(colors: Colors): (name: string) => string {
  const chosen = new Map<string, number>();
  return (name) => {
    let index = chosen.get(name);
    if (index === undefined) {
      const taken = new Set(chosen.values());
      const wished = hash(name) % paints.length;
      const free = paints.map((_, step) => (wished + step) % paints.length).find((one) => !taken.has(one));
      index = free ?? wished;
      chosen.set(name, index);
    }
    return colors.bold(colors[paints[index] ?? "cyan"](name));
  };
}

function hash(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return sum;
}
