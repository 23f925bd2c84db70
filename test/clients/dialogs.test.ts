import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { shownTexts } from "../../src/selftest/scripted-model/conversation.js";
import { ask, call, say } from "../../src/selftest/scripted-model/step.js";
import { cli as runCli } from "../fakes/run-cli.js";
import { tmux } from "../fakes/scripted-pane.js";
import { eventually } from "./eventually.js";
import { settled } from "./hosted-mail.js";
import { openHouse } from "./house.js";
import { killIfThere } from "./processes.js";
import { describeVendor, provenBy } from "./sets.js";
import { shared } from "./shared.js";

/*
 * A permission dialog on a vendor's own screen, answered from `huddle inbox`: what the person reads and types, and what
 * becomes of it in the pane; and then of its session when all of it is killed. With HUDDLE_CAPTURES, a folder, what was to be seen is kept there.
 */

type Need = { id: string; kind: string; agent: string; text: string };

describeVendor((client) => {
  const open = shared(async (onClose) => {
    const house = await openHouse([client], [], "tui");
    onClose(house.close);
    const { http, operator } = house.hub();
    house.model.on(/call check_messages to read/, [call("check_messages"), say("read")]);
    const peer = await house.member("peer");
    await house.spawn(client, "tmux", { name: "worker", permissions: "allow-reads" });
    const { json } = await http.call("GET", "/api/agents/worker", { token: operator });
    const { socket, pane } = json["tmux"] as { socket: string; pane: string };
    const env = { HUDDLE_URL: http.url, HUDDLE_TOKEN: operator };
    const seen: string[] = [];
    const needs = async () =>
      (await http.call("GET", "/api/needs-you", { token: operator })).json["items"] as Need[];
    function screen() {
      const shown = tmux(socket, "capture-pane", "-p", "-t", pane).trimEnd();
      seen.push(`--- the pane ---\n${shown}`);
    }
    return {
      house,
      peer,
      needs,
      screen,
      /** As the person would type it; what it printed is kept. */
      async cli(...argv: string[]) {
        const run = await runCli(argv, { env, stdin: "" });
        seen.push(`$ huddle ${argv.join(" ")}\n${run.stdout}${run.stderr}`);
        return run;
      },
      nextNeed: () =>
        eventually("a permission waits for the person", async () =>
          (await needs()).find(({ kind }) => kind === "permission"),
        ).catch((error: unknown) => {
          throw new Error(`${String(error)}\n${tmux(socket, "capture-pane", "-p", "-t", pane)}`);
        }),
      keep(name: string) {
        screen();
        const folder = process.env["HUDDLE_CAPTURES"];
        if (folder === undefined) return;
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, `${client.name}-${name}.txt`), `${seen.splice(0).join("\n\n")}\n`);
      },
    };
  });

  test("approved from the inbox: the command is run, and the turn goes on", async () => {
    const { house, peer, needs, cli, screen, nextNeed, keep } = await open();
    onTestFinished(() => keep("approved"));
    const made = join(house.home, "project", "approved.txt");
    house.model.on(/make the file/, [ask(`touch ${made}`), say("the file is made")]);
    const sent = await peer.send("worker", "make the file");

    const need = await nextNeed();
    expect(need).toMatchObject({ agent: "worker" });
    expect(need.text).toContain("approved.txt");
    screen();
    expect((await cli("agents")).stdout).toMatch(/worker\s+◔ waiting/);
    expect((await cli("inbox")).stdout).toContain("huddle approve worker once");
    expect(existsSync(made)).toBe(false);

    expect(await cli("approve", "worker")).toMatchObject({ code: 0 });
    await settled(house, peer, sent.json["message_id"]);
    expect(existsSync(made)).toBe(true);
    expect(await needs()).toEqual([]);
  });

  test("denied from the inbox: nothing is run", async () => {
    const { house, peer, needs, cli, nextNeed, keep } = await open();
    onTestFinished(() => keep("denied"));
    const made = join(house.home, "project", "denied.txt");
    house.model.on(/make another/, [ask(`touch ${made}`), say("it was not made")]);
    const sent = await peer.send("worker", "make another");
    const { id } = await nextNeed();
    expect(await cli("deny", id)).toMatchObject({ code: 0 });
    await settled(house, peer, sent.json["message_id"]);
    expect(existsSync(made)).toBe(false);
    expect(await needs()).toEqual([]);
  });

  function neverAsks() {
    test("Huddle's own tools are never asked about", async () => {
      const { house, peer, needs } = await open();
      house.model.on(/who is there/, [call("list_agents"), call("check_messages"), say("told")]);
      house.model.on(/say hello to peer/, [
        call("send_message", { to: "peer", content: "hello from the pane" }),
        say("sent"),
      ]);
      for (const text of ["who is there", "say hello to peer"]) {
        const sent = await peer.send("worker", text);
        await settled(house, peer, sent.json["message_id"]);
      }
      const { permissions } = (
        await house.hub().http.call("GET", "/api/permissions", { token: house.hub().operator })
      ).json;
      expect(permissions).toEqual([]);
      expect((await needs()).filter(({ kind }) => kind !== "question")).toEqual([]);
      expect((await peer.inbox()).map(({ content }) => content)).toContain("hello from the pane");
    });
  }
  // droid cannot be told so: Huddle answers what it asks.
  if (client.name === "claude" || client.name === "droid") neverAsks();
  else provenBy("pane: reaches Huddle's tools, which a question would keep from its end", neverAsks);

  function goesOn() {
    test("goes on with its session after kill -9 of the hub and of itself", async () => {
      const { house, peer } = await open();
      house.model.on(/look around/, [call("list_agents"), call("check_messages"), say("looked")]);
      house.model.on(/remember/, [say("noted")]);
      const tell = async (text: string) => {
        const sent = await peer.send("worker", text);
        await settled(house, peer, sent.json["message_id"]);
        const turn = await house.model.requests.waitFor(text, ({ conversation }) =>
          shownTexts(conversation).some((shown) => shown.includes(text)),
        );
        return shownTexts(turn.conversation).join("\n");
      };
      // After a turn with tools, qwen's own suggestions would keep it from keeping the next one.
      await tell("look around");
      await tell("remember the heron");
      await house.restart("SIGKILL", () => {
        for (const { pid } of house.processes()) killIfThere(pid);
      });
      expect(await tell("what did you remember?")).toContain("remember the heron");
    });
  }
  if (client.name === "claude" || client.name === "codex")
    provenBy("hosted: goes on with its session …, and: pane-sessions", goesOn);
  else goesOn();
});
