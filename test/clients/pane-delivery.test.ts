import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { call, hold, say } from "../../src/selftest/scripted-model/step.js";
import { cli } from "../fakes/run-cli.js";
import { hubSocket, tmux } from "../fakes/scripted-pane.js";
import { claude } from "./claude.js";
import { codex } from "./codex.js";
import { eventually } from "./eventually.js";
import { nextMail } from "./hosted-mail.js";
import { type House, openHouse } from "./house.js";
import { wholeMatrix } from "./sets.js";
import { shared } from "./shared.js";

/*
 * The way of a message into a real pane, from the command line: `agent-{team}-{name}`, `MSG_<SENDER>_<8 hex>`, out of
 * copy mode, pasted, sent, confirmed. With KEEP_SCREENS=FOLDER the screens of the run are written there: docs/pane-delivery.md
 * shows some.
 */

const agents = {
  ana: { client: claude, team: "alpha", glyph: "❯ " },
  ben: { client: codex, team: "alpha", glyph: "› " },
  cleo: { client: codex, team: "beta", glyph: "› " },
};

const open = shared(async (onClose) => {
  const house = await openHouse([claude, codex]);
  onClose(house.close);
  const analyzer = await house.member("analyzer");
  // One after the other: two codex that begin in a new home at once damage each other's database.
  for (const [name, { client, team }] of Object.entries(agents))
    await house.spawn(client, "tmux", { name, team });
  return { house, analyzer };
});

/** What a pane shows, in order, as often as it can be looked at: often enough only alone on the machine. */
function film(shot: () => string) {
  const screens: string[] = [];
  const timer = setInterval(() => {
    const now = shot();
    if (now !== screens.at(-1)) screens.push(now);
  }, 20);
  const stop = () => clearInterval(timer);
  onTestFinished(stop);
  return { screens, stop };
}

function keep(name: string, screen: string): void {
  const folder = process.env["KEEP_SCREENS"];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.txt`), `${screen}\n`);
}

async function run(house: House, ...argv: string[]) {
  const { code, stdout, stderr } = await cli(argv, { env: { HUDDLE_HOME: house.hub().home } });
  return { code, stderr, json: JSON.parse(stdout === "" ? "null" : stdout) as Record<string, unknown> };
}

test.each(["ana", "ben"] as const)(
  "%s gets a message into its pane, confirmed, and answers it",
  async (name) => {
    const { client, team, glyph } = agents[name];
    const { house, analyzer } = await open();
    const { model } = house;
    model.on(
      /which file is it\?/,
      [
        hold(`answer of ${name}`),
        call("send_message", { to: "analyzer", content: "src/login.ts" }),
        say("I told analyzer."),
      ],
      client.name,
    );
    model.on(/thank you/, [say("You are welcome.")]);
    const socket = hubSocket(house.hub().home);
    const session = `agent-${team}-${name}`;
    expect(tmux(socket, "list-sessions", "-F", "#{session_name}").split("\n")).toContain(session);
    const shot = () => tmux(socket, "capture-pane", "-p", "-t", `=${session}:`).trimEnd();
    const filmed = wholeMatrix || process.env["KEEP_SCREENS"] !== undefined ? film(shot) : undefined;
    const before = shot();
    // The person scrolls back; a key sent now would be swallowed.
    tmux(socket, "copy-mode", "-t", `=${session}:`);

    const sent = await analyzer.send(name, "which file is it?");
    const id = String(sent.json["message_id"]);
    const tag = `MSG_ANALYZER_${id.replaceAll("-", "").slice(-8)}`;
    expect(tag).toMatch(/^MSG_[A-Z0-9_]+_[0-9a-f]{8}$/);
    await eventually("the model was asked", () => model.requests.timesShown(tag) > 0);
    await eventually("the line left the box", () => shot().includes(tag) && !boxHolds(shot(), tag, glyph));
    const taken = shot();
    model.release(`answer of ${name}`);
    const [mail] = await nextMail(analyzer);
    expect(mail).toMatchObject({ from: name, content: "src/login.ts" });
    const receipt = await eventually("the turn ended", async () => {
      const { json } = await analyzer.receipt(id);
      const [delivery] = json["deliveries"] as { state: string; steps: Record<string, unknown>[] }[];
      return delivery?.state === "finished" ? delivery : undefined;
    });
    const answered = shot();

    expect(receipt.steps).toMatchObject([
      { state: "accepted" },
      { state: "offered", route: "pane" },
      { state: "injected", evidence: "pane_took_it" },
      { state: "seen", evidence: "output" },
      { state: "finished" },
    ]);
    const line = `${glyph}${tag}: which file is it?`;
    expect(before).not.toContain(tag);
    expect(taken).toContain(line);
    expect(answered).toContain("I told analyzer.");
    expect(model.requests.timesShown(tag)).toBe(1);

    const thanks = await run(house, "send", name, "thank you", "--confirm", "--json");
    const userTag = `MSG_USER_${String(thanks.json["message_id"]).replaceAll("-", "").slice(-8)}`;
    expect(thanks).toMatchObject({ code: 0, json: { target: name } });
    expect(JSON.stringify(thanks.json["delivery"])).toContain("pane_took_it");
    await eventually("it was answered", () => shot().includes("You are welcome."));
    expect(shot()).toContain(`${glyph}${userTag}: thank you`);

    if (filmed === undefined) return;
    filmed.stop();
    // Between paste and Enter the line stands in the box, for a moment that is longer than one look.
    const inBox = (one: string) => filmed.screens.findIndex((screen) => boxHolds(screen, one, glyph));
    const at = [inBox(tag), inBox(userTag)].find((index) => index >= 0) ?? -1;
    expect(at).toBeGreaterThan(0);
    const pasted = filmed.screens[at] ?? "";
    for (const [name, screen] of Object.entries({ before, pasted, taken, answered }))
      keep(`${client.name}-${name}`, screen);
  },
);

test("a team is told at once, and who took it is said", async () => {
  const { house } = await open();
  house.model.on(/lunch/, [say("noted")]);

  const plain = await run(house, "broadcast", "lunch at noon", "--team", "alpha", "--json");
  expect(plain.json).toMatchObject({ successful: ["ana", "ben"], failed: [] });

  const { http, join: token, operator } = house.hub();
  // What comes while they read goes into one line with the rest.
  await eventually("they have read it", async () => {
    const path = `/api/messages/${String(plain.json["message_id"])}`;
    const { json } = await http.call("GET", path, { token: operator });
    return (json["deliveries"] as { state: string }[]).every(({ state }) => state === "finished");
  });

  await http.call("POST", "/api/agents", { token, body: { name: "deaf", team: "alpha" } });
  // As long as the two may need on a busy machine: because of the third it is waited out.
  const argv = ["broadcast", "lunch at one", "--team", "alpha", "--confirm", "--timeout", "20s", "--json"];
  const confirmed = await run(house, ...argv);
  expect(confirmed.json).toMatchObject({ successful: ["ana", "ben"], failed: ["deaf"] });

  const socket = hubSocket(house.hub().home);
  const tag = `MSG_USER_${String(confirmed.json["message_id"]).replaceAll("-", "").slice(-8)}`;
  const show = (session: string) => tmux(socket, "capture-pane", "-p", "-t", `=${session}:`);
  for (const session of ["agent-alpha-ana", "agent-alpha-ben"])
    expect(show(session)).toContain(`${tag}: lunch at one`);
  expect(show("agent-beta-cleo")).not.toContain("lunch");

  const all = await run(house, "broadcast", "lunch is over", "--all", "--json");
  expect(all.json).toMatchObject({ successful: ["ana", "analyzer", "ben", "cleo", "deaf"], failed: [] });
});

/** The input box is the last row that begins with the CLI's sign. */
function boxHolds(screen: string, tag: string, glyph: string): boolean {
  const sign = glyph.trim();
  const box = screen.split("\n").findLast((row) => row.startsWith(sign));
  return box?.includes(tag) ?? false;
}
