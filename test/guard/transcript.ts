/*
 * What was said to a hub and what it answered, as text that is the same in every run: what differs by nature (ids, times,
 * tokens, folders, sizes) is replaced, the same id by the same word throughout. So are the sentences of errors: people read
 * them, and programs go by the code.
 */

export type Transcript = {
  add(title: string, value: unknown): void;
  text(): string;
};

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** The end of a tag. */
const END = /(?<=\bMSG_[A-Z0-9_]+_)[0-9a-f]{8}\b/g;
/** By which the outputs in a step's prompt are told apart. */
const MARK = /(?<=\(|the mark )[0-9a-f]{8}(?=\)|\.)/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z/g;
const HASH = /\b[0-9a-f]{64}\b/g;
const ADDRESS = /(127\.0\.0\.1|localhost):\d+/g;
/** One-time codes. */
const SECRET = /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g;
/** Fields whose value is another one each time. */
const VARYING = new Set([
  "token",
  "ticket",
  "version",
  "pid",
  "memory_bytes",
  "wal_bytes",
  "bytes",
  "ms",
  "uptime_seconds",
  "expires_in_seconds",
  "retry_after_ms",
]);
const SENTENCES = new Set(["error", "description", "summary", "hint", "instructions", "title"]);

export function createTranscript(folders: readonly string[]): Transcript {
  const parts: string[] = [];
  const ids = new Map<string, string>();

  function clean(value: unknown, key = ""): unknown {
    if (typeof value === "number" && value > 1e11) return "<ms>";
    if (VARYING.has(key) && value !== null && typeof value !== "object") return `<${key}>`;
    if (typeof value === "string")
      return SENTENCES.has(key) && value.includes(" ") ? "<sentence>" : cleanText(value);
    if (Array.isArray(value)) return value.map((item) => clean(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [cleanText(name), clean(item, name)]),
    );
  }

  function cleanText(text: string): string {
    const inner = parseObject(text);
    if (inner !== undefined) return JSON.stringify(clean(inner));
    return folders
      .reduce((short, folder) => short.replaceAll(folder, "<folder>"), text)
      .replace(UUID, nameOf)
      .replace(END, "<end>")
      .replace(MARK, "<mark>")
      .replace(TIME, "<time>")
      .replace(HASH, "<hash>")
      .replace(SECRET, "<code>")
      .replace(ADDRESS, "<address>");
  }

  function nameOf(id: string): string {
    const known = ids.get(id) ?? `<id ${ids.size + 1}>`;
    ids.set(id, known);
    return known;
  }

  return {
    add: (title, value) =>
      void parts.push(`## ${cleanText(title)}\n${JSON.stringify(clean(value), null, 1)}`),
    text: () => `${parts.join("\n\n")}\n`,
  };
}

/** A tool's answer is an object written as text. */
function parseObject(text: string): object | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
