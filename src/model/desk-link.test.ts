import { describe, expect, test } from "vitest";
import {
  type DeskPlace,
  deskLink,
  deskPath,
  loginLink,
  parseDeskLink,
  parseDeskPath,
  parseLoginFragment,
} from "./desk-link.js";

const hub = "http://127.0.0.1:9223";

const places: [string, DeskPlace][] = [
  ["/agents/ann", { page: "agent", name: "ann" }],
  ["/agents/red%2Fann", { page: "agent", name: "red/ann" }],
  ["/messages/0198-a", { page: "message", id: "0198-a" }],
  ["/requests", { page: "requests" }],
  ["/requests/r-1", { page: "requests", id: "r-1" }],
  ["/network", { page: "network" }],
  ["/network/c-1", { page: "network", id: "c-1" }],
  ["/workflows", { page: "workflows" }],
  ["/workflows/w-1", { page: "workflows", id: "w-1" }],
  ["/workflows/w-1/build%2Ftest", { page: "workflows", id: "w-1", step: "build/test" }],
  ["/log", { page: "log" }],
  ["/log/from%3Aann%20tax", { page: "log", id: "from:ann tax" }],
  ["/health", { page: "health" }],
  ["/needs-you", { page: "needs-you" }],
  ["/needs-you/p-1", { page: "needs-you", id: "p-1" }],
  ["/new-agent", { page: "new-agent" }],
];

describe.each(places)("%s", (path, place) => {
  test("is written and read back", () => {
    expect(deskPath(place)).toBe(path);
    expect(parseDeskPath(path)).toEqual(place);
  });

  test("is understood in every form that a person may give", () => {
    const link = deskLink(hub, place);

    expect(link).toBe(`${hub}/#${path}`);
    for (const text of [link, `#${path}`, path, path.slice(1)]) expect(parseDeskLink(text)).toEqual(place);
  });

  test("is where a login link leads", () => {
    const link = loginLink(hub, "c-_1", place);

    expect(parseLoginFragment(new URL(link).hash)).toEqual({ code: "c-_1", path });
  });
});

test.each([
  "/",
  "",
  "/agents",
  "/agents/",
  "/agents/a/b",
  "/elsewhere",
  "/new-agent/x",
  "/health/x",
  "/workflows/w/s/t",
  "/requests/r/s",
  "/workflows//s",
  "/agents/%zz",
  "//evil",
])("%j is no place", (path) => expect(parseDeskPath(path)).toBeUndefined());

test("a login link without a place leads to the beginning, and so does one to nowhere", () => {
  expect(loginLink(hub, "c")).toBe(`${hub}/#code=c`);
  expect(parseLoginFragment("#code=c")).toEqual({ code: "c", path: "/" });
  expect(parseLoginFragment("#code=c&to=//evil.example")).toEqual({ code: "c", path: "/" });
});

test.each(["", "#", "#/agents/ann", "#/agents/code=1", "#code=", "#to=/agents/ann"])(
  "%j is no login",
  (fragment) => expect(parseLoginFragment(fragment)).toBeUndefined(),
);
