import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { promptOf } from "../../../test/contract/runtime.js";
import { createRecordingHost, living, type RecordingHost, until } from "../../../test/fakes/runtime-host.js";
import {
  answeredIn,
  type Guise,
  patientTimes,
  scriptedPaneLaunch,
  sentTo,
  testSocket,
  tmux,
} from "../../../test/fakes/scripted-pane.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import type { Launch, Prompt, ScreenWait } from "../runtime.js";
import { createTmuxRuntime } from "./tmux-runtime.js";

const timeout = 300_000;

type Waits = RecordingHost & { waits: (ScreenWait | undefined)[] };

function createHost(): Waits {
  const waits: (ScreenWait | undefined)[] = [];
  return { ...createRecordingHost(), waits, waiting: (on) => void waits.push(on) };
}

async function start(
  overrides: Partial<Launch> = {},
  flags: string[] = [],
  guise: Guise = "claude",
  times = patientTimes,
) {
  const socket = testSocket();
  const host = createHost();
  const launch = scriptedPaneLaunch(guise, overrides, ...flags);
  const agent = await createTmuxRuntime({ socket, times, toolsWithinMs: 0 }).start(launch, host);
  onTestFinished(() => agent.stop({ graceMs: 0 }));
  return {
    agent,
    host,
    launch,
    socket,
    ask: (script: string) => agent.prompt(promptOf(script), host.listener),
    keys: (...keys: string[]) => void tmux(socket, "send-keys", "-t", "%0", ...keys),
    screen: () => tmux(socket, "capture-pane", "-p", "-t", "%0"),
  };
}

test("the way of a message into a pane, by the names that were given for it", { timeout }, async () => {
  const names = [
    [{ id: "1", name: "ana", team: "alpha" }, "agent-alpha-ana"],
    [{ id: "2", name: "ana", team: "alpha", instance: "2" }, "agent-alpha-ana-2"],
    [{ id: "3", name: "ralph-ziggy", team: "alpha" }, "agent-ralph-ziggy"],
  ] as const;
  const socket = testSocket();
  const runtime = createTmuxRuntime({ socket, times: patientTimes, toolsWithinMs: 0 });
  for (const [agent, session] of names) {
    const host = createHost();
    const hosted = await runtime.start(scriptedPaneLaunch("claude", { agent }), host);
    onTestFinished(() => hosted.stop({ graceMs: 0 }));
    const line = `MSG_USER_deadbeef: hello ${agent.name} !say received`;
    await hosted.prompt({ turn: "t", text: line, line, tag: "MSG_USER_deadbeef" }, host.listener);
    const pane = tmux(socket, "capture-pane", "-p", "-t", `=${session}:`);
    expect(pane).toContain(`❯ ${line}`);
    expect(pane).toContain("● received");
  }
  expect(tmux(socket, "list-sessions", "-F", "#{session_name}").trim().split("\n").sort()).toEqual(
    names.map(([, session]) => session).sort(),
  );
});

test("an agent's environment is what was given, its folder any; nothing of it is in an argv", {
  timeout,
}, async () => {
  const cwd = join(tempFolder(), "a 'folder' #(touch canary) ;");
  mkdirSync(cwd);
  const plain = scriptedPaneLaunch("claude", { cwd });
  process.env["HUDDLE_LEAK"] = "leak";
  onTestFinished(() => void delete process.env["HUDDLE_LEAK"]);
  const { ask, launch, agent, socket } = await start({
    ...plain,
    env: { ...plain.env, ODD: "it's $HOME `x`\n#{pane_id}", TOKEN_LIKE: "canary-7f3" },
  });
  // Where a row ends depends on how long PATH and HOME are, and a space at the end of a row is not on the screen.
  const said = (await ask("!environment")).text.replaceAll(/\s/g, "");
  expect(said).toContain("canary-7f3");
  expect(said).toContain("it's$HOME`x`\\n#{pane_id}");
  expect(said).not.toContain("HUDDLE_LEAK");
  expect(sentTo(cwd)).toHaveLength(1);
  expect(existsSync(join(cwd, "canary")) || existsSync("canary")).toBe(false);
  expect(existsSync(join(launch.folder, "launch.sh"))).toBe(false);
  expect(tmux(socket, "show-environment", "-g")).not.toContain("canary-7f3");
  const argv = tmux(socket, "list-panes", "-a", "-F", "#{pane_start_command}");
  expect(argv).not.toContain("canary-7f3");
  expect(agent.pid).toEqual(expect.any(Number) as unknown);
});

describe("at the start", () => {
  test("a dialog is the person's: it is asked about, never answered, and the start goes on after it", {
    timeout,
  }, async () => {
    const socket = testSocket();
    const launch = scriptedPaneLaunch("claude", {}, "--dialog", "Do you trust this folder?");
    const host = createHost();
    const panes: unknown[] = [];
    host.screen = (pane) => void panes.push(pane);
    const starting = createTmuxRuntime({ socket, times: patientTimes, toolsWithinMs: 0 }).start(launch, host);
    await until(() => host.requests.length > 0);
    expect(host.requests).toEqual([
      expect.objectContaining({ act: "dialog", title: "Do you trust this folder?", options: [] }),
    ]);
    expect(panes).toMatchObject([{ socket }]);
    expect(answeredIn(launch.cwd)).toEqual([]);
    tmux(socket, "send-keys", "-t", "%0", "2");
    const agent = await starting;
    expect(host.requests[0]?.signal.reason).toBe("answered_in_pane");
    expect(answeredIn(launch.cwd)).toEqual(["2"]);
    await agent.stop({ graceMs: 0 });
    expect(tmux(socket, "list-sessions")).toBe("");
  });

  test("one that is given up while a dialog stands leaves nothing running", { timeout }, async () => {
    const socket = testSocket();
    const launch = scriptedPaneLaunch("claude", {}, "--dialog", "Do you trust this folder?");
    const host = createHost();
    const given = new AbortController();
    const runtime = createTmuxRuntime({ socket, times: patientTimes, toolsWithinMs: 0 });
    const starting = runtime.start(launch, host, given.signal);
    await until(() => host.requests.length > 0);
    given.abort();
    await expect(starting).rejects.toThrow();
    expect(host.requests[0]?.signal.aborted).toBe(true);
    expect(answeredIn(launch.cwd)).toEqual([]);
    expect(tmux(socket, "list-sessions")).toBe("");
  });

  test("a CLI that draws late is waited for; one that never does is ended", { timeout }, async () => {
    const { ask } = await start({}, ["--starting", "1500"]);
    expect((await ask("!say hello")).stop).toBe("end_turn");
    const socket = testSocket();
    const never = scriptedPaneLaunch("claude", {}, "--starting", "600000");
    const impatient = createTmuxRuntime({
      socket,
      times: { ...patientTimes, readyTimeoutMs: 1000 },
      toolsWithinMs: 0,
    });
    await expect(impatient.start(never, createHost())).rejects.toMatchObject({ code: "START_TIMEOUT" });
    expect(tmux(socket, "list-sessions")).toBe("");
  });

  test("a CLI that ends at once says why", { timeout }, async () => {
    const socket = testSocket();
    const launch = scriptedPaneLaunch("claude");
    const dead = { ...launch, backend: { ...launch.backend, command: "/bin/ls" } };
    await expect(
      createTmuxRuntime({ socket, times: patientTimes, toolsWithinMs: 0 }).start(dead, createHost()),
    ).rejects.toMatchObject({
      code: "BACKEND_FAILED",
      message: expect.stringContaining("unrecognized option") as unknown,
    });
  });

  test("a name that no pane can have, and a backend whose screen is not known", async () => {
    const runtime = createTmuxRuntime({ socket: testSocket() });
    const launch = scriptedPaneLaunch("claude", { agent: { id: "1", name: "a-b-c", team: "main" } });
    await expect(runtime.start(launch, createHost())).rejects.toMatchObject({ code: "TARGET_INVALID" });
    const { vendor: _, ...backend } = launch.backend;
    const unknown = scriptedPaneLaunch("claude", { backend: { ...backend, command: "/bin/cat" } });
    await expect(runtime.start(unknown, createHost())).rejects.toMatchObject({ code: "BACKEND_FAILED" });
  });
});

describe("between hubs", () => {
  test("a pane outlives the hub and is taken up again, with what it shows", { timeout }, async () => {
    const { agent, ask, launch, socket } = await start();
    await ask("!say first");
    const host = createHost();
    const again = await createTmuxRuntime({ socket, times: patientTimes, toolsWithinMs: 0 }).start(
      launch,
      host,
    );
    expect(again.resumed).toBe(true);
    expect(again.pid).toBe(agent.pid);
    expect(again.replayed).toContain("!say first");
    expect((await again.prompt(promptOf("!say second"), host.listener)).text).toContain("second");
    await again.stop({ graceMs: 0 });
    expect(living([agent.pid ?? 0])).toEqual([]);
  });

  test("a turn that is found again was sent as it is: nobody is told of words beside it", {
    timeout,
  }, async () => {
    const { ask, host, launch, socket } = await start();
    const gate = join(tempFolder(), "gate");
    const first = ask(`!gate ${gate} !say counted`).catch(() => undefined);
    await until(() => host.log.includes("taken"));
    const tag = sentTo(launch.cwd)[0]?.split(":")[0] ?? "";
    const later = createHost();
    const again = await createTmuxRuntime({ socket, times: patientTimes, toolsWithinMs: 0 }).start(
      launch,
      later,
    );
    const mixed: string[] = [];
    const follow = await again.regain?.(tag);
    const following = follow?.({ ...later.listener, mixed: (words) => void mixed.push(words) });
    writeFileSync(gate, "");
    const end = await following;
    expect(end).toMatchObject({ stop: "end_turn", text: expect.stringContaining("counted") as unknown });
    expect(mixed).toEqual([]);
    await first;
  });

  test("a pane is taken up again after its agent was renamed, under the name that it has", {
    timeout,
  }, async () => {
    const { agent, launch, socket } = await start();
    const renamed = { ...launch, agent: { ...launch.agent, name: "a-b-c", team: "other" } };
    const again = await createTmuxRuntime({ socket, times: patientTimes, toolsWithinMs: 0 }).start(
      renamed,
      createHost(),
    );
    expect([again.resumed, again.pid]).toEqual([true, agent.pid]);
    expect(tmux(socket, "list-sessions", "-F", "#{session_name}").trim()).toBe("agent-main-alice");
    await again.stop({ graceMs: 0 });
    expect(living([agent.pid ?? 0])).toEqual([]);
  });

  test("a session of somebody else is left alone", { timeout }, async () => {
    const { launch, socket, agent } = await start();
    const other = { ...launch, agent: { ...launch.agent, id: "agent-2" } };
    await expect(createTmuxRuntime({ socket }).start(other, createHost())).rejects.toMatchObject({
      code: "TARGET_INVALID",
      message: expect.stringContaining("kill-session -t agent-main-alice") as unknown,
    });
    expect(living([agent.pid ?? 0])).toHaveLength(1);
  });
});

describe("while it runs", () => {
  test("an idle agent that ends is noticed, with its code and last words", { timeout }, async () => {
    const { host, keys, ask } = await start();
    await ask("!say bye");
    keys("C-c");
    await until(() => host.exits.length > 0);
    expect(host.exits).toHaveLength(1);
    await expect(ask("!say more")).rejects.toMatchObject({ code: "AGENT_EXITED" });
  });

  test("a server that is killed ends its agents", { timeout }, async () => {
    const { host, socket, ask } = await start();
    const turn = ask("!hang");
    await until(() => host.log.includes("taken"));
    tmux(socket, "kill-server");
    await expect(turn).rejects.toMatchObject({ code: "AGENT_EXITED" });
    await until(() => host.exits.length > 0);
    expect(host.exits).toHaveLength(1);
  });

  test("a dialog in a turn is told, and the turn goes on when the person answered", { timeout }, async () => {
    const { host, ask, keys, launch } = await start();
    const turn = ask("!permission !say done");
    await until(() => host.waits.some((wait) => wait?.on === "dialog"));
    expect(host.waits.find((wait) => wait !== undefined)?.words).toContain("rm -rf build");
    expect(answeredIn(launch.cwd)).toEqual([]);
    keys("2");
    expect(await turn).toMatchObject({ stop: "end_turn", text: expect.stringContaining("done") as unknown });
    expect(host.waits.at(-1)).toBeUndefined();
  });

  test("a draft gives the prompt back, and its end is told", { timeout }, async () => {
    const { host, ask, keys, screen, launch } = await start();
    keys("-l", "half a thought");
    await until(() => screen().includes("half a thought"));
    await expect(ask("!say hello")).rejects.toMatchObject({ code: "HELD", details: { state: "draft" } });
    expect(host.waits.at(-1)).toEqual({ on: "draft", words: "halfathought" });
    expect(screen()).toContain("half a thought");
    keys("C-u");
    await until(() => host.waits.at(-1) === undefined);
    expect((await ask("!say hello")).stop).toBe("end_turn");
    expect(sentTo(launch.cwd)).toHaveLength(1);
  });

  test("a line that the CLI puts back when it is interrupted is taken away", { timeout }, async () => {
    const { host, agent, ask, screen, launch } = await start({}, ["--unsend"]);
    const turn = ask("!silent");
    await until(() => host.log.includes("taken"));
    await agent.interrupt();
    expect(await turn).toMatchObject({ stop: "cancelled" });
    expect(host.log).not.toContain("responding");
    await until(() => !screen().includes("!silent"));
    expect((await ask("!say next")).text).toContain("next");
    expect(sentTo(launch.cwd)).toHaveLength(2);
  });

  test("a failed turn ends with an error", { timeout }, async () => {
    const { ask } = await start();
    expect(await ask("!error")).toMatchObject({
      stop: "error",
      error: expect.stringContaining("500 scripted failure") as unknown,
    });
  });

  test("a turn goes on while the person scrolls back", { timeout }, async () => {
    const { host, ask, socket } = await start();
    const gate = join(tempFolder(), "gate");
    const turn = ask(`!gate ${gate} !say done`);
    await until(() => host.log.includes("taken"));
    tmux(socket, "copy-mode", "-t", "%0");
    writeFileSync(gate, "");
    expect((await turn).text).toContain("done");
  });

  test("a screen that shows nothing of its work but in its title", { timeout }, async () => {
    const { ask } = await start({}, [], "codex");
    expect((await ask("!wait 2500 !say done")).text).toContain("done");
  });
});

describe("a CLI that hangs", () => {
  /** `hurry` from the first prompt on, so that it is given back soon, until `calm`: a start, and what must go well, have their time. */
  async function startSlow(...flags: string[]) {
    const times = { ...patientTimes };
    const started = await start({}, flags, "claude", times);
    const { agent, host, launch } = started;
    return {
      ...started,
      hurry: (timeoutMs = 1000) => void Object.assign(times, { timeoutMs, readyTimeoutMs: 1500 }),
      calm: () => void Object.assign(times, patientTimes),
      ask: (prompt: Prompt) => agent.prompt(prompt, host.listener),
      pastes: () => readFileSync(join(launch.cwd, "pasted"), "utf8").trim().split("\n").length,
    };
  }

  async function startFrozen() {
    const file = join(tempFolder(), "frozen");
    const started = await startSlow("--freeze", file);
    writeFileSync(file, "");
    started.hurry();
    return {
      ...started,
      thaw() {
        started.calm();
        rmSync(file);
      },
    };
  }

  test("its line is given back, not pasted again while nothing moves, and sent once when it goes on", {
    timeout,
  }, async () => {
    const { ask, host, launch, thaw, pastes } = await startFrozen();
    const hello = promptOf("!say hello");
    await expect(ask(hello)).rejects.toMatchObject({ code: "HELD", details: { inVain: true } });
    await expect(ask(hello)).rejects.toMatchObject({ code: "HELD", details: { state: "ready" } });
    expect(host.exits).toEqual([]);

    thaw();
    await until(() => host.waits.includes(undefined));

    expect((await ask(hello)).stop).toBe("end_turn");
    expect(sentTo(launch.cwd)).toEqual([hello.line]);
    expect(pastes()).toBe(1);
  });

  test("a line that shows up late is taken out of the box for the one that is sent in its place", {
    timeout,
  }, async () => {
    const { ask, host, launch, thaw } = await startFrozen();
    const [old, fresh] = [promptOf("!say old"), promptOf("!say new")];
    await expect(ask(old)).rejects.toMatchObject({ code: "HELD" });
    thaw();
    await until(() => host.waits.includes(undefined));

    expect((await ask(fresh)).text).toContain("new");

    expect(sentTo(launch.cwd)).toEqual([fresh.line]);
  });

  test("a line that it takes long after Enter is not put in again", { timeout }, async () => {
    const { ask, host, launch, hurry, calm } = await startSlow("--late", "4000");
    const hello = promptOf("!say hello");
    hurry();
    await expect(ask(hello)).rejects.toMatchObject({
      code: "HELD",
      details: { where: "nowhere", inVain: true },
    });
    calm();
    await until(() => host.waits.includes(undefined));
    expect(await ask(hello)).toMatchObject({
      stop: "end_turn",
      text: expect.stringContaining("hello") as unknown,
    });
    expect(sentTo(launch.cwd)).toEqual([hello.line]);
    expect(host.exits).toEqual([]);
  });

  test("a line that Enter does not send is given back, and the agent lives on", { timeout }, async () => {
    const { ask, host, launch, hurry, calm } = await startSlow("--swallow", "2");
    const hello = promptOf("!say hello");
    hurry(3000);
    await expect(ask(hello)).rejects.toMatchObject({
      code: "HELD",
      details: { where: "box" },
    });
    calm();
    await until(() => host.waits.includes(undefined));
    expect((await ask(hello)).stop).toBe("end_turn");
    expect(sentTo(launch.cwd)).toEqual([hello.line]);
    expect(host.exits).toEqual([]);
  });
});
