import { expect, test } from "vitest";
import { measureParts } from "./measure-bundle.mjs";

const manifest = {
  "index.html": {
    file: "assets/index.js",
    isEntry: true,
    imports: ["_shared.js"],
    dynamicImports: ["chat/terminal/view.tsx", "chat/chat.tsx"],
  },
  "_shared.js": { file: "assets/shared.js" },
  "chat/terminal/view.tsx": {
    file: "assets/view.js",
    isDynamicEntry: true,
    imports: ["_shared.js", "_xterm.js"],
  },
  "_xterm.js": { file: "assets/xterm.js" },
  "chat/chat.tsx": {
    file: "assets/chat.js",
    isDynamicEntry: true,
    imports: ["index.html"],
    dynamicImports: ["lib/highlight.ts"],
  },
  "lib/highlight.ts": { file: "assets/highlight.js", isDynamicEntry: true, imports: ["chat/chat.tsx"] },
  "../../node_modules/@shikijs/langs/dist/go.mjs": { file: "assets/go.js", isDynamicEntry: true },
  "style.css": { file: "assets/style.css" },
};
const sizes: Record<string, number> = {
  "assets/index.js": 100_000,
  "assets/shared.js": 50_000,
  "assets/view.js": 1000,
  "assets/xterm.js": 90_000,
  "assets/highlight.js": 61_000,
  "assets/go.js": 5000,
  "assets/chat.js": 70_000,
};
const measure = () => measureParts(manifest, (file) => sizes[file] ?? Number.NaN);

test("what every page loads is counted with all that it imports, and nothing twice", () => {
  expect(measure()[0]).toEqual({ name: "initial", bytes: 150_000, limit: 225_000 });
});

test("a part that is loaded later costs what it adds", () => {
  expect(measure()).toContainEqual({
    name: "terminal (chat/terminal/view.tsx)",
    bytes: 91_000,
    limit: 95_000,
  });
});

test("of several parts of a kind the largest counts", () => {
  expect(measure()).toContainEqual({ name: "highlighter (lib/highlight.ts)", bytes: 61_000, limit: 60_000 });
});

test("what asks for a part is there already", () => {
  const parts = measure();
  expect(parts).toContainEqual({ name: "other (chat/chat.tsx)", bytes: 70_000, limit: 85_000 });
  expect(parts.find(({ name }) => name.startsWith("highlighter"))?.bytes).toBe(61_000);
});
