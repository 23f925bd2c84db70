import type { AgentHost } from "../runtime.js";
import type { Ask } from "./headless-form.js";

/*
 * Permissions that a CLI asks for in one turn. Each is answered once: by the host, or with nothing decided when the turn is
 * cut or over. Huddle's own tools are granted without asking anybody.
 */

type Asks = {
  ask(ask: Ask): void;
  withdraw(id: string): void;
  /** Answers what is open, and all that comes later, with nothing decided. */
  close(): void;
};

const most = 64;

export function createAsks(host: Pick<AgentHost, "permission">, send: (line: unknown) => void): Asks {
  const open = new Map<string, AbortController>();
  let closed = false;

  async function decide({ request, isOwnTool }: Ask, signal: AbortSignal): Promise<string | undefined> {
    const once = request.options.find(({ grants }) => grants === "once");
    if (isOwnTool && once !== undefined) return once.id;
    const answer = await host.permission({ ...request, signal });
    return answer === "cancelled" ? undefined : answer.option;
  }

  return {
    ask(ask) {
      if (closed || open.size >= most || open.has(ask.id)) return send(ask.answer(undefined));
      const gone = new AbortController();
      open.set(ask.id, gone);
      void decide(ask, gone.signal)
        .catch(() => undefined)
        .then((option) => {
          const isWanted = open.get(ask.id) === gone;
          open.delete(ask.id);
          if (isWanted) send(ask.answer(option));
        });
    },
    withdraw(id) {
      const gone = open.get(id);
      open.delete(id);
      gone?.abort();
    },
    close() {
      closed = true;
      for (const gone of open.values()) gone.abort();
    },
  };
}
