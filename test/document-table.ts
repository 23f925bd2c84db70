/*
 * Reads the tables of docs/documents.md: a section for each document, a row for each thing that it asks for, and the tests
 * that prove it as `[label](../path) "name of the test"`, separated by semicolons.
 */

/** The text of a file of this repository; undefined where there is none. */
type ReadFile = (path: string) => string | undefined;

type Row = { line: string; number: string; asks: string; runs: string; state: string; test: string };

const documents = ["000", "001", "002", "003", "004"];
const marker = /TODO\([a-z0-9]+\)/;
const reference = /\[[^\]]+\]\(\.\.\/([^)]+)\) "([^"]+)"/g;

/** Everything that is wrong with the tables, in words; a marker for what somebody will fill in is not. */
export function findFaults(page: string, readFile: ReadFile): string[] {
  return documents.flatMap((document) => {
    const rows = rowsOf(page, document);
    if (rows.length === 0) return [`${document}: there is no table`];
    return rows.flatMap((row, index) => {
      const expected = `${document}-${index + 1}`;
      if (row.number !== expected) return [`${expected} is missing: here is "${row.number}"`];
      return [...shapeFaults(row), ...stateFaults(row), ...testFaults(row, readFile)].map(
        (fault) => `${row.number}: ${fault}`,
      );
    });
  });
}

/** The rows that wait for somebody to fill in their test. */
export function findUnfilled(page: string): string[] {
  return page.split("\n").filter((line) => marker.test(line));
}

/** The table lines of the section `## 000 …`, without the head. */
function rowsOf(page: string, document: string): Row[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${document} `)) ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) => {
    const cells = line.slice(1, line.lastIndexOf("|")).split(/(?<!\\)\|/);
    const [number = "", asks = "", runs = "", state = "", test = ""] = cells.map((cell) => cell.trim());
    return { line: cells.length === 5 ? "" : line, number, asks, runs, state, test };
  });
}

function shapeFaults({ line, asks, runs }: Row): string[] {
  return [
    ...(line === "" ? [] : [`not five cells: ${line}`]),
    ...(asks === "" ? ["nothing is asked"] : []),
    ...(runs === "" ? ["it does not say what runs here"] : []),
  ];
}

function stateFaults({ state, test }: Row): string[] {
  if (!/^(works|(part|not yet): \S.*)$/.test(state))
    return [`the state is "${state}": works, or part or not yet with the piece that is missing`];
  return state === "works" && test === "" ? ["it works, and no test is named"] : [];
}

function testFaults({ test }: Row, readFile: ReadFile): string[] {
  const references = [...test.matchAll(reference)];
  const rest = test.replace(reference, "").replace(marker, "").replaceAll(/[;\s]/g, "");
  const unread = rest === "" ? [] : [`not a link to a test and its name in quotes: ${test}`];
  return [
    ...unread,
    ...references.flatMap(([, path = "", name = ""]) => {
      const text = readFile(path);
      if (text === undefined) return [`there is no ${path}`];
      return isTitle(text, name) ? [] : [`no test of ${path} is called "${name}"`];
    }),
  ];
}

/** As the first argument of a call, so that what only occurs in a longer name, or in a comment, does not count. */
function isTitle(text: string, name: string): boolean {
  return text
    .split(/\(\s*["'`]/)
    .some((rest) => rest.startsWith(name) && /^["'`]\s*,/.test(rest.slice(name.length)));
}
