import { markdownWriter } from "../../client/render-markdown.js";
import { escapeUnsafe } from "../../model/unsafe-text.js";
import { hub } from "../hub/hub.js";
import { escapeShown } from "../parts/split-unsafe.js";
import { type LogRow, rowsOf } from "./log-rows.js";

export type ExportFormat = "jsonl" | "md";

const PAGE = 200;

/** All that a query finds, oldest first, as `huddle export` writes it. `onCount` is told how many there are so far. */
export async function exportLog(
  query: string,
  format: ExportFormat,
  onCount: (count: number) => void,
  signal: AbortSignal,
): Promise<{ file: Blob; count: number }> {
  const render = format === "md" ? asMarkdown() : asJson;
  // A blob for each page: the browser may keep them on disk.
  const parts: Blob[] = [];
  let count = 0;
  for await (const rows of pagesOldestFirst(query, signal)) {
    parts.push(new Blob(rows.map(render)));
    count += rows.length;
    onCount(count);
  }
  const type = format === "md" ? "text/markdown" : "application/x-ndjson";
  return { file: new Blob(parts, { type }), count };
}

async function* pagesOldestFirst(query: string, signal: AbortSignal): AsyncGenerator<LogRow[]> {
  const asked = { q: query, turns: "false", limit: PAGE } as const;
  const { places } = await hub.searchCount(
    { q: query, turns: "false", every: PAGE },
    { signal, timeoutMs: 60_000 },
  );
  if (places === undefined) {
    yield* (await pagesNewestFirst(query, signal)).reverse();
    return;
  }
  for (let page = places.length - 1; page >= 0; page--) {
    const below = places[page + 1];
    const found = await hub.search(
      {
        ...asked,
        older_than: (places[page] ?? 0) + 1,
        ...(below === undefined ? {} : { newer_than: below }),
      },
      { signal },
    );
    yield rowsOf(found).reverse();
  }
}

/** Where nobody knows how many there are. */
async function pagesNewestFirst(query: string, signal: AbortSignal): Promise<LogRow[][]> {
  const pages: LogRow[][] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await hub.search(
      { q: query, turns: "false", limit: PAGE, ...(cursor === undefined ? {} : { cursor }) },
      { signal },
    );
    pages.push(rowsOf(page).reverse());
    cursor = page.next;
  }
  return pages;
}

function asJson(row: LogRow): string {
  return `${escapeUnsafe(JSON.stringify(plain(row)))}\n`;
}

/** As the hub gives it: how far a message has come is not part of it. */
function plain(row: LogRow): object {
  if (row.kind === "turn") return { type: "turn", ...row.turn };
  const { deliveries: _deliveries, recipients: _recipients, ...message } = row.message;
  return message;
}

function asMarkdown(): (row: LogRow) => string {
  const write = markdownWriter(escapeShown);
  return (row) => {
    if (row.kind === "message") return write(row.message);
    // What a search finds of a turn is its words.
    return write({ ...row.turn, text: row.turn.excerpt, thoughts: "", tools: [], plan: [], usage: null });
  };
}

/** Hands a file to the browser, as a download. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
