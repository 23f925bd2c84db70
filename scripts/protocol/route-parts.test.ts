import { expect, test } from "vitest";
import { z } from "zod";
import { messageView } from "../../src/contract/http/messages.js";
import type { RouteContract } from "../../src/contract/http/route.js";
import { routeParts } from "./route-parts.js";

const route: RouteContract = {
  method: "POST",
  path: "/api/things/:id",
  summary: "Make a thing",
  access: "member",
  body: z.strictObject({
    title: z.string().min(1).max(200).describe("How it is called"),
    size: z.number().positive().optional(),
    kind: z.enum(["tall", "wide"]).default("tall").describe("One | the other"),
    ids: z
      .array(z.string().regex(/^[a-z]+$/))
      .max(1000)
      .optional(),
  }),
  status: 201,
  response: z.object({
    id: z.string(),
    seq: z.number(),
    made: z.literal(true),
    state: z.enum(["new", "old"]).optional(),
    owner: z.string().nullable(),
    messages: z.array(messageView),
  }),
  errors: ["AGENT_GONE", "NAME_INVALID", "NAME_RESERVED"],
};

test("a route says who may call it, what it takes, what it answers and how it is refused", () => {
  expect(routeParts([route])).toEqual([
    [
      "route POST /api/things/:id",
      `Who: member. Answers 201 \`{id, seq: number, made: true, state?: new | old, owner: text | null, messages: [Message]}\`.

| Field | Type | Meaning |
|---|---|---|
| \`title\` | text, 1–200; required | How it is called |
| \`size\` | number, above 0 |  |
| \`kind\` | \`tall\`, \`wide\`, default \`tall\` | One \\| the other |
| \`ids\` | list of text that matches \`^[a-z]+$\`, at most 1,000 |  |

Errors: 400 \`NAME_INVALID\`, \`NAME_RESERVED\`; 410 \`AGENT_GONE\`.`,
    ],
  ]);
});

test("a route without a body, an answer or errors of its own is one line", () => {
  const { body: _body, response: _response, errors: _errors, ...bare } = route;
  expect(routeParts([{ ...bare, status: 204 }])[0]?.[1]).toBe("Who: member. Answers 204.");
});
