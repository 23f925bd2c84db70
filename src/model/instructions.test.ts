import { expect, test } from "vitest";
import { INSTRUCTIONS_MOST, instructionsFor } from "./instructions.js";
import { toolsetNames } from "./toolset.js";

const qwens = { tools: ["list_agents", "send_message"], prefix: "mcp__huddle__" };

test("a CLI with tools of the same names is told ours by their full names", () => {
  const told = instructionsFor("huddle", { namesakes: qwens });
  expect(told).toContain("See who is here with mcp__huddle__list_agents.");
  expect(told).toContain("Answer with mcp__huddle__send_message: to its sender");
  expect(told).toContain(
    "Your own list_agents and send_message are other tools and know nobody here: Huddle's begin with `mcp__huddle__`.",
  );
});

test("so is one whose own way to start an agent starts none of ours", () => {
  const codexs = { tools: ["spawn_agent"], prefix: "mcp__huddle__" };
  const line =
    "Your own spawn_agent is another tool and knows nobody here: Huddle's is `mcp__huddle__spawn_agent`.";
  expect(instructionsFor("huddle", { namesakes: codexs })).toContain(line);
  expect(instructionsFor("agent", { namesakes: codexs })).not.toContain("spawn_agent");
});

test("what has no namesake is told as it is called", () => {
  const told = instructionsFor("tabs", { namesakes: { ...qwens, tools: ["send_message"] } });
  expect(told).not.toContain("mcp__huddle__");
  expect(told).toContain("Answer with send_to_agent to its sender.");
});

test("a name that is only wished for is not promised", () => {
  const told = instructionsFor("huddle", { self: { kind: "wished", name: "claude-shop" } });
  expect(told).toContain(
    'You join as "claude-shop", with a number behind it if that is taken: `self` of list_agents is your name.',
  );
});

test.each(toolsetNames)(
  "however long a project is called, the instructions of the set %s stay short",
  (set) => {
    const self = {
      kind: "known",
      name: "a".repeat(64),
      team: "t".repeat(64),
      project: "/x".repeat(5000),
    } as const;
    expect(instructionsFor(set, { self, namesakes: qwens }).length).toBeLessThan(INSTRUCTIONS_MOST);
  },
);
