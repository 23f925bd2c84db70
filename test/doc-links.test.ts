import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

const documents = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

/** What a document links to, other than the web. */
function linksIn(text: string): string[] {
  return [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, to = ""]) => to).filter((to) => !/^https?:/.test(to));
}

/** The names by which headings can be linked to. */
function anchorsIn(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number}\s_-]/gu, "")
      .replace(/\s/g, "-"),
  );
}

test.each(documents)("every link in %s leads somewhere", (name) => {
  const file = join(root, name);
  const text = readFileSync(file, "utf8");
  for (const link of linksIn(text)) {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? file : join(dirname(file), path);
    expect(existsSync(target), link).toBe(true);
    if (anchor !== undefined) expect(anchorsIn(readFileSync(target, "utf8")), link).toContain(anchor);
  }
});
