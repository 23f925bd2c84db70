import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import { type AgentId, HUMAN_ID } from "../model/agent.js";
import type { ConversationId } from "../model/message.js";
import type { Inbox } from "./inbox.js";
import { createWriteBehind } from "./write-behind.js";

/** A message that an agent was handed, and when in hub time. */
type Handed = { seq: number; at: number; conversation: ConversationId; hop: number };

/** What each agent was handed lately: the causes of what it sends next. */
type HandedMail = View & {
  /** What it was handed since then, newest first; never more than a few. */
  since(agent: AgentId, hubTime: number): Handed[];
};

const CAUSES = 20;
const REMEMBERED = 2000;
/** There is one row per agent. */
const ROW = "mail";

export function createHandedMail(db: Database, inbox: Pick<Inbox, "get">): HandedMail {
  const get = db.prepare<[string], string>("SELECT mail FROM handed WHERE agent = ?").pluck();
  const put = db.prepare("REPLACE INTO handed (agent, mail) VALUES (?, ?)");
  const remove = db.prepare("DELETE FROM handed WHERE agent = ?");

  const rows = createWriteBehind<readonly Handed[]>({
    read: (agent) => toHanded(get.get(agent)),
    write(agent, _, mail) {
      if (mail.length === 0) remove.run(agent);
      else put.run(agent, JSON.stringify(mail));
    },
    remembered: REMEMBERED,
  });
  const handedTo = (agent: AgentId) => rows.get(agent, ROW) ?? [];
  const forgetOf = (agent: AgentId) => rows.set(agent, ROW, []);

  function add(agent: AgentId, handed: Handed) {
    const mail = [handed, ...handedTo(agent).filter(({ seq }) => seq !== handed.seq)];
    if ((mail[1]?.seq ?? 0) > handed.seq) mail.sort((a, b) => b.seq - a.seq);
    rows.set(agent, ROW, mail.slice(0, CAUSES));
  }

  return {
    tables: ["handed"],
    forget: rows.forget,
    trails: rows.trails,
    folds: {
      MessagesOffered({ hubTime, data }) {
        // What it sends from now on is caused by this turn, and no longer by those before it, unless it goes on with one.
        if (data.turn !== undefined && data.continues !== true) forgetOf(data.agent);
        for (const { seq } of data.deliveries) {
          const delivery = inbox.get(seq, data.agent);
          if (delivery === undefined || delivery.conversation === null) continue;
          // The person spoke: what came before is not what the agent acts on now.
          if (delivery.sender === HUMAN_ID) forgetOf(data.agent);
          const { conversation, hop } = delivery;
          add(data.agent, { seq, at: hubTime, conversation, hop });
        }
      },
      AgentDeregistered({ data }) {
        forgetOf(data.agent);
      },
    },
    since: (agent, hubTime) => handedTo(agent).filter(({ at }) => at >= hubTime),
  };
}

function toHanded(json: string | undefined): Handed[] {
  const mail: unknown = json === undefined ? [] : JSON.parse(json);
  // oxlint-disable-next-line typescript/consistent-type-assertions -- written above, and nowhere else
  return mail as Handed[];
}
