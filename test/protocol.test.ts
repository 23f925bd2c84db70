import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { allRoutes } from "../src/contract/http/routes.js";
import { listKeys } from "../src/daemon/config-keys.js";
import { configSchema } from "../src/daemon/config-schema.js";
import { deliveryStates } from "../src/model/delivery.js";

/* What `npm run protocol` cannot know: that a block stands where it belongs, and that the text by hand keeps up. */

const protocol = readFileSync(new URL("../PROTOCOL.md", import.meta.url), "utf8");

/** The text of one numbered section, from its heading to the next of the same depth or above. */
function section(number: string): string {
  const isHeading = (line: string) => /^#{2,3} \d/.test(line);
  const lines = protocol.split("\n");
  const start = lines.findIndex((line) => isHeading(line) && line.replace(/^#+ /, "").startsWith(number));
  expect(start, `section ${number}`).toBeGreaterThan(-1);
  const depth = lines[start]?.indexOf(" ") ?? 0;
  const length = lines.slice(start + 1).findIndex((line) => isHeading(line) && line.indexOf(" ") <= depth);
  return lines.slice(start, length === -1 ? undefined : start + 1 + length).join("\n");
}

test.each(allRoutes.map(({ method, path }) => `${method} ${path}`))(
  "%s has its block in its section",
  (name) => {
    const heading = protocol
      .split("\n")
      .find((line) => line.startsWith("### ") && line.includes(`\`${name}\``));
    expect(heading).toBeDefined();
    expect(section(heading?.split(" ")[1] ?? "")).toContain(`<!-- generated: route ${name} -->`);
  },
);

test("every state of a delivery is on the ladder", () => {
  const ladder = section("9.2");
  for (const state of [...deliveryStates, "answered"]) expect(ladder).toContain(`\`${state}\``);
});

test("every key that is named is one of the configuration", () => {
  const known = listKeys(configSchema).map(({ key }) => key);
  const sections = [...new Set(known.filter((key) => key.includes(".")).map((key) => key.split(".")[0]))];
  const named = protocol.match(new RegExp(`\`(${sections.join("|")})\\.[a-z_]+\``, "g")) ?? [];
  expect(named.length).toBeGreaterThan(10);
  expect(known).toEqual(expect.arrayContaining(named.map((key) => key.replaceAll("`", ""))));
});
