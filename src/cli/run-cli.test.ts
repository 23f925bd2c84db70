import { describe, expect, test } from "vitest";
import { cli } from "../../test/fakes/run-cli.js";
import { containing, matching } from "../../test/fakes/text-matching.js";
import { HubError } from "../model/errors.js";

describe("usage", () => {
  test.each([
    [["agnts", "--team", "x"], '✗ There is no command "agnts". Did you mean agents?\n  See: huddle --help\n'],
    [["frobnicate"], '✗ There is no command "frobnicate".\n  See: huddle --help\n'],
    [["--jsn"], '✗ Unknown option "--jsn". Did you mean --json?\n  See: huddle --help\n'],
    [
      ["agents", "--taem", "x"],
      '✗ Unknown option "--taem". Did you mean --team?\n  See: huddle agents --help\n',
    ],
    [["send"], '✗ Missing required argument "to".\n  See: huddle send --help\n'],
    [
      ["up", "--port", "70000"],
      '✗ --port does not take "70000". Give a number from 0 to 65535.\n  See: huddle up --help\n',
    ],
    [
      ["status", "--timeout", "soon"],
      '✗ --timeout does not take "soon". Give a time such as 30s, 10m or 2h.\n  See: huddle status --help\n',
    ],
    [
      ["send", "bob"],
      "✗ There is nothing to send.\n  Give the text as an argument, or pipe it: echo hi | huddle send NAME\n",
    ],
  ])("%j is explained, with exit code 2", async (argv, stderr) => {
    expect(await cli(argv)).toEqual({ code: 2, stdout: "", stderr });
  });

  test("with --json a complaint is one document on stderr", async () => {
    const { code, stdout, stderr } = await cli(["--json", "agnts"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(JSON.parse(stderr)).toEqual({
      error: 'There is no command "agnts". Did you mean agents?',
      code: "INVALID_INPUT",
      hint: "See: huddle --help",
    });
  });

  test("help and version go to stdout", async () => {
    const help = await cli(["--help"]);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toMatch(/^Talk\n {2}send +send a message/m);
    expect((await cli(["help", "tail"])).stdout).toContain("--since");
    expect(await cli(["--version"])).toMatchObject({
      code: 0,
      stdout: matching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  test("control characters of the command line itself are shown too", async () => {
    expect((await cli(["\x1b[2Jnope"])).stderr).toContain('"\\x1b[2Jnope"');
  });
});

describe("without a hub", () => {
  test.each([["status"], ["agents"], ["inbox"], ["tail"], ["send", "bob", "hi"]])(
    "%s says how to start one",
    async (...argv) => {
      expect(await cli(argv)).toEqual({
        code: 3,
        stdout: "",
        stderr: "✗ No hub is running. Start it with `huddle up`.\n",
      });
    },
  );

  test("down has nothing to do", async () => {
    expect(await cli(["down"])).toEqual({ code: 0, stdout: "Huddle is not running.\n", stderr: "" });
  });
});

describe("what the daemon does", () => {
  test("up --foreground runs the hub and answers with its exit code", async () => {
    const asked: unknown[] = [];
    const run = await cli(["up", "--foreground", "--port", "0", "--set", "a=1", "--set", "b=2", "--json"], {
      daemon: {
        runHub: async ({ write, ...options }) => {
          asked.push(options);
          write("ready");
          return 9;
        },
      },
    });
    expect(run).toEqual({ code: 9, stdout: "ready\n", stderr: "" });
    expect(asked).toEqual([{ set: ["a=1", "b=2"], port: 0, json: true }]);
  });

  test("rebuild says how much was folded", async () => {
    const daemon = { rebuild: async () => ({ events: 12 }) };
    expect(await cli(["rebuild"], { daemon })).toMatchObject({
      code: 0,
      stdout: "✓ The views were rebuilt from 12 events\n",
    });
    expect(await cli(["rebuild", "--json"], { daemon })).toMatchObject({ stdout: '{"events":12}\n' });
    expect(await cli(["rebuild", "--quiet"], { daemon })).toMatchObject({ stdout: "" });
  });

  test("config shows what is in effect and from where", async () => {
    const rows = [{ key: "port", value: "9223", origin: "default", description: "Port." }];
    const daemon = { config: () => ({ file: "/x/huddle.yaml", exists: false, rows }) };
    expect((await cli(["config"], { daemon })).stdout).toBe(
      "KEY   VALUE  FROM     WHAT IT IS\nport  9223   default  Port.\n",
    );
    expect((await cli(["config", "check"], { daemon })).stdout).toContain("defaults are in effect");
    expect(JSON.parse((await cli(["config", "--json"], { daemon })).stdout)).toEqual({
      file: "/x/huddle.yaml",
      exists: false,
      settings: rows,
    });
  });

  test("config path needs no readable configuration", async () => {
    expect((await cli(["config", "path"], { env: { HUDDLE_HOME: "/somewhere" } })).stdout).toBe(
      "/somewhere/huddle.yaml\n",
    );
  });

  test("a refusal keeps its sentence, and its code decides the exit code", async () => {
    const daemon = {
      config: () => {
        throw new HubError("CONFIG_INVALID", "port: is not a number");
      },
    };
    expect(await cli(["config", "check"], { daemon })).toEqual({
      code: 2,
      stdout: "",
      stderr: "✗ port: is not a number.\n",
    });
  });

  test("a mistake of ours is reported, not thrown", async () => {
    const run = await cli(["rebuild"]);
    expect(run).toMatchObject({
      code: 1,
      stderr: containing("did not foresee: this test has no such daemon"),
    });
  });
});
