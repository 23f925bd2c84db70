import { expect, test } from "vitest";
import { hubEnvironment } from "./hub-environment.js";

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
