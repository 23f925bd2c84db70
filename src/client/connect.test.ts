import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { containing } from "../../test/fakes/text-matching.js";
import { refusalOf } from "../../test/refusal-of.js";
import { locateHub } from "./connect.js";

function homeWith(files: Record<string, string>) {
  const folder = tempFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return { HUDDLE_HOME: folder };
}

const hubJson = JSON.stringify({ url: "http://127.0.0.1:4000", pid: 1 });

test("the hub of this home is found by hub.json and the token beside it", () => {
  const env = homeWith({ "hub.json": hubJson, token: "secret\n" });
  expect(locateHub({ env, home: "/nowhere" })).toEqual({ url: "http://127.0.0.1:4000", token: "secret" });
});

test("--hub stands above HUDDLE_URL, which stands above JANUS_API_URL and hub.json", () => {
  const home = homeWith({ "hub.json": hubJson, token: "secret" });
  const janus = { ...home, JANUS_API_URL: "http://localhost:1/" };
  const both = { ...janus, HUDDLE_URL: "http://localhost:2" };
  const urlOf = (env: Record<string, string>, hub?: string) => locateHub({ env, home: "/nowhere", hub }).url;
  expect(urlOf(janus)).toBe("http://localhost:1");
  expect(urlOf(both)).toBe("http://localhost:2");
  expect(urlOf(both, "http://[::1]:3")).toBe("http://[::1]:3");
});

test("HUDDLE_TOKEN stands above HUDDLE_TOKEN_FILE, which stands above the token of this home", () => {
  const home = homeWith({ "hub.json": hubJson, token: "of home", other: "of-file" });
  const file = { ...home, HUDDLE_TOKEN_FILE: join(home.HUDDLE_HOME, "other") };
  expect(locateHub({ env: file, home: "/nowhere" }).token).toBe("of-file");
  expect(locateHub({ env: { ...file, HUDDLE_TOKEN: "given" }, home: "/nowhere" }).token).toBe("given");
});

test("without a hub the advice is to start one", () => {
  const refusal = refusalOf(() => locateHub({ env: homeWith({ token: "secret" }), home: "/nowhere" }));
  expect(refusal).toMatchObject({ code: "HUB_UNREACHABLE", message: containing("`huddle up`") });
});

test("the token of this home is not shown to a hub on another machine", () => {
  const env = homeWith({ token: "secret" });
  for (const hub of ["http://hub.example:9223", "http://127.0.0.1.example", "https://10.0.0.1"]) {
    expect(refusalOf(() => locateHub({ env, home: "/nowhere", hub })).code).toBe("UNAUTHENTICATED");
    expect(locateHub({ env: { ...env, HUDDLE_TOKEN: "given" }, home: "/nowhere", hub }).token).toBe("given");
  }
});

test.each(["nonsense", "ftp://127.0.0.1", "127.0.0.1:9223"])("%s is no address of a hub", (hub) => {
  expect(refusalOf(() => locateHub({ env: homeWith({}), home: "/nowhere", hub })).code).toBe("INVALID_INPUT");
});

test.each(["", "two words", "line\nbreak", "naïve"])(
  "a token file that holds %j is refused before it is sent",
  (token) => {
    const env = homeWith({ "hub.json": hubJson, token });
    expect(refusalOf(() => locateHub({ env, home: "/nowhere" })).code).toBe("UNAUTHENTICATED");
  },
);
