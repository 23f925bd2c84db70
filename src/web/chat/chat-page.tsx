import { type ReactNode, useCallback, useMemo, useRef, useState } from "react";
import { type AgentRow, useAgentStore } from "../hub/agent-store.js";
import { useContact } from "../hub/connection.js";
import { sendLetter } from "../hub/outbox.js";
import { useAgent, useAgents } from "../hub/use-agents.js";
import { EmptyState } from "../parts/empty-state.js";
import { ErrorCard } from "../parts/error-card.js";
import { loadLater } from "../parts/load-later.js";
import { sayCount } from "../parts/say-count.js";
import { Skeleton } from "../parts/skeleton.js";
import { PageFrame } from "../shell/page-frame.js";
import { goTo } from "../shell/places.js";
import { isWaiting } from "./bubble/is-waiting.js";
import type { Message } from "./bubble/mail.js";
import { ChatProvider } from "./chat-context.js";
import { ChatHeader } from "./chat-header.js";
import type { ChatRow } from "./chat-rows.js";
import { Composer, type Letter } from "./composer/composer.js";
import type { Mode, Recipient } from "./composer/outlook.js";
import { ChatDetails } from "./details/chat-details.js";
import { ReadingColumn } from "./reading-column.js";
import { RowView } from "./row-view.js";
import { type Tab, TabBar } from "./tab-bar.js";
import { MailTab } from "./tabs/mail-tab.js";
import { ThreadsTab } from "./tabs/threads-tab.js";
import { TurnsTab } from "./tabs/turns-tab.js";
import { listThreads } from "./thread/list-threads.js";
import { numberTurns } from "./turn/number-turns.js";
import { useChatActs } from "./use-chat-acts.js";
import { useChatKeys } from "./use-chat-keys.js";
import { type ChatData, useChatRows } from "./use-chat-rows.js";
import { useWide } from "./use-wide.js";
import "./chat-page.css";

type Props = {
  agent: AgentRow;
  /** The message that a link leads to, with its number. */
  target: { id: string; seq: number } | undefined;
  /** It is not here any more: what it was told and did can be read, and nothing can be sent to it. */
  hasLeft?: boolean;
};

const ThreadPanel = loadLater(
  { what: "the thread" },
  async () => (await import("./thread/thread-panel.js")).ThreadPanel,
);
const TerminalTab = loadLater(
  { what: "the screen" },
  async () => (await import("./terminal/terminal-tab.js")).TerminalTab,
);

/** What an agent was told, did and answered, and what the person says to it. */
export function ChatPage({ agent, target, hasLeft = false }: Props) {
  const { id, name } = agent;
  const [tab, setTab] = useState<Tab>("chat");
  const [mode, setMode] = useState<Mode>("queue");
  const data = useChatRows({ id, name, isHosted: agent.runtime !== undefined && !hasLeft }, target?.seq);
  const { data: whole } = useAgent(id, { enabled: !hasLeft });
  const recipients = useRecipients();
  const isHubAway = useContact() !== "live";
  const input = useRef<HTMLTextAreaElement>(null);
  const column = useRef<HTMLDivElement>(null);
  const acts = useChatActs(agent, data.mail, input);
  const [goal, setGoal] = useState(() => goalOf(target));
  const focusRow = useCallback((key: string) => setGoal({ key, focus: true }), []);
  const threads = useMemo(() => listThreads(data.mail), [data.mail]);
  const waiting = data.mail.filter((one) => isWaiting(one, agent)).length;
  const { thread } = acts;
  const isWide = useWide();
  useChatKeys({
    rows: data.rows,
    chat: acts.chat,
    column,
    input,
    focusRow,
    thread: { isOpen: thread !== undefined, close: acts.closeThread },
    off: tab !== "chat",
  });

  const send = (letter: Letter) => {
    const to = letter.to === name ? id : letter.to;
    sendLetter({
      to: to === "all" ? null : to,
      text: letter.text,
      attention: letter.attention,
      ...(isParty(acts.replyTo?.message, letter.to) ? { replyTo: letter.replyTo } : {}),
    });
    setGoal(undefined);
  };
  const tabs = [
    { tab: "chat" as const, label: "Chat" },
    ...(agent.tmux === undefined || hasLeft ? [] : [{ tab: "terminal" as const, label: "Terminal" }]),
    { tab: "threads" as const, label: "Threads", count: threads.length },
    { tab: "mail" as const, label: "Mail", count: waiting === 0 ? 0 : sayCount(waiting, data.hasOlderMail) },
    { tab: "turns" as const, label: "Turns", count: data.turnCount },
  ];

  return (
    <ChatProvider value={acts.chat}>
      <PageFrame
        panelLabel={thread === undefined ? "Details" : "Thread"}
        panelWidth={thread === undefined ? 304 : 360}
        panel={
          thread === undefined ? (
            isWide && !hasLeft && <ChatDetails agent={agent} mail={data.mail} turnCount={data.turnCount} />
          ) : (
            <ThreadPanel
              message={thread}
              newest={data.mail.at(-1)?.message.seq ?? 0}
              onClose={acts.closeThread}
            />
          )
        }
      >
        <ChatHeader
          agent={agent}
          role={whole?.role}
          hasLeft={hasLeft}
          onBack={() => goTo({ page: "home" })}
          onInterrupt={() => {
            setTab("chat");
            setMode("interrupt");
            input.current?.focus();
          }}
        />
        <TabBar tabs={tabs} chosen={tab} onChoose={setTab} />
        {data.isPartial && (
          <p className="chat__partial" role="status">
            The hub is reading its journal anew, as it does after an update. Messages are missing here until
            it is done.
          </p>
        )}
        <div className="chat__view" id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
          {tab === "chat" ? (
            <>
              <div className="chat__reading">
                <Reading data={data} name={name}>
                  <ReadingColumn
                    key={`${id} ${target?.seq ?? ""}`}
                    label={`Chat with ${name}`}
                    rows={data.rows}
                    renderRow={(row: ChatRow) => (
                      <RowView row={row} isMarked={row.key === goalOf(target)?.key} />
                    )}
                    onOlder={data.loadOlder}
                    onNewer={data.loadNewer}
                    isHeld={acts.hasOpen}
                    goal={goal}
                    scroller={column}
                  />
                </Reading>
              </div>
              <div className="chat__composer">
                {hasLeft ? (
                  <p className="chat__left">
                    {name} has left: this is what was said to it and what it did. Nothing can be sent to it.
                  </p>
                ) : (
                  <Composer
                    own={agent}
                    recipients={recipients}
                    isHubAway={isHubAway}
                    replyTo={acts.replyTo}
                    onEndReply={acts.endReply}
                    mode={mode}
                    onMode={setMode}
                    onSend={send}
                    input={input}
                  />
                )}
              </div>
            </>
          ) : null}
          {tab === "terminal" ? <TerminalTab agent={agent} /> : null}
          {tab === "threads" ? (
            <ThreadsTab threads={threads} onOpen={(message: Message) => acts.chat.openThread(message)} />
          ) : null}
          {tab === "mail" ? <MailTab mail={data.mail} onOlder={data.loadOlder} /> : null}
          {tab === "turns" ? (
            <TurnsTab
              turns={data.turns}
              numbers={numberTurns(data.turns, data.counted)}
              onOlder={data.loadOlder}
              onGoTo={(turn) => {
                setTab("chat");
                setGoal({ key: `t:${turn}`, focus: false });
              }}
            />
          ) : null}
        </div>
      </PageFrame>
    </ChatProvider>
  );
}

function Reading({ data, name, children }: { data: ChatData; name: string; children: ReactNode }) {
  if (data.rows.length > 0) return children;
  if (data.error !== null && data.error !== undefined)
    return (
      <div className="chat__state">
        <ErrorCard
          title={`The messages of ${name} could not be loaded`}
          error={data.error}
          retry={data.retry}
        />
      </div>
    );
  if (data.isLoading || data.isPartial)
    return (
      <div className="chat__state">
        <Skeleton lines={9} />
      </div>
    );
  return (
    <EmptyState title={`Nothing was said to ${name} yet`} command={`huddle send ${name} "…"`}>
      What you and other agents write to it, what it does and what it answers stands here.
    </EmptyState>
  );
}

function goalOf(target: Props["target"]): { key: string; focus: boolean } | undefined {
  return target === undefined ? undefined : { key: `m:${target.id}`, focus: false };
}

function useRecipients(): readonly Recipient[] {
  const agents = useAgents();
  return useMemo(
    () =>
      agents.map(({ name, backend, state, since, until, paused, runtime }) => ({
        name,
        backend,
        state,
        since,
        until,
        paused,
        pulls: runtime === undefined,
      })),
    [agents],
  );
}

/** A thread goes on among those whose message is answered; to anybody else it is a new message. */
function isParty(answered: Message | undefined, to: string): boolean {
  if (answered === undefined) return false;
  const from = useAgentStore.getState().byId.get(answered.fromSession ?? "")?.name ?? answered.from;
  return to === from || to === answered.to;
}
