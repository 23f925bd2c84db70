import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { promptOf } from "../../../test/contract/runtime.js";
import { living, until } from "../../../test/fakes/runtime-host.js";
import {
  answeredIn,
  patientTimes,
  scriptedPaneLaunch,
  sentTo,
  testSocket,
  tmux,
} from "../../../test/fakes/scripted-pane.js";
import { createWaitingHost, startPane } from "../../../test/fakes/started-pane.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { createTmuxRuntime } from "./tmux-runtime.js";

const timeout = 300_000;

test("the way of a message into a pane, by the names that were given for it", { timeout }, async () => {
  const names = [
    [{ id: "1", name: "ana", team: "alpha" }, "agent-alpha-ana"],
    [{ id: "2", name: "ana", team: "alpha", instance: "2" }, "agent-alpha-ana-2"],
    [{ id: "3", name: "ralph-ziggy", team: "alpha" }, "agent-ralph-ziggy"],
  ] as const;
  const socket = testSocket();
  const runtime = createTmuxRuntime({ socket, times: patientTimes, toolsWithinMs: 0 });
  for (const [agent, session] of names) {
    const host = createWaitingHost();
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
  const { ask, launch, agent, socket } = await startPane({
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
    const host = createWaitingHost();
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

  test("one that no rule knows stops the clock as well, once the person was asked", { timeout }, async () => {
    const socket = testSocket();
    const launch = scriptedPaneLaunch("claude");
    const command = join(tempFolder(), "logs-in");
    const words = resolve("test", "fixtures", "screens", "opencode", "login-dialog.txt");
    const begin = `cat '${words}'; read answer; exec '${launch.backend.command}' "$@"`;
    writeFileSync(command, `#!/bin/sh\n${begin}\n`, { mode: 0o755 });
    const host = createWaitingHost();
    const times = { ...patientTimes, startTimeoutMs: 10_000 };
    const runtime = createTmuxRuntime({ socket, times, toolsWithinMs: 0 });
    const starting = runtime.start({ ...launch, backend: { ...launch.backend, command } }, host);
    const ended = vi.fn();
    starting.catch(ended);
    await until(() => host.requests.length > 0);
    expect(host.requests[0]).toMatchObject({
      act: "dialog",
      title: "Connect a provider                               esc",
    });
    await sleep(10_000);
    expect(ended).not.toHaveBeenCalled();
    tmux(socket, "send-keys", "-t", "%0", "Enter");
    await (await starting).stop({ graceMs: 0 });
  });

  test("one that is given up while a dialog stands leaves nothing running", { timeout }, async () => {
    const socket = testSocket();
    const launch = scriptedPaneLaunch("claude", {}, "--dialog", "Do you trust this folder?");
    const host = createWaitingHost();
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
    const { ask } = await startPane({}, ["--starting", "1500"]);
    expect((await ask("!say hello")).stop).toBe("end_turn");
    const socket = testSocket();
    const never = scriptedPaneLaunch("claude", {}, "--starting", "600000");
    const impatient = createTmuxRuntime({
      socket,
      times: { ...patientTimes, startTimeoutMs: 1000 },
      toolsWithinMs: 0,
    });
    await expect(impatient.start(never, createWaitingHost())).rejects.toMatchObject({
      code: "START_TIMEOUT",
      message: expect.stringContaining("drew nothing new for 1 s (hosting.start_within)") as unknown,
    });
    expect(tmux(socket, "list-sessions")).toBe("");
  });

  test("one that goes on drawing is waited for beyond that time", { timeout }, async () => {
    const socket = testSocket();
    const slow = scriptedPaneLaunch("claude", {}, "--starting", "12000", "--loading", "50");
    const times = { ...patientTimes, readyTimeoutMs: 1000, startTimeoutMs: 10_000 };
    const agent = await createTmuxRuntime({ socket, times, toolsWithinMs: 0 }).start(
      slow,
      createWaitingHost(),
    );
    await agent.stop({ graceMs: 0 });
    expect(tmux(socket, "list-sessions")).toBe("");
  });

  test("a CLI that ends at once says why", { timeout }, async () => {
    const socket = testSocket();
    const launch = scriptedPaneLaunch("claude");
    const dead = { ...launch, backend: { ...launch.backend, command: "/bin/ls" } };
    await expect(
      createTmuxRuntime({ socket, times: patientTimes, toolsWithinMs: 0 }).start(dead, createWaitingHost()),
    ).rejects.toMatchObject({
      code: "BACKEND_FAILED",
      message: expect.stringContaining("unrecognized option") as unknown,
    });
  });

  test("a name that no pane can have, and a backend whose screen is not known", async () => {
    const runtime = createTmuxRuntime({ socket: testSocket() });
    const launch = scriptedPaneLaunch("claude", { agent: { id: "1", name: "a-b-c", team: "main" } });
    await expect(runtime.start(launch, createWaitingHost())).rejects.toMatchObject({
      code: "TARGET_INVALID",
    });
    const { vendor: _, ...backend } = launch.backend;
    const unknown = scriptedPaneLaunch("claude", { backend: { ...backend, command: "/bin/cat" } });
    await expect(runtime.start(unknown, createWaitingHost())).rejects.toMatchObject({
      code: "BACKEND_FAILED",
    });
  });
});

describe("between hubs", () => {
  test("a pane outlives the hub and is taken up again, with what it shows", { timeout }, async () => {
    const { agent, ask, launch, socket } = await startPane();
    await ask("!say first");
    const host = createWaitingHost();
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
    const { ask, host, launch, socket } = await startPane();
    const gate = join(tempFolder(), "gate");
    const first = ask(`!gate ${gate} !say counted`).catch(() => undefined);
    await until(() => host.log.includes("taken"));
    const tag = sentTo(launch.cwd)[0]?.split(":")[0] ?? "";
    const later = createWaitingHost();
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

  test("a line that the hub did not get to send was not sent, whatever was typed beside it meanwhile", {
    timeout,
  }, async () => {
    const { keys, screen, launch, socket } = await startPane();
    const tag = "MSG_ANN_ab12cd34";
    const line = `${tag}: !say sent`;
    keys("-l", `${line} and mine`);
    await until(() => screen().includes("and mine"));
    const host = createWaitingHost();
    const runtime = createTmuxRuntime({ socket, times: patientTimes, toolsWithinMs: 0 });
    const again = await runtime.start(launch, host);
    expect(again.replayed).toContain(tag);
    expect(await again.regain?.(tag, ["MSG_ANN_ab12cd34: other words"])).toBeUndefined();
    expect(again.unsent?.()).toBe(tag);
    expect(await again.regain?.(tag, [line])).toBeUndefined();
    expect(again.unsent?.()).toBe(line);

    const prompt = () => again.prompt({ turn: "t", text: line, line, tag }, host.listener);
    await expect(prompt()).rejects.toMatchObject({ code: "HELD" });
    await until(() => !screen().includes(tag) && screen().includes("and mine"));
    keys("C-u");
    await until(() => host.waits.at(-1) === undefined && host.waits.length > 0);
    expect((await prompt()).text).toContain("sent");
    expect(sentTo(launch.cwd)).toEqual([line]);
    expect(again.unsent?.()).toBeUndefined();
    await again.stop({ graceMs: 0 });
  });

  test("a pane is taken up again after its agent was renamed, under the name that it has", {
    timeout,
  }, async () => {
    const { agent, launch, socket } = await startPane();
    const renamed = { ...launch, agent: { ...launch.agent, name: "a-b-c", team: "other" } };
    const again = await createTmuxRuntime({ socket, times: patientTimes, toolsWithinMs: 0 }).start(
      renamed,
      createWaitingHost(),
    );
    expect([again.resumed, again.pid]).toEqual([true, agent.pid]);
    expect(tmux(socket, "list-sessions", "-F", "#{session_name}").trim()).toBe("agent-main-alice");
    await again.stop({ graceMs: 0 });
    expect(living([agent.pid ?? 0])).toEqual([]);
  });

  test("a session of somebody else is left alone", { timeout }, async () => {
    const { launch, socket, agent } = await startPane();
    const other = { ...launch, agent: { ...launch.agent, id: "agent-2" } };
    await expect(createTmuxRuntime({ socket }).start(other, createWaitingHost())).rejects.toMatchObject({
      code: "TARGET_INVALID",
      message: expect.stringContaining("kill-session -t agent-main-alice") as unknown,
    });
    expect(living([agent.pid ?? 0])).toHaveLength(1);
  });
});

describe("while it runs", () => {
  test("an idle agent that ends is noticed, with its code and last words", { timeout }, async () => {
    const { host, keys, ask } = await startPane();
    await ask("!say bye");
    keys("C-c");
    await until(() => host.exits.length > 0);
    expect(host.exits).toHaveLength(1);
    await expect(ask("!say more")).rejects.toMatchObject({ code: "AGENT_EXITED" });
  });

  test("a server that is killed ends its agents", { timeout }, async () => {
    const { host, socket, ask } = await startPane();
    const turn = ask("!hang");
    await until(() => host.log.includes("taken"));
    tmux(socket, "kill-server");
    await expect(turn).rejects.toMatchObject({ code: "AGENT_EXITED" });
    await until(() => host.exits.length > 0);
    expect(host.exits).toHaveLength(1);
  });

  test("a dialog in a turn is told, and the turn goes on when the person answered", { timeout }, async () => {
    const { host, ask, keys, launch } = await startPane();
    const turn = ask("!permission !say done");
    await until(() => host.waits.some((wait) => wait?.on === "dialog"));
    expect(host.waits.find((wait) => wait !== undefined)?.words).toContain("rm -rf build");
    expect(answeredIn(launch.cwd)).toEqual([]);
    keys("2");
    expect(await turn).toMatchObject({ stop: "end_turn", text: expect.stringContaining("done") as unknown });
    expect(host.waits.at(-1)).toBeUndefined();
  });

  test("a draft gives the prompt back, and its end is told", { timeout }, async () => {
    const { host, ask, keys, screen, launch } = await startPane();
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
    const { host, agent, ask, screen, launch } = await startPane({}, ["--unsend"]);
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
    const { ask } = await startPane();
    expect(await ask("!error")).toMatchObject({
      stop: "error",
      error: expect.stringContaining("500 scripted failure") as unknown,
    });
  });

  test("a turn goes on while the person scrolls back", { timeout }, async () => {
    const { host, ask, socket } = await startPane();
    const gate = join(tempFolder(), "gate");
    const turn = ask(`!gate ${gate} !say done`);
    await until(() => host.log.includes("taken"));
    tmux(socket, "copy-mode", "-t", "%0");
    writeFileSync(gate, "");
    expect((await turn).text).toContain("done");
  });

  test("a screen that shows nothing of its work but in its title", { timeout }, async () => {
    const { ask } = await startPane({}, [], "codex");
    expect((await ask("!wait 2500 !say done")).text).toContain("done");
  });
});
