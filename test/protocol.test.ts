import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { exitCodes } from "../src/cli/exit-codes.js";
import { allRoutes } from "../src/contract/http/routes.js";
import { listKeys } from "../src/daemon/config-keys.js";
import { configSchema } from "../src/daemon/config-schema.js";
import { agentStatuses } from "../src/model/agent.js";
import { deliveryStates } from "../src/model/delivery.js";
import { hubErrorCodes } from "../src/model/errors.js";
import { eventTypes } from "../src/model/events.js";
import { statusWord } from "../src/model/status-words.js";
import { httpStatus } from "../src/surface/answers/status-codes.js";

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

/** The rows of a section's tables by their first cell, without its backticks. */
function rows(number: string): Map<string, string[]> {
  return new Map(
    section(number)
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .map((line) => line.split("|").map((cell) => cell.trim()))
      .map(([, first = "", ...rest]) => [first.replaceAll("`", ""), rest]),
  );
}

test.each(allRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  "%s has a section, with who may call it and its own refusals",
  (name, { access, errors = [] }) => {
    const heading = protocol
      .split("\n")
      .find((line) => line.startsWith("### ") && line.includes(`\`${name}\``));
    expect(heading).toBeDefined();
    const text = section(heading?.split(" ")[1] ?? "");
    expect(text).toMatch(
      access === "member" ? /Who: (member|the agent itself|the sender)/ : `Who: ${access}`,
    );
    for (const code of errors) expect(text).toContain(`\`${code}\``);
  },
);

test("every field of a body or a query is named in its route's section", () => {
  for (const { method, path, body, query } of allRoutes) {
    // The fields of an event stream are in the section about events.
    const name = path === "/api/events" ? "8. " : `\`${method} ${path}\``;
    const heading = protocol.split("\n").find((line) => /^#{2,3} /.test(line) && line.includes(name));
    const text = section(heading?.split(" ")[1] ?? "");
    for (const field of Object.keys({ ...body?.shape, ...query?.shape })) {
      expect(text, `${method} ${path}: ${field}`).toMatch(new RegExp(`\\b${field}\\b`));
    }
  }
});

test("every event type has its row, and no other has one", () => {
  expect([...rows("8.4").keys()].sort()).toEqual([...eventTypes].sort());
});

test("every error code has its row, with its status over HTTP and its exit code", () => {
  const catalogue = rows("11.");
  expect([...catalogue.keys()]).toEqual([...hubErrorCodes]);
  for (const code of hubErrorCodes) {
    const [status, exit] = catalogue.get(code) ?? [];
    if (status !== "–") expect(`${code} ${status}`).toBe(`${code} ${httpStatus[code]}`);
    expect(`${code} ${exit}`).toBe(`${code} ${exitCodes[code]}`);
  }
});

test("every state of a delivery is on the ladder", () => {
  const ladder = section("9.2");
  for (const state of [...deliveryStates, "answered"]) expect(ladder).toContain(`\`${state}\``);
});

test("every status has its row, with the word of each dialect", () => {
  const table = rows("10.2");
  expect([...table.keys()]).toEqual([...agentStatuses]);
  for (const status of agentStatuses) {
    const words = (["tabs", "sessions", "tools", "peers"] as const).map((dialect) =>
      statusWord(dialect, status),
    );
    expect(table.get(status)?.slice(0, 4)).toEqual(words);
  }
});

test("every key that is named is one of the configuration", () => {
  const known = listKeys(configSchema).map(({ key }) => key);
  const sections = [...new Set(known.filter((key) => key.includes(".")).map((key) => key.split(".")[0]))];
  const named = protocol.match(new RegExp(`\`(${sections.join("|")})\\.[a-z_]+\``, "g")) ?? [];
  expect(named.length).toBeGreaterThan(10);
  expect(known).toEqual(expect.arrayContaining(named.map((key) => key.replaceAll("`", ""))));
});
