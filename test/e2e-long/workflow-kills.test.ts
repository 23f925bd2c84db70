import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openServerSentEvents } from "../fakes/event-streams.js";
import { eventually, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { PATIENCE_MS } from "../fakes/patience.js";
import { chooseSeeds, createRandom } from "../fakes/random.js";
import { act, createWorkflow, showWorkflow, type WorkflowView } from "../fakes/workflow-calls.js";

/*
 * The hub is killed with -9 right after each kind of commit that a workflow makes is on disk, and started again. The workflow ends as it
 * must: each step is done once, nothing is stuck, and a step that an agent was given twice says so. Here three kinds and one by the seed;
 * HUDDLE_WORKFLOW_ROUNDS, in the soak, has all of them, as many times.
 */

const yard = createHubYard();

/** In the order in which they first happen: one of each commit, since what is stored together is on disk together. */
const moments = [
  // With StepStarted and TaskAssigned.
  "WorkflowCreated",
  "SpawnRequested",
  "AgentStarted",
  "MessagesOffered",
  // With TaskStarted.
  "MessagesInjected",
  "MessagesSeen",
  // With TaskAnswered, TaskEnded and StepEnded.
  "TurnEnded",
  "StepWaiting",
  "StepDecided",
  "StepsReset",
  "WorkflowEnded",
] as const;

/** In the middle of a step, which is given twice then; and where the next one begins, in one commit with what it follows from. */
const known: Moment[] = ["MessagesSeen", "TurnEnded", "StepDecided"];
type Moment = (typeof moments)[number];

const ROUNDS = Number(process.env["HUDDLE_WORKFLOW_ROUNDS"] ?? 0);
const seed = chooseSeeds().at(-1) ?? 0;
const another = createRandom(seed).pick(moments.filter((moment) => !known.includes(moment)));
const tried =
  ROUNDS === 0
    ? [...known, another].map((moment) => ({ moment, mark: moment }))
    : Array.from({ length: ROUNDS }, (_, round) =>
        moments.map((moment) => ({ moment, mark: `${moment}-${round}` })),
      ).flat();

const program = resolve("test", "fakes", "scripted-agent", "acp.mjs");

/** A chain, a diamond, an approval, and a step that fails until `mended` is there. */
function stepsWith(project: string, mark: string, mended: string) {
  const own = (name: string, depends_on: string[]) => ({
    name,
    agent: "ann",
    prompt: `!say ${name}-${mark}`,
    depends_on,
  });
  const started = (name: string, depends_on: string[], before = "") => ({
    name,
    backend: "scripted",
    project,
    prompt: `!say ${name}-${mark} ${before}`,
    depends_on,
  });
  return [
    own("top", []),
    own("left", ["top"]),
    started("right", ["top"]),
    { name: "gate", approve: true, depends_on: ["left", "right"] },
    started("flaky", ["top"], `!exit-unless ${mended}`),
    own("bottom", ["gate", "flaky"]),
  ];
}

const project = yard.home();
const home = yard.home();
const settings = [
  `backends.scripted.env=${JSON.stringify({ SCRIPTED_HOME: project })}`,
  `backends.scripted.acp=${JSON.stringify([process.execPath, program])}`,
];
const start = () => startHostingHub(yard, { home, set: settings });

/** One hub, killed again and again. */
let hub: HubProcess;
beforeAll(async () => {
  hub = await start();
  await spawnAgent(hub, { name: "ann", project });
});
afterAll(() => yard.clear());

test.each(tried)(
  "a hub that is killed after $mark: the workflow goes on and ends as it must",
  async ({ moment, mark }) => {
    const mended = join(project, `mended-${mark}`);
    const { json } = await hub.http.call("GET", "/api/health", { token: hub.operator });
    const after = (json["journal"] as { seq: number }).seq;
    const stream = await openServerSentEvents(hub.url, { token: hub.operator, query: `?after=${after}` });
    const seen = stream.until(({ type }) => type === moment, 4 * PATIENCE_MS);
    const id = await createWorkflow(hub, stepsWith(project, mark, mended));
    const killed = seen.then(() => hub.kill());
    await drive(hub, id, mended).catch(() => undefined);
    await killed;
    stream.close();
    hub = await start();
    const ended = await drive(hub, id, mended);
    expect(summary(ended, mark)).toEqual(expected);
    expect(ranTwiceUnseen(ended, project, mark)).toEqual([]);
    rmSync(mended, { force: true });
  },
);

/** Does what the person does, until it is done. */
async function drive(hub: HubProcess, id: string, mended: string): Promise<WorkflowView> {
  return eventually(async () => {
    const now = await showWorkflow(hub, id, "?wait=0.2");
    const gate = now.steps.find(({ name }) => name === "gate");
    if (gate?.status === "waiting") await act(hub, `${id}/steps/gate/approve`);
    const flaky = now.steps.find(({ name }) => name === "flaky");
    if (flaky?.status === "failed") {
      writeFileSync(mended, "");
      await act(hub, `${id}/steps/flaky/retry`);
    }
    return now.status === "done" ? now : undefined;
  }, `the workflow ${id} is done`);
}

const names = ["top", "left", "right", "gate", "flaky", "bottom"];
const expected = {
  status: "done",
  steps: names.map((name) => [name, "done"]),
  outputs: names.filter((name) => name !== "gate"),
};

function summary({ status, steps }: WorkflowView, mark: string) {
  return {
    status,
    steps: steps.map((step) => [step.name, step.status]),
    outputs: steps
      .filter(({ name, output }) => output?.startsWith(`${name}-${mark}`))
      .map(({ name }) => name),
  };
}

/** Steps whose agent came to the end of their prompt more than once, without that being shown. */
function ranTwiceUnseen({ steps }: WorkflowView, project: string, mark: string): string[] {
  const file = join(project, "ended");
  const turns = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return steps.flatMap(({ name, repeated, attempt }) => {
    const ran = turns.filter((turn) => turn.includes(`!say ${name}-${mark}`)).length;
    return ran > attempt && repeated !== true ? [name] : [];
  });
}
