import type { Answer, Caller, CallOptions } from "./http-call.js";

/** An agent of a hub, driven over plain HTTP. Its identity outlives the hub's process, so it can go on elsewhere. */
export type Identity = { id: string; name: string; token: string };

export type InboxMessage = {
  id: string;
  seq: number;
  from: string;
  to: string;
  content: string;
  repeated?: true;
};

export type Member = Identity & {
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  send(to: string, message: string, fields?: Record<string, unknown>): Promise<Answer>;
  inbox(query?: string): Promise<InboxMessage[]>;
  ack(ids: readonly string[]): Promise<Answer>;
  receipt(id: string): Promise<Answer>;
};

export async function registerAgent(
  http: Caller,
  token: string,
  fields: Record<string, unknown> = {},
): Promise<Member> {
  const answer = await http.call("POST", "/api/agents", { token, body: fields });
  if (answer.status !== 201) throw new Error(`not registered: ${answer.status} ${answer.text}`);
  const { id, name, token: own } = answer.json as Identity;
  return memberAt(http, { id, name, token: own });
}

/** The same agent, at a hub that may have been restarted. */
export function memberAt(http: Caller, { id, name, token }: Identity): Member {
  const call = (method: string, path: string, options: CallOptions = {}) =>
    http.call(method, path, { token, ...options });
  return {
    id,
    name,
    token,
    call,
    send: (to, message, fields = {}) =>
      call("POST", `/api/agents/${to}/messages`, { body: { message, ...fields } }),
    async inbox(query = "") {
      const answer = await call("GET", `/api/inbox${query}`);
      if (answer.status !== 200) throw new Error(`inbox: ${answer.status} ${answer.text}`);
      return answer.json["messages"] as InboxMessage[];
    },
    ack: (ids) => call("POST", "/api/inbox/ack", { body: { ids } }),
    receipt: (id) => call("GET", `/api/messages/${id}`),
  };
}

/** Reads and acknowledges until nothing is left; returns all of it in the order it came. */
export async function drainInbox(member: Member): Promise<InboxMessage[]> {
  const all: InboxMessage[] = [];
  const read = new Set<number>();
  for (;;) {
    const page = await member.inbox();
    if (page.length === 0) return all;
    // Otherwise a hub that gives the same mail again and again would be read for ever.
    if (page.every(({ seq }) => read.has(seq)))
      throw new Error(`acknowledged, and there again: ${page.map(({ id }) => id).join(", ")}`);
    for (const { seq } of page) read.add(seq);
    all.push(...page);
    for (let i = 0; i < page.length; i += 1000) {
      const answer = await member.ack(page.slice(i, i + 1000).map(({ id }) => id));
      if (answer.status !== 200) throw new Error(`ack: ${answer.status} ${answer.text}`);
    }
  }
}

/** The newest sequence number of the journal. */
export async function journalSeq(http: Caller, token: string): Promise<number> {
  const answer = await http.call("GET", "/api/health", { token });
  return (answer.json["journal"] as { seq: number }).seq;
}
