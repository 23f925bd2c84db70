import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { z } from "zod";
import { parseJson } from "../../model/parse-json.js";
import { readLines } from "../process/read-lines.js";
import type { AgentProcess } from "../process/spawn-agent.js";

/*
 * ACP over an agent's pipes, as one JSON text per line. The SDK has such a stream too; this one is for agents that
 * misbehave: what is not JSON-RPC, and answers to questions that nobody asked, are noted and dropped. Updates go straight
 * to `update`: through the SDK the last of a turn could come after the turn's end, which is handled with less delay.
 */

type StreamListener = {
  update(params: unknown): void;
  /** The message is written whole to the agent's input. */
  written(method: string): void;
};

const shape = z.looseObject({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
});

export function createMessageStream(agent: AgentProcess, listener: StreamListener): Stream {
  /** Ids of our requests that are not answered yet. */
  const asked = new Set<unknown>();

  function receive(line: string): AnyMessage | undefined {
    const text = line.trim();
    if (text === "") return undefined;
    const parsed = shape.safeParse(parseJson(text));
    if (!parsed.success) return noise(text);
    const { id, method } = parsed.data;
    if (method === "session/update" && id === undefined) {
      update(parsed.data["params"]);
      return undefined;
    }
    if (method === undefined && !asked.delete(id)) return noise(text);
    // oxlint-disable-next-line typescript/consistent-type-assertions -- the SDK checks the rest of what it is given
    return parsed.data as AnyMessage;
  }

  function update(params: unknown): void {
    try {
      listener.update(params);
    } catch (error) {
      agent.note(`an update that cannot be read: ${String(error)}\n`);
    }
  }

  function noise(text: string): undefined {
    agent.note(`${text.slice(0, 500)}\n`);
  }

  async function* messages(): AsyncGenerator<AnyMessage> {
    for await (const line of readLines(agent.stdout)) {
      const message = receive(line);
      if (message !== undefined) yield message;
    }
  }

  return {
    readable: ReadableStream.from(messages()),
    writable: new WritableStream<AnyMessage>({
      async write(message) {
        const method = "method" in message ? message.method : undefined;
        if (method !== undefined && "id" in message) asked.add(message.id);
        await writeLine(agent, JSON.stringify(message));
        if (method !== undefined) listener.written(method);
      },
    }),
  };
}

function writeLine({ stdin }: AgentProcess, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stdin.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
  });
}
