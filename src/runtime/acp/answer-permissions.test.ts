import { expect, test } from "vitest";
import type { PermissionRequest } from "../runtime.js";
import { createPermissionAnswers } from "./answer-permissions.js";

const options = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];

function openDesk() {
  const asked: PermissionRequest[] = [];
  const host = {
    permission: async (request: PermissionRequest) => {
      asked.push(request);
      return { option: "no" };
    },
  };
  const desk = createPermissionAnswers(host, () => undefined, /^huddle___\w+$/);
  const ask = (title: string, offered = options) =>
    desk.ask({ toolCall: { toolCallId: "t1", title }, options: offered }, new AbortController().signal);
  return { asked, ask };
}

test("Huddle's own tools are granted once, and nobody is asked", async () => {
  const { asked, ask } = openDesk();
  expect(await ask("huddle___send_message")).toEqual({ outcome: { outcome: "selected", optionId: "yes" } });
  expect(asked).toEqual([]);
});

test("what only looks like them is asked about, and so are they where no single grant is offered", async () => {
  const { asked, ask } = openDesk();
  const refused = { outcome: { outcome: "selected", optionId: "no" } };
  for (const title of [
    "`huddle___send_message` (low)",
    "huddle___x; rm -rf /",
    "other_huddle___send_message",
  ])
    expect(await ask(title)).toEqual(refused);
  expect(await ask("huddle___send_message", options.toSpliced(1, 1))).toEqual(refused);
  expect(asked).toHaveLength(4);
});
