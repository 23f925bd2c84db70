import { join } from "node:path";
import { expect, test } from "vitest";
import { resolvePaths } from "./paths.js";

test("HUDDLE_HOME holds everything", () => {
  expect(resolvePaths({ HUDDLE_HOME: "/h", XDG_DATA_HOME: "/elsewhere" }, "/home/ann")).toEqual({
    data: "/h",
    config: "/h",
    state: "/h",
    database: "/h/huddle.db",
    views: "/h/huddle-views.db",
    search: "/h/huddle-search.db",
    token: "/h/token",
    join: "/h/join",
    lock: "/h/huddle.lock",
    hubFile: "/h/hub.json",
    runtimes: "/h/runtimes.json",
    configFile: "/h/huddle.yaml",
    logs: "/h/logs",
    hubLog: "/h/logs/hub.log",
    commsLog: "/h/logs/agent-comms.log",
  });
});

test("a relative HUDDLE_HOME counts from the working directory", () => {
  expect(resolvePaths({ HUDDLE_HOME: "here" }, "/home/ann").token).toBe(join(process.cwd(), "here", "token"));
});

test("without HUDDLE_HOME the XDG folders are used", () => {
  const env = { XDG_DATA_HOME: "/d", XDG_CONFIG_HOME: "/c", XDG_STATE_HOME: "/s" };
  expect(resolvePaths(env, "/home/ann")).toMatchObject({
    database: "/d/huddle/huddle.db",
    lock: "/d/huddle/huddle.lock",
    hubFile: "/d/huddle/hub.json",
    configFile: "/c/huddle/huddle.yaml",
    hubLog: "/s/huddle/logs/hub.log",
  });
});

test.each([
  ["unset", {}],
  ["empty", { HUDDLE_HOME: "", XDG_DATA_HOME: "", XDG_CONFIG_HOME: "", XDG_STATE_HOME: "" }],
  ["relative", { XDG_DATA_HOME: "d", XDG_CONFIG_HOME: "./c", XDG_STATE_HOME: "../s" }],
])("variables that are %s leave the defaults under the home folder", (_, env) => {
  expect(resolvePaths(env, "/home/ann")).toMatchObject({
    data: "/home/ann/.local/share/huddle",
    configFile: "/home/ann/.config/huddle/huddle.yaml",
    logs: "/home/ann/.local/state/huddle/logs",
  });
});
