import { expect, test } from "vitest";
import { hubEnvironment } from "./hub-environment.js";
import { secretVariables } from "./secret-variables.js";

test("a hub in the background knows where programs, sockets and the driver are, and no secret", () => {
  const kept = {
    PATH: "/bin",
    TMUX_TMPDIR: "/run/tmux",
    HUDDLE_SQLITE: "prebuilt",
    https_proxy: "http://p",
    LC_ALL: "C",
  };
  const secrets = { ANTHROPIC_API_KEY: "s3cret", TMUX: "/run/tmux/x,1,0", HUDDLE_AGENT: "ann" };

  expect(hubEnvironment({ ...kept, ...secrets }, "/data")).toEqual({ ...kept, HUDDLE_HOME: "/data" });
});

test("a variable that the configuration says a secret is in comes along, and only that", () => {
  const env = { COMMS: "s3cret", OTHER: "s3cret" };

  expect(hubEnvironment(env, "/data", new Set(["COMMS"]))).toEqual({ COMMS: "s3cret", HUDDLE_HOME: "/data" });
});

test.each([
  ["agent-comms:\n  secret: env:COMMS\n", ["COMMS"]],
  ["agent-comms:\n  secret: 'env:COMMS' # here\n", ["COMMS"]],
  ["agent-comms: {secret: env:A, peers: [{name: r2, host: h, secret: env:B}]}", ["A", "B"]],
  ["# secret: env:COMMS\n  #secret: env:TOO\n", []],
  ["checks:\n  unit: [env:HOME]\nsecret_of: env:COMMS\nsecret: keychain:env:COMMS\n", []],
])("of %j the variables are %j", (text, names) => {
  expect([...secretVariables([text])]).toEqual(names);
});

test("a setting on the command line names its variable, too", () => {
  expect([...secretVariables(["", "agent-comms.secret=env:COMMS"])]).toEqual(["COMMS"]);
});
