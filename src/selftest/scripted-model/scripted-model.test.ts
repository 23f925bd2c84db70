import { describe, expect, onTestFinished, test } from "vitest";
import { type ScriptedModel, startScriptedModel } from "./scripted-model.js";
import { call, hold, say } from "./step.js";
import type { ApiName } from "./wire.js";

/* The scripted model is asked as the four APIs' own documents say, and read as their clients do. */

type Turn = { user: string } | { call: string } | { result: string };
type Reply = { text: string; tool: string | undefined; args: unknown };
type Dialect = {
  path(stream: boolean): string;
  body(turns: readonly Turn[], stream: boolean, tools: readonly string[]): unknown;
  whole(json: unknown): Reply;
  streamed(events: readonly unknown[]): Reply;
};

const schema = { type: "object", properties: { to: { type: "string" }, message: { type: "string" } } };
const tool = "mcp__huddle__send_message";

type AnthropicBlock = { type: string; text?: string; name?: string; input?: unknown };
type AnthropicEvent = {
  type: string;
  content_block?: AnthropicBlock;
  delta?: { text?: string; partial_json?: string };
};
type ResponsesItem = { type: string; name?: string; arguments?: string; content?: { text: string }[] };
type ChatMessage = {
  content?: string | null;
  tool_calls?: { function: { name: string; arguments: string } }[];
};
type GeminiAnswer = {
  candidates: {
    content: {
      parts: { text?: string; thought?: boolean; functionCall?: { name: string; args: unknown } }[];
    };
    finishReason?: string;
  }[];
};

const dialects: Record<ApiName, Dialect> = {
  anthropic: {
    path: () => "/v1/messages?beta=true",
    body: (turns, stream, tools) => ({
      model: "claude-x",
      max_tokens: 1000,
      stream,
      tools: tools.map((name) => ({ name, input_schema: schema })),
      messages: turns.map((turn) => {
        if ("user" in turn) return { role: "user", content: turn.user };
        if ("call" in turn)
          return { role: "assistant", content: [{ type: "tool_use", id: "t1", name: turn.call, input: {} }] };
        const content = [{ type: "text", text: turn.result }];
        return { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content }] };
      }),
    }),
    whole(json) {
      const { content } = json as { content: AnthropicBlock[] };
      const use = content.find(({ type }) => type === "tool_use");
      const text = content.map((block) => block.text ?? "").join("");
      return { text, tool: use?.name, args: use?.input };
    },
    streamed(events) {
      const all = events as AnthropicEvent[];
      expect(all.at(0)?.type).toBe("message_start");
      expect(all.at(-1)?.type).toBe("message_stop");
      const json = all.map(({ delta }) => delta?.partial_json ?? "").join("");
      return {
        text: all.map(({ delta }) => delta?.text ?? "").join(""),
        tool: all.find(({ content_block }) => content_block?.type === "tool_use")?.content_block?.name,
        args: json === "" ? undefined : (JSON.parse(json) as unknown),
      };
    },
  },
  responses: {
    path: () => "/v1/responses",
    body: (turns, stream, tools) => ({
      model: "gpt-x",
      instructions: "Be scripted.",
      stream,
      tools: tools.map((name) => ({ type: "function", name, parameters: schema })),
      input: turns.map((turn) => {
        if ("user" in turn)
          return { type: "message", role: "user", content: [{ type: "input_text", text: turn.user }] };
        if ("call" in turn) return { type: "function_call", call_id: "c1", name: turn.call, arguments: "{}" };
        return { type: "function_call_output", call_id: "c1", output: turn.result };
      }),
    }),
    whole: (json) => readItems((json as { output: ResponsesItem[] }).output),
    streamed(events) {
      const all = events as { type: string; response?: { output: ResponsesItem[] }; delta?: string }[];
      expect(all.at(0)?.type).toBe("response.created");
      expect(all.at(-1)?.type).toBe("response.completed");
      return readItems(all.at(-1)?.response?.output ?? []);
    },
  },
  chat: {
    path: () => "/v1/chat/completions",
    body: (turns, stream, tools) => ({
      model: "gpt-x",
      stream,
      tools: tools.map((name) => ({ type: "function", function: { name, parameters: schema } })),
      messages: [
        { role: "system", content: "Be scripted." },
        ...turns.map((turn) => {
          if ("user" in turn) return { role: "user", content: [{ type: "text", text: turn.user }] };
          if ("call" in turn) {
            const tool_calls = [
              { id: "c1", type: "function", function: { name: turn.call, arguments: "{}" } },
            ];
            return { role: "assistant", content: null, tool_calls };
          }
          return { role: "tool", tool_call_id: "c1", content: turn.result };
        }),
      ],
    }),
    whole: (json) =>
      readChat((json as { choices: { message: ChatMessage }[] }).choices.map(({ message }) => message)),
    streamed(events) {
      expect(events.at(-1)).toBe("[DONE]");
      const chunks = events.slice(0, -1) as { choices: { delta: ChatMessage }[] }[];
      return readChat(chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta)));
    },
  },
  gemini: {
    path: (stream) =>
      `/v1beta/models/gemini-x:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: (turns, _, tools) => ({
      systemInstruction: { parts: [{ text: "Be scripted." }] },
      tools: [{ functionDeclarations: tools.map((name) => ({ name, parametersJsonSchema: schema })) }],
      contents: turns.map((turn) => {
        if ("user" in turn) return { role: "user", parts: [{ text: turn.user }] };
        if ("call" in turn)
          return { role: "model", parts: [{ functionCall: { name: turn.call, args: {} } }] };
        const functionResponse = { name: "any", response: { output: turn.result } };
        return { role: "user", parts: [{ functionResponse }] };
      }),
    }),
    whole: (json) => readGemini([json as GeminiAnswer]),
    streamed(events) {
      const all = events as GeminiAnswer[];
      expect(all.at(-1)?.candidates[0]?.finishReason).toBe("STOP");
      return readGemini(all);
    },
  },
};

function readItems(items: readonly ResponsesItem[]): Reply {
  const made = items.find(({ type }) => type === "function_call");
  return {
    text: items.flatMap(({ content = [] }) => content.map(({ text }) => text)).join(""),
    tool: made?.name,
    args: made?.arguments === undefined ? undefined : (JSON.parse(made.arguments) as unknown),
  };
}

function readChat(messages: readonly ChatMessage[]): Reply {
  const made = messages.flatMap(({ tool_calls = [] }) => tool_calls)[0]?.function;
  return {
    text: messages.map(({ content }) => content ?? "").join(""),
    tool: made?.name,
    args: made === undefined ? undefined : (JSON.parse(made.arguments) as unknown),
  };
}

function readGemini(answers: readonly GeminiAnswer[]): Reply {
  const parts = answers.flatMap(({ candidates }) => candidates.flatMap(({ content }) => content.parts));
  const made = parts.find(({ functionCall }) => functionCall !== undefined)?.functionCall;
  const spoken = parts.filter(({ thought }) => thought !== true);
  return { text: spoken.map(({ text }) => text ?? "").join(""), tool: made?.name, args: made?.args };
}

async function openModel(): Promise<ScriptedModel> {
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  return model;
}

async function ask(url: string, api: ApiName, turns: readonly Turn[], stream: boolean): Promise<Reply> {
  const dialect = dialects[api];
  const response = await fetch(url + dialect.path(stream), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(dialect.body(turns, stream, ["Bash", tool])),
  });
  expect(response.status).toBe(200);
  if (!stream) return dialect.whole(await response.json());
  const text = await response.text();
  const events = text.split("\n\n").flatMap((event) => /^data: (.*)$/m.exec(event)?.[1] ?? []);
  return dialect.streamed(events.map((data) => (data === "[DONE]" ? data : (JSON.parse(data) as unknown))));
}

const ways = (Object.keys(dialects) as ApiName[]).flatMap((api) =>
  [true, false].map((stream) => ({ api, stream })),
);

describe.each(ways)("$api, streamed: $stream", ({ api, stream }) => {
  test("a directive to say something is followed", async () => {
    const { url } = await openModel();
    const reply = await ask(url, api, [{ user: "Please <<think hm>> <<say hello>> now" }], stream);
    expect(reply).toEqual({ text: "hello", tool: undefined, args: undefined });
  });

  test("a text without directives is echoed", async () => {
    const { url } = await openModel();
    expect((await ask(url, api, [{ user: "good morning" }], stream)).text).toBe("echo: good morning");
  });

  test("a tool is called by the name under which it was offered, and the script goes on behind its result", async () => {
    const { url } = await openModel();
    const prompt = { user: '<<call send_message {"to":"bob","message":"{\\"a\\":[1]}"}>> <<say sent>>' };
    const first = await ask(url, api, [prompt], stream);
    expect(first).toEqual({ text: "", tool, args: { to: "bob", message: '{"a":[1]}' } });
    const second = await ask(url, api, [prompt, { call: tool }, { result: '{"ok":true}' }], stream);
    expect(second).toEqual({ text: "sent", tool: undefined, args: undefined });
  });

  test("mail in a tool's result makes its reader act, and fills in the id to reply to", async () => {
    const { url } = await openModel();
    const mail = 'do <<call send_message {"to":"alice","reply_to":"{{messages.0.id}}"}>> <<say answered>>';
    const result = `Took 3 ms\n${JSON.stringify({ messages: [{ id: "m1", content: mail }] })}`;
    const turns = [{ user: "<<call check_messages>> <<say all done>>" }, { call: "check" }, { result }];
    const answer = await ask(url, api, turns, stream);
    expect(answer).toEqual({ text: "", tool, args: { to: "alice", reply_to: "m1" } });
    const after = await ask(url, api, [...turns, { call: tool }, { result: "{}" }], stream);
    expect(after.text).toBe("answeredall done");
  });

  test("a rule of the test goes by what the conversation shows", async () => {
    const model = await openModel();
    model.on(/from (\w+)/, ({ match }) => [call("send_message", { to: match[1] })]);
    model.on(/from/, [say("not here")], "elsewhere");
    const turns = [{ user: "look" }, { call: "check" }, { result: '{"text":"mail from carol"}' }];
    expect((await ask(model.url, api, turns, stream)).args).toEqual({ to: "carol" });
  });

  test("an error comes as often as asked, then the script goes on", async () => {
    const { url, requests } = await openModel();
    const body = dialects[api].body([{ user: "<<error 503 1>> <<say better>>" }], stream, [tool]);
    const response = await fetch(url + dialects[api].path(stream), {
      method: "POST",
      body: JSON.stringify(body),
    });
    expect([response.status, await response.json()]).toMatchObject([503, { error: {} }]);
    expect(requests.all[0]?.outcome).toEqual({ kind: "error", status: 503 });
    expect((await ask(url, api, [{ user: "<<error 503 1>> <<say better>>" }], stream)).text).toBe("better");
  });

  test("a held script goes on when it is released, and a client that leaves is noticed", async () => {
    const model = await openModel();
    model.on(/wait here/, [say("before "), hold("gate"), say("after")]);
    const open = ask(model.url, api, [{ user: "wait here" }], stream);
    const leaving = new AbortController();
    const left = fetch(model.url + dialects[api].path(stream), {
      method: "POST",
      body: JSON.stringify(dialects[api].body([{ user: "wait here, too" }], stream, [tool])),
      signal: leaving.signal,
    }).then((response) => response.text());
    await model.requests.waitFor("both", ({ number }) => number === 2);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await model.requests.waitFor("the cut", ({ outcome }) => outcome.kind === "cut");
    model.release("gate");
    expect((await open).text).toBe("before after");
  });

  test("a request without tools is a side call: scripts leave it alone", async () => {
    const { url, requests } = await openModel();
    const { path, body, whole } = dialects[api];
    const response = await fetch(url + path(false), {
      method: "POST",
      body: JSON.stringify(body([{ user: "Title for: <<error 500>> <<call send_message>>" }], false, [])),
    });
    expect(whole(await response.json())).toMatchObject({ text: "Scripted conversation", tool: undefined });
    expect([requests.all.length, requests.main().length]).toEqual([1, 0]);
  });

  test("what the model was shown is kept, by lane", async () => {
    const model = await openModel();
    await ask(model.laneUrl("a"), api, [{ user: "the word is heron" }], stream);
    await ask(model.laneUrl("b"), api, [{ user: "the word is owl" }], stream);
    expect(model.requests.timesShown("heron", "a")).toBe(1);
    expect(model.requests.timesShown("heron", "b")).toBe(0);
    expect(model.requests.main("b")[0]?.conversation.tools.map(({ name }) => name)).toEqual(["Bash", tool]);
  });
});

test("a remark of the CLI beside a tool's result starts a script on top; the user's words end every other", async () => {
  const { url } = await openModel();
  const start = [{ user: "<<call send_message>> <<say first>>" }, { call: tool }] as const;
  const remark = { user: "<system-reminder>new mail: <<say noted >></system-reminder>" };
  const withRemark = await ask(url, "chat", [...start, { result: "ok" }, remark], false);
  expect(withRemark.text).toBe("notedfirst");
  const withWords = await ask(url, "chat", [...start, { result: "ok" }, { user: "stop <<say ok>>" }], false);
  expect(withWords.text).toBe("ok");
});

test("a tool that was only named is searched for, which is no step of the script", async () => {
  const { url } = await openModel();
  const named = "Deferred tools:\nhuddle___list_agents";
  const body = (turns: readonly Turn[], tools: readonly string[]) => ({
    method: "POST",
    body: JSON.stringify(dialects.chat.body(turns, false, tools)),
  });
  const prompt = { user: `<<call list_agents>> <<say listed>>\n${named}` };
  const path = url + dialects.chat.path(false);
  const search = await fetch(path, body([prompt], ["ToolSearch"]));
  expect(dialects.chat.whole(await search.json())).toMatchObject({
    tool: "ToolSearch",
    args: { query: "select:huddle___list_agents" },
  });
  const turns = [prompt, { call: "ToolSearch" }, { result: "Loaded 1 tool" }];
  const found = await fetch(path, body(turns, ["ToolSearch", "huddle___list_agents"]));
  expect(dialects.chat.whole(await found.json()).tool).toBe("huddle___list_agents");
});

test("side calls of the CLIs are answered in their own shapes, and what no API has is not found", async () => {
  const { url, paths } = await openModel();
  const post = (path: string, body: unknown) =>
    fetch(url + path, { method: "POST", body: JSON.stringify(body) });
  expect(await (await post("/v1/messages/count_tokens", {})).json()).toEqual({ input_tokens: 100 });
  expect(await (await post("/v1beta/models/x:countTokens", {})).json()).toEqual({ totalTokens: 100 });
  expect(await (await fetch(`${url}/v1/models`)).json()).toMatchObject({ data: [{ id: "scripted" }] });
  expect((await post("/api/ingest", {})).status).toBe(404);
  expect((await post("/v1/messages", { nonsense: true })).status).toBe(400);
  const responseJsonSchema = {
    type: "object",
    properties: {
      score: { type: "integer", minimum: 1 },
      why: { type: "string" },
      kind: { enum: ["a", "b"] },
    },
  };
  const structured = await post("/v1beta/models/x:generateContent", {
    contents: [{ role: "user", parts: [{ text: "rate this" }] }],
    generationConfig: { responseJsonSchema },
  });
  expect(JSON.parse(dialects.gemini.whole(await structured.json()).text)).toEqual({
    score: 1,
    why: "scripted",
    kind: "a",
  });
  expect(paths).toHaveLength(6);
});
