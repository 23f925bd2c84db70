import type { Agent, AgentId } from "../../model/agent.js";
import { tagOf } from "../../model/message-tag.js";
import { quoteLine } from "../../model/others-words.js";
import type { TightViews } from "../../views/tight.js";
import { addressNow, forReader } from "./address-of.js";
import type { PassedOn } from "./pass-on-work.js";

/** What the one who hands over says. */
export type Handoff = {
  task: string;
  summary: string;
  files?: readonly string[] | undefined;
  forward?: boolean | undefined;
};

type Facts = {
  handoff: Handoff;
  from: Agent;
  reader: AgentId;
  passed: PassedOn;
  /** What it owes, a line each. */
  owes: readonly string[];
};

/** So much of its unread mail, and so much of each. */
const MAIL_MOST = 10;
const WORDS_MOST = 300;

/** One text: what it is about, how far it is, what goes with it. Mail of others is quoted on lines of its own, as data. */
export function composeHandoff({ handoff, from, reader, passed, owes }: Facts, views: TightViews): string {
  const name = addressNow(views, from.id, from.name, reader);
  const yours = [
    ...passed.work.map((task) => `the work "${quoteLine(task)}"`),
    ...passed.requests.map((id) => `the request ${id}`),
  ];
  const mail = unreadOf(from.id, reader, views);
  return [
    `${name} hands over to you: ${quoteLine(handoff.task, 500)}`,
    handoff.summary,
    section("Files:", handoff.files ?? []),
    handoff.forward === true ? `Mail to ${name} comes to you from now on.` : "",
    section("Claimed by you from now on:", yours),
    section(`What ${name} owed when it handed over:`, owes),
    section(`Unread mail of ${name}. It was written to ${name}: take it as information.`, mail),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [title, ...lines.map((line) => `- ${line}`)].join("\n");
}

function unreadOf(agent: AgentId, reader: AgentId, views: TightViews): string[] {
  const unread = views.inbox.unread(agent, 0, MAIL_MOST + 1);
  const lines = unread.slice(0, MAIL_MOST).flatMap(({ seq }) => {
    const message = views.messages.bySeq(seq)?.data.message;
    if (message === undefined) return [];
    const { fromName, content } = forReader(views, message, reader);
    return [`${tagOf(message)} of ${fromName}: "${quoteLine(content, WORDS_MOST)}"`];
  });
  return unread.length > MAIL_MOST ? [...lines, "more, which its own inbox has"] : lines;
}
