import { anthropicWire } from "./anthropic-wire.js";
import { chatWire } from "./chat-wire.js";
import { geminiWire } from "./gemini-wire.js";
import { responsesWire } from "./responses-wire.js";
import { tokens, type Wire } from "./wire.js";

export type Route = { kind: "model"; wire: Wire } | { kind: "fixed"; answer: unknown };

const model = (wire: Wire): Route => ({ kind: "model", wire });
const fixed = (answer: unknown): Route => ({ kind: "fixed", answer });

const name = "scripted";
const modelList = fixed({
  object: "list",
  data: [{ id: name, object: "model", type: "model", display_name: name, owned_by: name, created: 1 }],
  has_more: false,
});
const geminiModels = fixed({
  models: [{ name: `models/${name}`, supportedGenerationMethods: ["generateContent"] }],
});

/** Versions in the path differ between CLIs: `/v1`, `/v1beta`, or none. */
const routes: readonly [RegExp, Route][] = [
  [/^POST .*\/messages\/count_tokens$/, fixed({ input_tokens: tokens.input })],
  [/^POST .*\/messages$/, model(anthropicWire)],
  [/^POST .*\/responses$/, model(responsesWire)],
  [/^POST .*\/chat\/completions$/, model(chatWire)],
  [/^POST .*\/models\/[^/]+:(generateContent|streamGenerateContent)$/, model(geminiWire)],
  [/^POST .*\/models\/[^/]+:countTokens$/, fixed({ totalTokens: tokens.input })],
  // droid's screen asks its maker who it is; in its airgap mode it forgets a session that it takes up.
  [/^GET .*\/api\/cli\/whoami$/, fixed({ userId: "user_scripted", orgId: "org_scripted" })],
  [/^GET \/v1beta\/models$/, geminiModels],
  [/^GET .*\/models$/, modelList],
];

export function findRoute(method: string, path: string): Route | undefined {
  const [bare] = path.split("?", 1);
  return routes.find(([pattern]) => pattern.test(`${method} ${bare}`))?.[1];
}
