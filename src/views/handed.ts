import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import { type AgentId, HUMAN_ID } from "../model/agent.js";
import type { ConversationId } from "../model/message.js";
import type { Inbox } from "./inbox.js";

/** A message that an agent was handed, and when in hub time. */
type Handed = { seq: number; at: number; conversation: ConversationId; hop: number };

/** What each agent was handed lately: the causes of what it sends next. */
type HandedMail = View & {
  /** What it was handed since then, newest first; never more than a few. */
  since(agent: AgentId, hubTime: number): Handed[];
};

const CAUSES = 20;
const REMEMBERED = 10_000;

export function createHandedMail(db: Database, inbox: Pick<Inbox, "get">): HandedMail {
  const get = db.prepare<[string], string>("SELECT mail FROM handed WHERE agent = ?").pluck();
  const put = db.prepare("REPLACE INTO handed (agent, mail) VALUES (?, ?)");
  const remove = db.prepare("DELETE FROM handed WHERE agent = ?");

  /** What the table does not have yet, and what was read from it. */
  const unstored = new Map<AgentId, readonly Handed[]>();
  const known = new Map<AgentId, readonly Handed[]>();

  function to(agent: AgentId): readonly Handed[] {
    return unstored.get(agent) ?? known.get(agent) ?? remember(agent, toHanded(get.get(agent)));
  }
  function remember(agent: AgentId, mail: readonly Handed[]): readonly Handed[] {
    if (known.size >= REMEMBERED) known.clear();
    known.set(agent, mail);
    return mail;
  }
  function add(agent: AgentId, handed: Handed) {
    const mail = [handed, ...to(agent).filter(({ seq }) => seq !== handed.seq)];
    if ((mail[1]?.seq ?? 0) > handed.seq) mail.sort((a, b) => b.seq - a.seq);
    unstored.set(agent, mail.slice(0, CAUSES));
  }

  return {
    tables: ["handed"],
    forget() {
      unstored.clear();
      known.clear();
    },
    trails: {
      store() {
        for (const [agent, mail] of unstored) {
          if (mail.length === 0) remove.run(agent);
          else put.run(agent, JSON.stringify(mail));
          remember(agent, mail);
        }
        unstored.clear();
      },
      unstored: () => unstored.size,
    },
    folds: {
      MessagesOffered({ hubTime, data }) {
        // What it sends from now on is caused by this turn, and no longer by those before it, unless it goes on with one.
        if (data.turn !== undefined && data.continues !== true) unstored.set(data.agent, []);
        for (const { seq } of data.deliveries) {
          const delivery = inbox.get(seq, data.agent);
          if (delivery === undefined || delivery.conversation === null) continue;
          // The person spoke: what came before is not what the agent acts on now.
          if (delivery.sender === HUMAN_ID) unstored.set(data.agent, []);
          const { conversation, hop } = delivery;
          add(data.agent, { seq, at: hubTime, conversation, hop });
        }
      },
      AgentDeregistered({ data }) {
        unstored.set(data.agent, []);
      },
    },
    since: (agent, hubTime) => to(agent).filter(({ at }) => at >= hubTime),
  };
}

function toHanded(json: string | undefined): Handed[] {
  const mail: unknown = json === undefined ? [] : JSON.parse(json);
  // oxlint-disable-next-line typescript/consistent-type-assertions -- written by `store`, and no other hand
  return mail as Handed[];
}
