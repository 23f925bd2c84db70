import {
  type ClientContext,
  type NewSessionRequest,
  PROTOCOL_VERSION,
  RequestError,
} from "@agentclientprotocol/sdk";
import { z } from "zod";
import { quoteLine } from "../../model/others-words.js";
import { type Launch, RuntimeError } from "../runtime.js";
import type { AcpWiring } from "../vendors/vendor.js";

/** Opens the one session of an agent: greets it, takes up the old session or begins one, sets model and mode. */

type OpenSession = { id: string; resumed: boolean };

const greeting = z.looseObject({
  protocolVersion: z.number(),
  agentCapabilities: z
    .looseObject({
      loadSession: z.boolean().nullish(),
      sessionCapabilities: z.looseObject({ resume: z.unknown().optional() }).nullish(),
    })
    .nullish(),
  authMethods: z.array(z.looseObject({ id: z.string(), name: z.string().nullish() })).nullish(),
});
type Greeting = z.infer<typeof greeting>;

const choice = z.object({ value: z.string(), name: z.string().nullish() });
const offers = z.looseObject({
  sessionId: z.string().nullish(),
  modes: z
    .looseObject({ availableModes: z.array(z.looseObject({ id: z.string(), name: z.string().nullish() })) })
    .nullish(),
  /** From before models were configuration options. */
  models: z
    .looseObject({
      availableModels: z.array(z.looseObject({ modelId: z.string(), name: z.string().nullish() })),
    })
    .nullish(),
  configOptions: z
    .array(
      z.looseObject({
        id: z.string(),
        category: z.string().nullish(),
        options: z.array(z.union([choice, z.object({ options: z.array(choice) })])).nullish(),
      }),
    )
    .nullish(),
});
type Offers = z.infer<typeof offers>;

export async function openSession(
  agent: ClientContext,
  { launch, version, wiring }: { launch: Launch; version: string; wiring: AcpWiring },
): Promise<OpenSession> {
  const hello = await greet(agent, launch, { version, files: wiring.ownFiles !== true });
  const params = {
    cwd: launch.cwd,
    // No `env`: one adapter copies it into an argv that everybody can read.
    mcpServers: wiring.servers.map((server) => ({ ...server, env: [] })),
    ...(wiring.meta === undefined ? {} : { _meta: wiring.meta }),
  };
  const taken = launch.resume === undefined ? undefined : await takeUp(agent, launch.resume, params, hello);
  const { id, offered } = taken ?? (await begin(agent, launch, params, hello));
  if (launch.model !== undefined) await setModel(agent, id, launch.model, offered, launch);
  if (launch.backend.mode !== undefined) await setMode(agent, id, launch.backend.mode, offered, launch);
  return { id, resumed: taken !== undefined };
}

async function greet(
  agent: ClientContext,
  launch: Launch,
  { version, files }: { version: string; files: boolean },
): Promise<Greeting> {
  const answer: unknown = await agent.request("initialize", {
    protocolVersion: PROTOCOL_VERSION,
    // Terminals are not served, so not offered: agents run commands themselves.
    clientCapabilities: { fs: { readTextFile: files, writeTextFile: files }, terminal: false },
    clientInfo: { name: "huddle", title: "Huddle", version },
  });
  const hello = greeting.safeParse(answer);
  if (!hello.success) {
    throw new RuntimeError("BACKEND_FAILED", `${launch.backend.name} does not greet as ACP asks.`, {
      answer,
    });
  }
  if (hello.data.protocolVersion !== PROTOCOL_VERSION) {
    const { protocolVersion } = hello.data;
    throw new RuntimeError(
      "BACKEND_FAILED",
      `${launch.backend.name} speaks ACP version ${protocolVersion}, and Huddle version ${PROTOCOL_VERSION}.`,
      { protocolVersion },
    );
  }
  return hello.data;
}

type Opened = { id: string; offered: Offers };

async function begin(
  agent: ClientContext,
  launch: Launch,
  params: NewSessionRequest,
  hello: Greeting,
): Promise<Opened> {
  const answer: unknown = await agent.request("session/new", params).catch((error: unknown) => {
    throw isAuthRequired(error) ? signInFirst(launch, hello) : error;
  });
  const parsed = offers.safeParse(answer);
  const id = parsed.data?.sessionId;
  if (parsed.data === undefined || typeof id !== "string") {
    throw new RuntimeError("BACKEND_FAILED", `${launch.backend.name} began a session without an id.`);
  }
  return { id, offered: parsed.data };
}

/** Undefined when the agent cannot, or does not know the session: then a new one is begun, and it is said. */
async function takeUp(
  agent: ClientContext,
  id: string,
  session: NewSessionRequest,
  { agentCapabilities }: Greeting,
): Promise<Opened | undefined> {
  const params = { ...session, sessionId: id };
  try {
    // `load` replays the history, in which a turn that was lost sight of can be found.
    if (agentCapabilities?.loadSession === true) {
      const answer: unknown = await agent.request("session/load", params);
      return { id, offered: offers.safeParse(answer ?? {}).data ?? {} };
    }
    if (agentCapabilities?.sessionCapabilities?.resume) {
      const answer: unknown = await agent.request("session/resume", params);
      return { id, offered: offers.safeParse(answer ?? {}).data ?? {} };
    }
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
  }
  return undefined;
}

async function setModel(
  agent: ClientContext,
  sessionId: string,
  model: string,
  offered: Offers,
  { backend }: Launch,
): Promise<void> {
  const option = offered.configOptions?.find(({ category, id }) => category === "model" || id === "model");
  const values = (option?.options ?? []).flatMap((entry) => ("value" in entry ? [entry] : entry.options));
  const choices = [
    ...values.map((value) => ({ id: value.value, name: value.name, via: "option" })),
    ...(offered.models?.availableModels ?? []).map((each) => ({
      id: each.modelId,
      name: each.name,
      via: "model",
    })),
  ];
  const wanted = model.toLowerCase();
  const chosen =
    choices.find(({ id }) => id === model) ??
    choices.find(({ id, name }) => id.toLowerCase() === wanted || name?.toLowerCase() === wanted);
  if (chosen === undefined) {
    const available = [...new Set(choices.map(({ id }) => id))];
    const have =
      available.length === 0
        ? "it lets nobody choose one over ACP"
        : `it has ${available.map((id) => quoteLine(id)).join(", ")}`;
    throw new RuntimeError("BACKEND_FAILED", `${backend.name} has no model "${quoteLine(model)}"; ${have}.`, {
      available,
    });
  }
  if (chosen.via === "option" && option !== undefined) {
    await agent.request("session/set_config_option", { sessionId, configId: option.id, value: chosen.id });
  } else {
    await agent.request<unknown>("session/set_model", { sessionId, modelId: chosen.id });
  }
}

async function setMode(
  agent: ClientContext,
  sessionId: string,
  mode: string,
  offered: Offers,
  { backend }: Launch,
): Promise<void> {
  const available = offered.modes?.availableModes.map(({ id }) => id) ?? [];
  if (!available.includes(mode)) {
    const have =
      available.length === 0 ? "it offers none" : `it has ${available.map((id) => quoteLine(id)).join(", ")}`;
    throw new RuntimeError("BACKEND_FAILED", `${backend.name} has no mode "${mode}"; ${have}.`, {
      available,
    });
  }
  await agent.request("session/set_mode", { sessionId, modeId: mode });
}

function isAuthRequired(error: unknown): boolean {
  return error instanceof RequestError && error.code === -32_000;
}

function signInFirst({ backend }: Launch, { authMethods }: Greeting): RuntimeError {
  const ways = authMethods?.map(({ id, name }) => name ?? id) ?? [];
  const offered = ways.length === 0 ? "" : ` It offers: ${ways.map((way) => quoteLine(way)).join(", ")}.`;
  return new RuntimeError(
    "BACKEND_FAILED",
    `${backend.name} is not signed in: run \`${backend.command}\` once in a terminal and sign in.${offered}`,
    { authMethods: ways },
  );
}
