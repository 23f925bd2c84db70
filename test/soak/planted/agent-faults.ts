import type { PlantedFault } from "./planted-fault.js";

/* Agents that the hub runs: promises 5, 9 and 10. */

const cuts = { file: "test/e2e-long/cut-turns.test.ts", test: "whatever an agent under acp was at" };
const orphans = "test/e2e-long/no-orphans.test.ts";
const underAcp = { file: orphans, test: "no process of an agent under acp outlives a killed hub" };
const underHeadless = { file: orphans, test: "no process of an agent under headless outlives a killed hub" };
const unanswered = {
  file: "src/delivery/permissions.test.ts",
  test: "a permission that nobody answers is denied when its time is up",
};

const endTurn = "src/hub/rules/end-turn.ts";
const expirePermission = "src/hub/rules/expire-permission.ts";
const noShim = {
  file: "src/runtime/process/spawn-agent.ts",
  find: "shimCommand([program, ...args], { run, setpriv: findSetpriv() });",
  put: "[program, ...args];",
};

export const agentFaults: readonly PlantedFault[] = [
  {
    name: "a turn that was cut is recorded as finished",
    promise: 5,
    edits: [
      {
        file: endTurn,
        find: '      const cut = mail.in("offered", "injected", "seen");\n',
        put: '      const cut = mail.in("offered", "injected", "seen");\n      if (cut.length > 0) return finish(mail.in("injected", "seen"));\n',
      },
    ],
    guard: cuts,
    says: /without evidence|was cut and not handed out again/,
  },
  {
    name: "mail of a turn that was cut gets no end",
    promise: 5,
    edits: [
      {
        file: endTurn,
        find: 'return [...giveBack("hub_restart", again), ...fail("hub_restart", why, often)];',
        put: "return [];",
      },
    ],
    guard: cuts,
    says: /has an end|without evidence/,
  },
  {
    name: "mail that ended unread comes back to nobody",
    promise: 5,
    edits: [
      {
        file: "src/hub/rules/bounce.ts",
        find: "    if (sender.hub !== null) return [];\n",
        put: "    if (sender.goneAt === null) return [];\n",
      },
    ],
    guard: { file: "src/hub/rules/bounce.test.ts", test: "mail that fails because its reader left" },
    says: /expected|undefined/,
  },
  {
    name: "nothing watches over an agent under acp",
    promise: 9,
    edits: [noShim],
    guard: underAcp,
    says: /nothing of them is left/,
  },
  {
    name: "nothing watches over an agent under headless",
    promise: 9,
    edits: [noShim],
    guard: underHeadless,
    says: /nothing of them is left/,
  },
  {
    name: "what left its process group is forgotten",
    promise: 9,
    edits: [{ file: "src/runtime/process/shim.ts", find: "for _ in 1 2; do", put: "for _ in; do" }],
    guard: underAcp,
    says: /nothing of them is left/,
  },
  {
    name: "a hub that starts does not look for what an earlier one left",
    promise: 9,
    edits: [
      {
        file: "src/daemon/start-hosting.ts",
        find: "      await sweepHub(hub, (agent) => isOnScreen(views.roster.byId(agent)));\n",
        put: "",
      },
    ],
    guard: { file: orphans, test: "what outlived a killed hub all the same is ended by the next" },
    says: /nothing of it is left/,
  },
  {
    name: "a permission that nobody answers is given",
    promise: 10,
    edits: [
      {
        file: expirePermission,
        find: 'optionFor(asked.permission.options, "deny")',
        put: 'optionFor(asked.permission.options, "once")',
      },
    ],
    guard: unanswered,
    says: /option/,
  },
  {
    name: "a permission that nobody answers stays open",
    promise: 10,
    edits: [
      {
        file: expirePermission,
        find: "if (asked === undefined || asked.outcome !== null) return [];",
        put: "if (asked === undefined || asked.outcome === null) return [];",
      },
    ],
    guard: unanswered,
    says: /timed out|never|until/i,
  },
  {
    name: "an agent that does not take its prompt is waited for",
    promise: 10,
    edits: [
      {
        file: "src/delivery/driver-machine.ts",
        find: '    { do: "arm", timer: "offer" },\n',
        put: "",
      },
    ],
    guard: { file: "src/delivery/lifecycle.test.ts", test: "an agent that does not take its prompt" },
    says: /timed out|never|until/i,
  },
  {
    name: "an agent that says nothing looks busy",
    promise: 10,
    edits: [
      {
        file: "src/delivery/driver-machine.ts",
        find: "if (state.asking || state.stalled) return stay(driver);",
        put: 'if (state.kind === "busy") return stay(driver);',
      },
    ],
    guard: { file: "src/delivery/lifecycle.test.ts", test: "an agent that says nothing for long is stalled" },
    says: /timed out|never|until/i,
  },
];
