import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Allowed = { file: string; name: string; reason: string };

test("each test that may be skipped is there, is named once, and has a reason", () => {
  const list = JSON.parse(readFileSync("test/report/allowed-skips.json", "utf8")) as Allowed[];
  const strange = list.filter(({ file, name, reason }) => {
    // The names of groups stand before it.
    const own = name.split(" > ").at(-1) ?? "";
    return !readFileSync(file, "utf8").includes(JSON.stringify(own)) || reason === "";
  });

  expect(strange).toEqual([]);
  expect(new Set(list.map(({ file, name }) => `${file} > ${name}`)).size).toBe(list.length);
});
