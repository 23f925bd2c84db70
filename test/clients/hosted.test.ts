import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { RuntimeKind } from "../../src/model/hosting.js";
import { shownTexts } from "../../src/selftest/scripted-model/conversation.js";
import { ask, call, hold, say } from "../../src/selftest/scripted-model/step.js";
import type { Client } from "./client.js";
import { cannotTitle } from "./grid.js";
import { type Asked, decide, nextMail, nextPermission, settled } from "./hosted-mail.js";
import { type House, openHouse } from "./house.js";
import { installedProgram } from "./installed.js";
import { describeVendor, provenBy, wholeMatrix } from "./sets.js";
import { shared } from "./shared.js";

/*
 * A vendor's own CLI that the hub starts and drives itself, on a scripted model: one hub for the vendor, and one agent for
 * each runtime, which lives through the tests from its first message to its end.
 */

/** What a pane adds is proven with two vendors' in every run, and with all of them in the whole grid. */
const runtimesOf = ({ name }: Client): RuntimeKind[] =>
  wholeMatrix || name === "claude" || name === "codex" ? ["acp", "headless", "tmux"] : ["acp", "headless"];

describeVendor((client) => {
  const lane = client.name;
  const open = shared(async (onClose) => {
    const house = await openHouse([client]);
    onClose(house.close);
    const { model } = house;
    // Into a pane goes one line; what it does not hold is to be fetched.
    model.on(/call check_messages to read/, [call("check_messages"), say("read")]);
    return house;
  });

  describe.each(runtimesOf(client))("under %s", (runtime) => {
    /** Texts are told apart by it, and so are the scripts' holds. */
    const name = `${runtime}-worker`;
    const hire = shared(async (onClose) => {
      const house = await open();
      const peer = await house.member(`${runtime}-peer`);
      const worker = await house.spawn(client, runtime, { name });
      onClose(() => kill(house, name));
      return { house, peer, model: house.model, worker };
    });

    function answersByTool() {
      test("gets a message while it is idle, works in another folder, and answers by a tool", async () => {
        const { house, peer, model, worker } = await hire();
        model.on(/what is the word\?/, [
          call("send_message", { to: peer.name, content: "the word is heron" }),
          say("told"),
        ]);
        const question = `${name}, what is the word?`;
        const sent = await peer.send(name, question);

        const delivery = await settled(house, peer, sent.json["message_id"]);
        expect(model.requests.describe(lane)).not.toContain("no tool");
        expect(await nextMail(peer)).toMatchObject([{ from: name, content: "the word is heron" }]);
        expect(delivery.steps.map(({ state }) => state)).toEqual(
          expect.arrayContaining(["accepted", "offered", "injected", "seen", "finished"]),
        );
        expect(model.requests.timesShown(question, lane)).toBe(1);
        const first = await model.requests.waitFor("the question", showing(question));
        expect(shownTexts(first.conversation).join("\n")).toContain(
          runtime === "tmux" ? `: ${question}` : `[From agent "${peer.name}"]:\n${question}`,
        );
        expect(JSON.stringify(first.body)).toContain(worker.project);
        // Whether its CLI passes on what Huddle's tools say of that, or drops it.
        expect(JSON.stringify(first.body)).toMatch(
          new RegExp(`You are \\\\+"${name}\\\\+" of the team \\\\+"main\\\\+"`),
        );
      });
    }
    if (runtime === "tmux") provenBy("pane-delivery: gets a message into its pane", answersByTool);
    else answersByTool();

    function keepsOrder() {
      test("gets what came while it was busy in the order in which it came", async () => {
        const { peer, model } = await hire();
        const things = ["zeroth", "first", "second", "third"].map((nth) => `the ${nth} thing for ${name}`);
        const [zeroth = "", ...others] = things;
        const last = others.at(-1) ?? "";
        model.on(/zeroth thing/, [hold(`gate of ${name}`), say("begun")]);
        model.on(/third thing/, [say("all seen")]);

        await peer.send(name, zeroth);
        await model.requests.waitFor("the beginning", showing(zeroth));
        for (const thing of others) await peer.send(name, thing);
        model.release(`gate of ${name}`);

        const turn = await model.requests.waitFor("the rest", showing(last));
        const shown = shownTexts(turn.conversation).join("\n");
        const places = things.map((text) => shown.lastIndexOf(text));
        expect(places).toEqual([...places].sort((a, b) => a - b));
        for (const thing of others) expect(model.requests.timesShown(thing, lane)).toBe(1);
      });
    }
    // Whose turn it is the hub decides, for all vendors alike.
    if (client.name === "claude") keepsOrder();
    else provenBy("the same test with claude", keepsOrder);

    function usesTools() {
      test("uses Huddle's tools, and nobody is asked about them", async () => {
        const { house, peer, model } = await hire();
        model.on(/use your tools/, [
          call("list_agents"),
          call("check_messages"),
          call("send_message", { to: peer.name, content: `${name} used them` }),
          say("used"),
        ]);
        const sent = await peer.send(name, `${name}, use your tools`);
        // Had one of them been asked about, the turn would not end.
        const { state } = await settled(house, peer, sent.json["message_id"]);
        expect(["seen", "finished"]).toContain(state);
        // check_messages also tells of the question before, as owed an answer, and the scripted model may give it once more.
        expect(await nextMail(peer)).toContainEqual(
          expect.objectContaining({ from: name, content: `${name} used them` }),
        );
      });
    }
    provenBy("the test above", usesTools);

    function asks() {
      test("asks before it acts, and does as it is told", async () => {
        const { house, peer, model, worker } = await hire();
        model.on(/make ([\w-]+)/, ({ match }) => [ask(`touch ${match[1]}`), say(`tried ${match[1]}`)]);
        const made = (file: string) => existsSync(join(worker.project, file));

        // The runtimes of a vendor share the folder.
        const [allowed, denied] = [`allowed-${name}`, `denied-${name}`];
        const first = await peer.send(name, `make ${allowed}`);
        const asked: Asked = await nextPermission(house);
        expect(asked).toMatchObject({ agent: name, act: "execute" });
        expect(JSON.stringify(asked)).toContain(`touch ${allowed}`);
        expect(made(allowed)).toBe(false);
        expect(await decide(house, asked.id, "once")).toBe(200);
        await settled(house, peer, first.json["message_id"]);
        expect(made(allowed)).toBe(true);

        const second = await peer.send(name, `make ${denied}`);
        expect(await decide(house, (await nextPermission(house)).id, "deny")).toBe(200);
        await settled(house, peer, second.json["message_id"]);
        expect(made(denied)).toBe(false);
      });
    }
    const cannot = client.cannotAsk?.find((one) => one.runtime === runtime);
    if (cannot !== undefined) {
      test(cannotTitle("asks", cannot.evidence), async () => {
        const { stdout, stderr } = await promisify(execFile)(installedProgram(client.name), [...cannot.told]);
        expect(stdout + stderr).toContain("--help");
        expect(stdout + stderr).not.toMatch(cannot.lacks);
      });
    } else if (runtime === "acp") asks();
    else
      provenBy(
        runtime === "tmux" ? "dialogs" : "runtimes: asks for permission, and does what is answered",
        asks,
      );

    test("is interrupted in the middle of its answer, and remembers what was asked", async () => {
      const { house, peer, model } = await hire();
      const [story, order] = [`tell ${name} a long story`, `${name}, stop that`];
      // gemini, which forgets what was cut, is reminded of it; that is no order.
      model.on(/(?<!You were interrupted at: .*)a long story/, [say("Once upon a time "), hold("never")]);
      model.on(/stop that/, [say("stopped")]);

      const long = await peer.send(name, story);
      await model.requests.waitFor("the story", showing(story));
      const stop = await peer.send(name, order, { attention: "interrupt" });

      const cut = await settled(house, peer, long.json["message_id"]);
      const next = await model.requests.waitFor("the order to stop", showing(order));
      const { state } = await settled(house, peer, stop.json["message_id"]);
      // What a pane is told to fetch is handed over by the tool.
      expect(runtime === "tmux" ? ["seen", "finished"] : ["finished"]).toContain(state);
      expect(cut.steps.map((step) => step.state)).toContain("injected");
      await model.requests.waitFor("the cut", (one) => one.outcome.kind === "cut" && showing(story)(one));
      expect(showing(story)(next)).toBe(true);
    });

    async function goesOn(after: string, reminder: string) {
      const { house, peer, model } = await hire();
      model.on(/remember/, [say("remembered")]);
      model.on(/go on/, [say("went on")]);
      const before = await peer.send(name, `${name}, remember ${reminder}`);
      await settled(house, peer, before.json["message_id"]);

      await house.restart("SIGTERM", () => {
        // A hub that ends in peace leaves nothing but its tmux server.
        expect(house.processes().filter(({ argv }) => !argv.startsWith("tmux"))).toEqual([]);
      });
      const sent = await peer.send(name, `${name}, go on ${after}`);

      const delivery = await settled(house, peer, sent.json["message_id"]);
      expect(delivery.state).toBe("finished");
      const turn = await model.requests.waitFor("going on", showing(`${name}, go on ${after}`));
      return shownTexts(turn.conversation).join("\n");
    }
    const reminders = ["the heron", "the bittern"] as const;

    function goesOnOnce() {
      test("goes on with its session after a restart of the hub", async () => {
        const shown = await goesOn("after the first restart", reminders[0]);
        expect(shown).toContain(`${name}, remember ${reminders[0]}`);
      });
    }
    if (runtime === "tmux" && client.name === "codex")
      provenBy("pane-sessions: two codex panes in one folder each go on with their own session", goesOnOnce);
    else goesOnOnce();

    // It begins a file for a session that it loads, and must find the right one the next time.
    if (client.name === "gemini" && runtime === "acp")
      test("has its history after a second restart of the hub, too", async () => {
        const shown = await goesOn("after the second restart", reminders[1]);
        for (const reminder of reminders) expect(shown).toContain(`${name}, remember ${reminder}`);
      });

    test("is killed in the middle of a turn, and nothing of it is left; no secret was in sight", async () => {
      const { house, peer, model } = await hire();
      model.on(/busy yourself/, [say("busy"), hold("never")]);
      await peer.send(name, `${name}, busy yourself`);
      await model.requests.waitFor("the work", showing(`${name}, busy yourself`));

      const running = house.processes();
      const { status, json } = await kill(house, name);

      expect(running.length).toBeGreaterThan(0);
      for (const { argv, environment } of running) expect(argv + environment).not.toMatch(/hud_[a-z]+_/);
      expect([status, json]).toEqual([200, { killed: true }]);
      expect(house.processes().filter(({ argv }) => !argv.startsWith("tmux"))).toEqual([]);
      const { http, operator } = house.hub();
      expect((await http.call("GET", `/api/agents/${name}`, { token: operator })).json["code"]).toBe(
        "AGENT_GONE",
      );
    });
  });
});

function kill(house: House, name: string) {
  const { http, operator } = house.hub();
  return http.call("POST", `/api/agents/${name}/kill`, { token: operator });
}

const showing =
  (text: string) =>
  ({ conversation }: { conversation: Parameters<typeof shownTexts>[0] }) =>
    shownTexts(conversation).some((shown) => shown.includes(text));
