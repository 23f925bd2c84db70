import { expect, test } from "vitest";
import { readSessionName, sessionName } from "./session-name.js";

test.each([
  [{ name: "ana", team: "alpha" }, "agent-alpha-ana"],
  [{ name: "dl_coordinator", team: "main" }, "agent-main-dl_coordinator"],
  [{ name: "ana", team: "alpha", instance: "2" }, "agent-alpha-ana-2"],
  [{ name: "ana-2", team: "alpha", instance: "2" }, "agent-alpha-ana-2"],
  [{ name: "ana-2", team: "alpha" }, "agent-alpha-ana-2"],
  [{ name: "ralph-ziggy", team: "main" }, "agent-ralph-ziggy"],
  [{ name: "ralph", team: "main", instance: "ziggy" }, "agent-ralph-ziggy"],
])("%j is in the session %s", (agent, session) => {
  expect(sessionName(agent)).toBe(session);
});

test.each([
  "Ana",
  "2ana",
  "ana-b-c",
  "ana:1",
  "ana.0",
  "-t",
  "ana;ls",
  "ana\n",
  "",
  "#(touch x)",
  "ánä",
  "ana-",
  "ana-B",
])("%j cannot be in a pane, and it is said why", (name) => {
  expect(() => sessionName({ name, team: "main" })).toThrow(
    expect.objectContaining({
      code: "TARGET_INVALID",
      message: expect.stringContaining("such as ana or ana-2") as unknown,
    }),
  );
});

test("a team that cannot be in a session's name is refused", () => {
  expect(() => sessionName({ name: "ana", team: "al:pha" })).toThrow(
    expect.objectContaining({ code: "TARGET_INVALID" }),
  );
});

test.each([
  ["agent-alpha-ana", { name: "ana", team: "alpha" }],
  ["agent-alpha-ana-2", { name: "ana-2", team: "alpha", instance: "2" }],
  ["agent-my_team-dl_coordinator", { name: "dl_coordinator", team: "my_team" }],
  ["agent-ralph-ziggy", { name: "ralph-ziggy" }],
])("%s is read back to the agent that has it", (session, agent) => {
  expect(readSessionName(session)).toEqual(agent);
  expect(sessionName({ team: "main", ...agent })).toBe(session);
});

test.each([
  "agent-",
  "agent-alpha",
  "agent-Alpha-ana",
  "agent-a-b-c-d",
  "agent-ralph-x-y",
  "agent-a-b-",
  "x-a-b",
])("%s is no agent's", (session) => {
  expect(readSessionName(session)).toBeUndefined();
});
