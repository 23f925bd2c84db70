/** The value of a line that is JSON; undefined of one that is not. */
export function readJsonLine(line: string): unknown {
  const text = line.trim();
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
