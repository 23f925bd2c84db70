import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { RuntimeKind } from "../../src/model/hosting.js";
import { shownTexts } from "../../src/selftest/scripted-model/conversation.js";
import { ask, call, hold, say } from "../../src/selftest/scripted-model/step.js";
import type { Member } from "../fakes/member.js";
import { cli } from "../fakes/run-cli.js";
import type { Client } from "./client.js";
import { eventually } from "./eventually.js";
import { cannotTitle } from "./grid.js";
import { type Asked, decide, nextMail, nextPermission, settled } from "./hosted-mail.js";
import { type House, openHouse, subscribedName } from "./house.js";
import { installedProgram } from "./installed.js";
import { describeVendor, provenBy, wholeMatrix } from "./sets.js";
import { shared } from "./shared.js";

/*
 * A vendor's own CLI that the hub starts and drives itself, on a scripted model: one hub for the vendor, and one agent for
 * each runtime, which lives through the tests from its first message to its end. What its model is asked after a cut, by an
 * interrupt or by kill -9 of the hub, is read from the requests: the order once, that it was cut once.
 */

/** Whose CLIs are quick to start: in every run they have what the hub does alike for all. */
const isQuick = ({ name }: Client) => name === "claude" || name === "codex";

/** What a pane adds is proven with two vendors' in every run, and with all of them in the whole grid. */
const runtimesOf = (client: Client): RuntimeKind[] =>
  wholeMatrix || isQuick(client) ? ["acp", "headless", "tmux"] : ["acp", "headless"];

/** Whether the beginning of an answer shows before the end of it, and so that the agent is at it. */
const streams = ({ name }: Client, runtime: RuntimeKind) =>
  name !== "droid" &&
  runtime !== "tmux" &&
  !((name === "codex" || name === "opencode") && runtime === "headless");

/** Longer than what is quoted of a message to name it; so that it is told apart from that, its end counts. */
const padding =
  "It is about the herons at the lake, their nests, their young and what they eat in winter. ".repeat(2);

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

    // What does not fit a pane's line is fetched by a tool, and is another matter.
    const order = (what: string) =>
      runtime === "tmux" ? `${name}, ${what} now.` : `${name}, listen. ${padding}Now ${what}, ${name}.`;

    test("is interrupted in the middle of its answer, and remembers what was asked", async () => {
      const { house, peer, model } = await hire();
      const [long, stop] = [order("tell the story"), `${name}, stop that`];
      // Not where it is only named: a line that tells of mail says what was cut, for a CLI that forgets that.
      model.on(/^(?!.*call check_messages)[\s\S]*tell the story/, [say("Once upon a time "), hold("never")]);
      model.on(/stop that/, [say("stopped")]);

      const sent = await peer.send(name, long);
      await model.requests.waitFor("the story", showing(long));
      await stepOf(peer, sent, streams(client, runtime) ? "seen" : "injected");
      const second = await peer.send(name, stop, { attention: "interrupt" });

      const next = await model.requests.waitFor("the order to stop", showing(stop));
      const { state } = await settled(house, peer, second.json["message_id"]);
      // What a pane is told to fetch is handed over by the tool.
      expect(runtime === "tmux" ? ["seen", "finished"] : ["finished"]).toContain(state);
      const cut = await settled(house, peer, sent.json["message_id"]);
      expect(cut.steps.at(-1)).toMatchObject({ state: "finished", stop: "cancelled" });
      await model.requests.waitFor("the cut", (one) => one.outcome.kind === "cut" && showing(long)(one));
      // The order is not repeated, and that it was cut is said once.
      const shown = shownTexts(next.conversation).join("\n");
      expect(count(shown, long), shown).toBe(1);
      expect(count(shown, "(Huddle: you were interrupted while handling"), shown).toBe(
        runtime === "tmux" ? 0 : 1,
      );
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
    else if (runtime === "headless" && !isQuick(client))
      provenBy(
        "the interrupt, after which a new process has the session; the same test with claude",
        goesOnOnce,
      );
    else goesOnOnce();

    // It begins a file for a session that it loads, and must find the right one the next time.
    if (client.name === "gemini" && runtime === "acp")
      test("has its history after a second restart of the hub, too", async () => {
        const shown = await goesOn("after the second restart", reminders[1]);
        for (const reminder of reminders) expect(shown).toContain(`${name}, remember ${reminder}`);
      });

    function finishes() {
      test("finishes what it was at when the hub was killed", async () => {
        const { house, peer, model } = await hire();
        const long = order("count the herons");
        const done = `${name} counted seven`;
        const doIt = [call("send_message", { to: peer.name, content: done }), say("counted")];
        model.on(/count the herons/, [say("I begin to count. "), hold(`dead ${name}`), ...doIt]);
        model.on(/may have reached you before[\s\S]*count the herons/, doIt);
        model.on(/cut by a restart of the hub|the hub was restarted while you handled/, doIt);

        const sent = await peer.send(name, long);
        await model.requests.waitFor("the order", showing(long));
        await stepOf(peer, sent, streams(client, runtime) ? "seen" : "injected");
        await house.restart("SIGKILL", async () => {
          if (runtime === "acp")
            await eventually("nothing of it is left", () => house.processes().length === 0);
        });
        model.release(`dead ${name}`);

        const cut = await settled(house, peer, sent.json["message_id"]);
        expect(cut.steps.at(-1)).toMatchObject({ state: "finished", stop: "end_turn" });
        expect(cut.steps.map(describeStep)).not.toContain("injected[mixed]");
        const mail = await eventually("the order is done", async () => {
          const found = await peer.inbox("?wait=5");
          return found.some(({ content }) => content === done) ? found : undefined;
        });
        expect(mail.filter(({ content }) => content === done)).toHaveLength(1);
        const last = model.requests.main(lane).at(-1);
        const shown = last === undefined ? "" : shownTexts(last.conversation).join("\n");
        // What was not seen to be at work is given whole once more, marked; so is what gemini replays too late to be found.
        const isKnown = streams(client, runtime) && !(client.name === "gemini" && runtime === "acp");
        if (isKnown) expect(count(shown, long), shown).toBe(1);
        else expect([1, 2], shown).toContain(count(shown, long));
      });
    }
    // What has its session becomes of it by the hub, for all vendors alike.
    if (runtime === "headless" && !isQuick(client))
      provenBy("the same test under acp, and under headless with claude and codex", finishes);
    else finishes();

    // gemini does not even offer its model what it would ask about; the others can ask.
    if (client.name === "codex" && runtime === "headless")
      test("what it was not let do is told to the person, with the command and how to allow it", async () => {
        const { house, peer, model } = await hire();
        model.on(/look for eels/, [{ kind: "shell", command: "sleep 1; touch eels" }, say("done")]);
        await peer.send(name, `${name}, look for eels`);
        await eventually("the person is told", async () => {
          const { http, operator } = house.hub();
          const { text } = await http.call("GET", "/api/inbox", { token: operator });
          return /not allowed to do this.*touch eels.*huddle spawn codex --runtime acp/.test(text);
        });
      });

    // The words of other vendors are known from less.
    if (isQuick(client) && runtime !== "tmux")
      test("waits at its vendor's usage limit, is shown there, and goes on with its mail when that is lifted", async () => {
        const { house, peer, model } = await hire();
        model.on(/tadpoles(?![\s\S]*bought more)/, [
          { kind: "limit", resetsInSeconds: 11_520, times: Number.POSITIVE_INFINITY },
        ]);
        model.on(/bought more/, [say("nine")]);
        const backend = subscribedName(client);
        const limited = await house.spawn(client, runtime, { name: `${runtime}-limited`, backend });
        const { http, operator, home } = house.hub();
        const order = `${limited.name}, count the tadpoles`;
        const sent = await peer.send(limited.name, order);

        await eventually("it needs the person", async () => {
          const { json } = await http.call("GET", "/api/needs-you", { token: operator });
          const items = json["items"] as { kind: string; agent: string }[];
          return items.some(({ kind, agent }) => kind === "limit" && agent === limited.name);
        });
        const { stdout } = await cli(["agents"], { env: { HUDDLE_HOME: home } });
        expect(stdout).toMatch(new RegExp(`${limited.name}\\s.*limited until`));
        await eventually("its sender is told", async () =>
          (await peer.inbox()).some(({ content }) =>
            content.startsWith(`Agent ${limited.name} has reached its vendor's usage limit`),
          ),
        );
        const { json } = await peer.receipt(String(sent.json["message_id"]));
        expect(json["deliveries"]).toMatchObject([
          { state: "held", reason: expect.stringMatching(/usage limit until/) as unknown },
        ]);

        await http.call("POST", `/api/agents/${limited.name}/messages`, {
          token: operator,
          body: { message: `I bought more for ${limited.name}`, attention: "interrupt" },
        });
        const turn = await model.requests.waitFor("its turn", showing(`bought more for ${limited.name}`));
        expect(shownTexts(turn.conversation).join("\n")).toContain(order);
        const { steps } = await settled(house, peer, sent.json["message_id"]);
        expect(steps.map(describeStep)).toEqual(
          expect.arrayContaining(["accepted[limited]", "finished[end_turn]"]),
        );
        await kill(house, limited.name);
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

type Step = { state: string; reason?: string; stop?: string };
const describeStep = (step: object) => {
  const { state, reason, stop } = step as Step;
  return reason === undefined && stop === undefined ? state : `${state}[${reason ?? stop}]`;
};

async function stepOf(peer: Member, sent: { json: Record<string, unknown> }, state: string) {
  await eventually(`it is ${state}`, async () => {
    const { json } = await peer.receipt(String(sent.json["message_id"]));
    const [delivery] = json["deliveries"] as { steps: Step[] }[];
    return delivery?.steps.some((step) => step.state === state) === true || undefined;
  });
}

/** Whatever the white space: a screen wraps lines. */
function count(shown: string, text: string): number {
  const bare = (one: string) => one.replace(/\s+/g, "");
  return bare(shown).split(bare(text)).length - 1;
}

const showing =
  (text: string) =>
  ({ conversation }: { conversation: Parameters<typeof shownTexts>[0] }) =>
    count(shownTexts(conversation).join("\n"), text) > 0;
