import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchHub, Lab } from "../bench/lab.js";
import { type Member, registerAgent } from "../fakes/member.js";
import { acts } from "./acts.js";

/*
 * A shop whose checkout seven agents rebuild: what the pictures of the documentation show. Three are run by the hub and act by a
 * script, four have joined by themselves. They write to each other until some of it is held, ask, claim, and run a workflow.
 */

const hosted = ["checkout-lead", "cart-dev", "tax-dev"];
const joined = ["pay-dev", "db-dev", "e2e-dev", "reviewer"];

export async function openScene(lab: Lab): Promise<BenchHub> {
  const project = openProject(lab);
  const folder = lab.folder();
  const script = join(folder, "script.json");
  writeFileSync(script, JSON.stringify(acts(folder)));
  const program = resolve("test", "fakes", "scripted-agent", "acp.mjs");
  const backend = [process.execPath, program, "--script", script];
  const hub = await lab.hub({
    set: [
      `backends.codex.acp=${JSON.stringify(backend)}`,
      `backends.claude-code.acp=${JSON.stringify(backend)}`,
      'allowed_roots=["/"]',
      "conversation.hops=8",
      "conversation.messages=100",
      "conversation.unattended=200",
      "cooldown.cap=10",
      "log.level=warn",
    ],
  });
  await setTheScene(hub, project);
  return hub;
}

/** Where everybody has it: pictures show its path, and nothing of the machine that they were taken on. */
function openProject(lab: Lab): string {
  const project = join(tmpdir(), "shop");
  // Mine to remove only if I made it.
  if (mkdirSync(project, { recursive: true }) !== undefined)
    lab.onClose(() => rmSync(project, { recursive: true, force: true }));
  return project;
}

async function setTheScene(hub: BenchHub, project: string): Promise<void> {
  const operator = async (method: string, path: string, body?: object) => {
    const { status, text, json } = await hub.http.call(method, path, {
      token: hub.operator,
      ...(body === undefined ? {} : { body }),
    });
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${text}`);
    return json;
  };
  for (const [at, name] of hosted.entries()) {
    const backend = at === 1 ? "codex" : "claude-code";
    await operator("POST", "/api/agents/spawn", { name, backend, project, permissions: "ask" });
  }
  const members: Record<string, Member> = {};
  for (const name of joined) {
    members[name] = await registerAgent(hub.http, hub.join, {
      name,
      project,
      model: "opus-5",
      backend: "codex",
    });
  }
  const say = async (from: string, to: string, message: string, fields: object = {}) => {
    const member = members[from];
    if (member === undefined) throw new Error(`${from} has not joined`);
    const { status, text, json } = await member.send(to, message, { ...fields });
    if (status >= 400) throw new Error(`${from} to ${to}: ${text}`);
    return String(json["message_id"]);
  };
  const order = (to: string, message: string) => operator("POST", `/api/agents/${to}/messages`, { message });

  await order("checkout-lead", "Move tax into its own package and tell me what that changes for renewals.");
  await sleep(2500);
  await say(
    "pay-dev",
    "checkout-lead",
    "capture() takes the total **with** tax. Renewals call it, too:\n\n```ts\nawait capture(order.id, totals.charged);\n```",
  );
  await say(
    "reviewer",
    "checkout-lead",
    "I read the diff of `packages/tax`. Two remarks:\n\n1. `round()` belongs to `@shop/money`.\n2. The table of rates has no test.",
  );
  for (let turn = 0; turn < 4; turn++) {
    await members["pay-dev"]?.inbox();
    await say(
      "pay-dev",
      "db-dev",
      [
        "charged_total or total_charged?",
        "Which column do renewals read?",
        "Then both must change.",
        "Agreed on section 4. But then renewals change too.",
      ][turn] ?? "",
    );
    await members["db-dev"]?.inbox();
    await say(
      "db-dev",
      "pay-dev",
      [
        "Either works, what do you prefer?",
        "total_charged, in orders.",
        "I can write the migration.",
        "Yes. I begin now.",
      ][turn] ?? "",
    );
  }
  await ring(members, say);
  const opened = await operator("POST", "/api/requests", {
    description: "Who knows why the e2e run needs two payment accounts?",
    timeout_seconds: 900,
  });
  await operator("POST", "/api/requests", {
    description: "Review packages/tax before Friday",
    timeout_seconds: 3600,
  });
  await members["e2e-dev"]?.call("POST", `/api/requests/${String(opened["request_id"])}/claim`, { body: {} });
  await members["pay-dev"]?.call("POST", "/api/claims", {
    body: { action: "claim", task: "packages/payments/capture.ts" },
  });
  await operator("POST", "/api/workflows", {
    name: "nightly",
    steps: [
      { name: "types", agent: "tax-dev", prompt: "Check the types." },
      { name: "e2e", agent: "checkout-lead", prompt: "Run the e2e tests.", depends_on: ["types"] },
      { name: "report", agent: "checkout-lead", prompt: "Report.", depends_on: ["e2e"] },
    ],
  });
  await sleep(1500);
  await say("e2e-dev", "user", "May I delete the recordings of last week? They take 4 GB.");
  await order("cart-dev", "Run the cart tests, then fix what fails.");
  await operator("POST", "/api/workflows", {
    name: "tax package",
    steps: [
      { name: "plan", agent: "tax-dev", prompt: "Plan the tax package." },
      { name: "move", agent: "tax-dev", prompt: "Move the code.", depends_on: ["plan"] },
      { name: "totals", agent: "tax-dev", prompt: "Adapt the totals.", depends_on: ["plan"] },
      { name: "review", agent: "checkout-lead", prompt: "Review both.", depends_on: ["move", "totals"] },
      {
        name: "release",
        agent: "checkout-lead",
        prompt: "Release it.",
        depends_on: ["review"],
        approve: true,
      },
    ],
  });
  await sleep(4000);
  await order("tax-dev", "Check the rates of all countries and say how far you are.");
  await say(
    "pay-dev",
    "checkout-lead",
    "Payments and checkout differ by a cent: `capture()` rounds the sum (4.7393, so **4.74**), the cart adds rounded lines (**4.73**).\n\n| line | net | rate | tax | rounded |\n|---|---:|---:|---:|---:|\n| Mug, 15 % off | 18.71 | 19 % | 3.5549 | 3.55 |\n| Book, 15 % off | 16.92 | 7 % | 1.1844 | 1.18 |",
  );
  await sleep(1500);
}

/** Three that answer each other until the hub holds it. */
async function ring(
  members: Record<string, Member>,
  say: (from: string, to: string, message: string, fields?: object) => Promise<string>,
): Promise<void> {
  const round = ["reviewer", "db-dev", "e2e-dev"];
  let before: string | undefined;
  for (let hop = 0; hop < 10; hop++) {
    const [from = "", to = ""] = [round[hop % 3], round[(hop + 1) % 3]];
    await members[from]?.inbox();
    before = await say(
      from,
      to,
      `Rounding moved to @shop/money; do you use it? (${hop + 1})`,
      before === undefined ? {} : { reply_to: before },
    );
  }
}
