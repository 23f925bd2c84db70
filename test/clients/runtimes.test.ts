import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RuntimeKind } from "../../src/model/hosting.js";
import { createAcpRuntime } from "../../src/runtime/acp/acp-runtime.js";
import { createHeadlessRuntime } from "../../src/runtime/headless/headless-runtime.js";
import { listMarked } from "../../src/runtime/process/list-marked.js";
import type { Launch, PermissionRequest, Runtime } from "../../src/runtime/runtime.js";
import { vendors } from "../../src/runtime/vendors/vendors.js";
import { startScriptedModel } from "../../src/selftest/scripted-model/scripted-model.js";
import { createRecordingHost, until } from "../fakes/runtime-host.js";
import type { Client } from "./client.js";
import { eventually } from "./eventually.js";
import { asOfThisMinute } from "./gemini-session.js";
import { prepareLaunch } from "./prepare-launch.js";
import { describeVendor, provenBy } from "./sets.js";
import { shared } from "./shared.js";

/*
 * A vendor's own CLI under the runtimes that the hub drives it by: it gets Huddle's backend for it as it is built in, a home
 * of its own and the scripted model, and nothing else that a person would not have. One agent for each runtime.
 */

const runtimes: readonly Runtime[] = [createAcpRuntime({ version: "0" }), createHeadlessRuntime()];

async function start(runtime: Runtime, launch: Launch) {
  const host = createRecordingHost();
  const agent = await runtime.start(launch, host);
  let turns = 0;
  const ask = (text: string) => {
    turns += 1;
    return agent.prompt({ turn: `t${turns}`, text, line: text, tag: "MSG_X_00000000" }, host.listener);
  };
  return { launch, agent, host, ask, close: () => agent.stop({ graceMs: 0 }) };
}

/**
 * A model that knows codex asks to leave its sandbox; the others ask before they write. It says something at the end: an
 * empty answer is asked for again, by some many times.
 */
function writing(client: Client, file: string): string {
  if (client.name !== "codex") return `<<write ${file} made>> <<say done>>`;
  const call = {
    cmd: `printf made > ${file}`,
    sandbox_permissions: "require_escalated",
    justification: "To write",
  };
  return `<<call exec_command ${JSON.stringify(call)}>> <<say done>>`;
}

const answering =
  (grants: "deny" | "once") =>
  ({ options }: PermissionRequest) => ({
    option: options.find((option) => option.grants === grants)?.id ?? "",
  });

/** codex and gemini have no way to ask without a screen or ACP. */
function asks({ backend }: Client, kind: RuntimeKind): boolean {
  const vendor = Object.values(vendors).find(({ vendor }) => vendor === backend);
  return kind === "acp" || vendor?.headless.createTalk !== undefined;
}

/** When the vendor's own service refuses the account. */
const LIMIT_SECONDS = 11_520;

async function processesOf({ env }: Launch) {
  const marker = env["HUDDLE_HOSTED"];
  return (await listMarked("HUDDLE_HOSTED")).filter(({ value }) => value === marker);
}

describeVendor((client) => {
  const openModel = shared(async (onClose) => {
    const model = await startScriptedModel();
    onClose(model.close);
    return model;
  });

  describe.each(runtimes.map((runtime) => ({ kind: runtime.kind, runtime })))(
    "$kind",
    ({ kind, runtime }) => {
      const hiring = (change = (launch: Launch) => launch) =>
        shared(async (onClose) => {
          const hired = await start(runtime, change(prepareLaunch(client, kind, await openModel())));
          onClose(hired.close);
          return hired;
        });
      const hire = hiring();
      // After an error some ask again for all that was not answered: another error needs an agent of its own.
      const hireAnother = hiring();
      const subscribe = hiring((launch) => ({
        ...launch,
        env: client.subscribed?.(launch.env) ?? launch.env,
      }));

      function takesPrompt() {
        test("takes a prompt in another folder, and calls Huddle's tools unasked", async () => {
          const { host, ask } = await hire();
          const hello = await ask("<<call whoami {}>> <<say hello there>>");
          expect(hello).toMatchObject({ stop: "end_turn" });
          expect(hello.text).toContain("hello there");
          expect(host.log.indexOf("taken")).toBeLessThan(host.log.indexOf("responding"));
          expect(host.requests).toEqual([]);
          expect(host.parts).toContainEqual(
            expect.objectContaining({
              kind: "tool",
              status: "done",
              title: expect.stringMatching(/whoami/) as unknown,
            }),
          );
        });
      }
      provenBy("hosted: gets a message while it is idle, …, and answers by a tool", takesPrompt);

      if (asks(client, kind)) {
        test("asks for permission, and does what is answered; a question that waits is cancelled with its turn", async () => {
          const { launch, agent, host, ask } = await hire();
          const never = join(launch.cwd, "never.txt");
          const turn = ask(writing(client, never));
          await eventually("it asks", () => host.requests.length > 0);
          await agent.interrupt();
          expect((await turn).stop).toBe("cancelled");

          const file = join(launch.cwd, "made.txt");
          host.requests.length = 0;
          // gemini is given the cut prompt once more, so its script runs again.
          host.answer = answering("deny");
          await ask(writing(client, file));
          expect(JSON.stringify(host.requests), JSON.stringify(host.parts)).toContain(basename(file));
          expect([never, file].filter(existsSync)).toEqual([]);
          host.answer = answering("once");
          await ask(writing(client, file));
          expect(readFileSync(file, "utf8")).toContain("made");
          expect(existsSync(never)).toBe(false);
        });
      } else
        test("does nothing that it would have to ask about", async () => {
          const { launch, ask } = await hire();
          await ask(`<<write ${join(launch.cwd, "made.txt")} made>> <<say done>>`);
          expect(existsSync(join(launch.cwd, "made.txt"))).toBe(false);
          // gemini does not even offer its model what it would ask about; codex does not tell of a command that ends at once.
          if (client.name === "gemini") return;
          const { refused } = await ask("<<shell sleep 1; touch made.txt>> <<say done>>");
          expect(refused).toEqual([expect.stringContaining("touch made.txt")]);
        });

      // What the others say at a usage limit was never seen, so there is nothing to try.
      if (client.name !== "opencode" && client.name !== "copilot")
        test("a usage limit is told as one, with its end where the CLI says so", async () => {
          const { ask } = client.subscribed === undefined ? await hire() : await subscribe();
          const from = Date.now();
          const end = await ask(`<<limit ${LIMIT_SECONDS}>>`);
          const to = Date.now();
          expect(end).toMatchObject({ stop: "error", limit: { words: expect.any(String) as unknown } });
          // gemini does not say when a daily quota begins again.
          if (client.name === "gemini") return;
          // Some say it to the minute, and some try for a while before they give up.
          const until = end.limit?.until ?? 0;
          expect(until).toBeGreaterThan(from + (LIMIT_SECONDS - 60) * 1000);
          expect(until).toBeLessThan(to + (LIMIT_SECONDS + 60) * 1000);
        });

      test("leaves nothing running", async () => {
        const { launch, agent, host } = await hire();
        await agent.stop({ graceMs: 3000 });
        expect(await processesOf(launch)).toEqual([]);
        expect(host.exits).toEqual([]);
      });

      function tellsError() {
        test("an error of the model is told", async () => {
          const { ask } = await hireAnother();
          const end = await ask("<<error 400>>");
          expect(end.stop === "error" || /400|error/i.test(end.text)).toBe(true);
        });
      }
      if (client.name === "claude" || client.name === "codex") tellsError();
      else
        provenBy("the usage limit, which is an error, and the same test with claude and codex", tellsError);

      provenBy("hosted: is interrupted …, and: goes on with its session after a restart of the hub", () => {
        test("is interrupted mid-stream, remembers that turn or says that it does not, and is resumed after a restart", async () => {
          const { requests } = await openModel();
          const first = await start(runtime, prepareLaunch(client, kind, await openModel()));
          const lane = first.launch.agent.name;
          const turn = first.ask("The password is xyzzy. <<stream 300 50>>");
          // codex prints a message when it is whole.
          await until(() => first.host.log.includes("text") || requests.main(lane).length > 0);
          await first.agent.interrupt();
          const cut = await turn;
          expect(cut.stop).toBe("cancelled");
          expect((await first.ask("The other is plugh. <<say after>>")).text).toContain("after");
          const knows = (word: string) => JSON.stringify(requests.main(lane).at(-1)?.body).includes(word);
          // gemini over acp forgets what it was cut at, and says so.
          expect(knows("xyzzy")).toBe(cut.kept !== false);
          const session = first.host.sessions.at(-1);
          await first.agent.stop({ graceMs: 3000 });
          // The minute in which gemini by itself could not load it.
          if (client.name === "gemini" && kind === "acp") await asOfThisMinute(first.launch, String(session));

          const again = await start(runtime, { ...first.launch, resume: String(session) });
          expect((await again.ask("<<say back>>")).text).toContain("back");
          expect([again.agent.resumed, knows("plugh")]).toEqual([true, true]);
          await again.close();
        });
      });
    },
  );
});
