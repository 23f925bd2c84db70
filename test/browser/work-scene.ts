import { eventually } from "../fakes/hosting-hub.js";
import type { HubProcess } from "../fakes/hub-process.js";
import { type Member, registerAgent } from "../fakes/member.js";
import { createWorkflow, showWorkflow, stepIs } from "../fakes/workflow-calls.js";

/* What the tests of the workflows and requests pages have in common: agents that pull their mail, and answer when they are told to. */

export type Crew = { readonly [name: string]: Member };

export async function joinCrew(hub: HubProcess, names: readonly string[]): Promise<Crew> {
  const members: [string, Member][] = [];
  for (const name of names)
    members.push([name, await registerAgent(hub.http, hub.join, { name, project: hub.home })]);
  return Object.fromEntries(members);
}

/** Takes the task of a step and answers it, as an agent does that pulls its mail. */
async function answerStep(
  hub: HubProcess,
  crew: Crew,
  workflow: string,
  name: string,
  text: string,
): Promise<void> {
  const step = await stepIs(hub, workflow, name, "running");
  const member = memberOf(crew, step.agent);
  await member.inbox();
  await member.send("user", text, { reply_to: step.task_id });
}

/** Has the mail, and says nothing yet: its step runs. */
export async function takeStep(hub: HubProcess, crew: Crew, workflow: string, name: string): Promise<void> {
  const step = await stepIs(hub, workflow, name, "running");
  await memberOf(crew, step.agent).inbox();
}

export function memberOf(crew: Crew, name: string): Member {
  const member = crew[name];
  if (member === undefined) throw new Error(`nobody is named ${name}`);
  return member;
}

const fixAndVerify = [
  { name: "reproduce", agent: "e2e-dev", prompt: "Reproduce SHOP-2417 in a browser." },
  { name: "audit-orders", agent: "db-dev", prompt: "How many orders are a cent off?" },
  {
    name: "root-cause",
    agent: "checkout-lead",
    depends_on: ["reproduce", "audit-orders"],
    prompt: "Find the cause. {{reproduce.output}}\n\n{{audit-orders.output}}",
  },
  {
    name: "fix-cart",
    agent: "cart-dev",
    approve: true,
    depends_on: ["root-cause"],
    prompt: "Sum the lines in `cart.ts` before rounding. Root cause: {{root-cause.output}}",
  },
  {
    name: "fix-capture",
    agent: "pay-dev",
    depends_on: ["root-cause"],
    checks: ["unit"],
    prompt:
      "In `capture.ts`, take the total from the cart as given and stop rounding. Root cause: {{root-cause.output}}",
  },
  {
    name: "backfill",
    agent: "db-dev",
    on: "failure",
    depends_on: ["root-cause"],
    prompt: "Undo what was charged.",
  },
  {
    name: "verify",
    agent: "e2e-dev",
    depends_on: ["fix-cart", "fix-capture"],
    prompt: "Does it still happen?",
  },
  {
    name: "release-note",
    agent: "checkout-lead",
    depends_on: ["fix-capture"],
    prompt: "Write the release note.",
  },
] as const;

export const crewNames = ["checkout-lead", "cart-dev", "pay-dev", "tax-dev", "db-dev", "e2e-dev", "reviewer"];

/** As far as the pictures show it: three steps done, one asks the person, one failed its check. */
export async function playFixAndVerify(hub: HubProcess, crew: Crew): Promise<string> {
  const id = await createWorkflow(hub, [...fixAndVerify], { name: "fix-and-verify" });
  await answerStep(hub, crew, id, "reproduce", "Yes: mug + book + SAVE15. 19.98 shown, 19.97 charged.");
  await answerStep(
    hub,
    crew,
    id,
    "audit-orders",
    "1,204 orders since 3 March, all with a percentage coupon.",
  );
  await answerStep(
    hub,
    crew,
    id,
    "root-cause",
    "Payments rounds the sum, checkout rounds each line. `capture.ts` rounds a second time.",
  );
  await failCheck(hub, crew, id, "fix-capture");
  return id;
}

const diff = "```diff\n payments/src/capture.ts\n-amount: round(cart.total)\n+amount: cart.total\n```";

/** Its agent answers, the person lets the check run, and it does not pass. */
async function failCheck(hub: HubProcess, crew: Crew, id: string, name: string): Promise<void> {
  await answerStep(hub, crew, id, name, `Done.\n\n${diff}`);
  const asked = await eventually(async () => {
    const { json } = await hub.http.call("GET", "/api/permissions", { token: hub.operator });
    const open = json["permissions"] as { id: string }[];
    const shown = await showWorkflow(hub, id);
    return (
      open[0] ??
      (shown.steps.some((step) => step.name === name && step.status === "failed") ? { id: "" } : undefined)
    );
  }, "the check asks");
  if (asked.id !== "")
    await hub.http.call("POST", `/api/permissions/${asked.id}`, {
      token: hub.operator,
      body: { decision: "always" },
    });
  await stepIs(hub, id, name, "failed");
}

/** The configuration with which `unit` is a check that does not pass. */
export const failingCheck = `checks.unit=${JSON.stringify([
  process.execPath,
  "-e",
  "console.log('capture.test.ts: 2 failed, 41 passed\\n  expected 19.97 to be 19.98');process.exit(1)",
])}`;
