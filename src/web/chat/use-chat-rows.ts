import { useMemo } from "react";
import { useShallow } from "zustand/react/shallow";
import { useContact } from "../hub/connection.js";
import { useLive } from "../hub/live-feed.js";
import { type Outgoing, useOutbox } from "../hub/outbox.js";
import { useAgentMessages, useTurns } from "../hub/use-history.js";
import type { Mail } from "./bubble/mail.js";
import { type ChatRow, listRows, type Unsent } from "./chat-rows.js";
import { toMail } from "./mail-of-history.js";
import type { TurnCount } from "./turn/number-turns.js";
import { joinTurns, showLive, showTurn, type TurnShown } from "./turn/turn-shown.js";
import { useTurnCount } from "./use-turn-count.js";

type Own = { id: string; name: string; isHosted: boolean };

export type ChatData = {
  rows: readonly ChatRow[];
  /** Oldest first. */
  mail: readonly Mail[];
  turns: readonly TurnShown[];
  turnCount: number | undefined;
  counted: TurnCount | undefined;
  isLoading: boolean;
  /** The hub reads its journal anew: what is not here yet comes. */
  isPartial: boolean;
  hasOlderMail: boolean;
  error: unknown;
  retry: () => void;
  loadOlder: (() => void) | undefined;
  loadNewer: (() => void) | undefined;
};

/** All that the chat of an agent shows. `around`: the `seq` of a message that it is to begin at. */
export function useChatRows(own: Own, around: number | undefined): ChatData {
  const { id, name, isHosted } = own;
  const history = useAgentMessages(id, { around });
  const journal = useTurns(id);
  const live = useLive(isHosted ? id : undefined);
  const contact = useContact();
  const isHubAway = contact === "unknown";
  const outgoing = useOutbox(useShallow(({ items }) => items.filter(({ to }) => to === id || to === name)));

  const mail = useMemo(() => history.messages.map(toMail).toReversed(), [history.messages]);
  const journalled = useMemo(
    () => (journal.data?.pages ?? []).flatMap(({ turns }) => turns.map((turn) => showTurn(turn, isHubAway))),
    [journal.data, isHubAway],
  );
  const turns = useMemo(() => {
    const all = joinTurns(journalled, live === undefined ? undefined : showLive(live, isHubAway));
    return all.sort((a, b) => Date.parse(a.started) - Date.parse(b.started));
  }, [journalled, live, isHubAway]);
  const olderMail = history.hasNextPage;
  const olderTurns = journal.hasNextPage;
  const counted = useTurnCount(id, turns.findLast(({ ended }) => ended !== null)?.turn, olderTurns);
  const newestTurn = turns.at(-1)?.turn;
  const turnCount = useMemo(
    () => (olderTurns || newestTurn === undefined ? counted : { turn: newestTurn, count: turns.length }),
    [olderTurns, newestTurn, counted, turns.length],
  );
  const unsent = useMemo(() => listUnsent(outgoing, mail, contact === "live"), [outgoing, mail, contact]);
  const rows = useMemo(
    () =>
      listRows({
        own: { id, name },
        mail,
        turns,
        older: { mail: olderMail, turns: olderTurns },
        unsent,
        turnCount,
        now: Date.now(),
      }),
    [id, name, mail, turns, olderMail, olderTurns, unsent, turnCount],
  );

  const canLoadMail = olderMail && !history.isFetchingNextPage;
  const canLoadTurns = olderTurns && !journal.isFetchingNextPage;
  return {
    rows,
    mail,
    turns,
    turnCount: turnCount === undefined ? undefined : countAll(turns, turnCount),
    counted: turnCount,
    isLoading: history.isPending || journal.isPending,
    isPartial: history.isPartial,
    hasOlderMail: olderMail,
    error: history.error ?? journal.error,
    retry: () => {
      void history.refetch();
      void journal.refetch();
    },
    loadOlder:
      canLoadMail || canLoadTurns
        ? () => {
            if (canLoadMail) void history.fetchNextPage();
            if (canLoadTurns) void journal.fetchNextPage();
          }
        : undefined,
    loadNewer:
      history.hasPreviousPage && !history.isFetchingPreviousPage
        ? () => void history.fetchPreviousPage()
        : undefined,
  };
}

function countAll(turns: readonly TurnShown[], { turn, count }: { turn: string; count: number }): number {
  const at = turns.findIndex((one) => one.turn === turn);
  return at === -1 ? count : count + turns.length - 1 - at;
}

/** What is in the history already is not shown twice. */
function listUnsent(outgoing: readonly Outgoing[], mail: readonly Mail[], isLive: boolean): Unsent[] {
  const arrived = new Set(mail.map(({ message }) => message.id));
  return outgoing
    .filter(({ id }) => !arrived.has(id))
    .map(({ id, to, text, at, state, attention = "queue" }) => ({
      id,
      to: to ?? "all",
      text,
      at: new Date(at).toISOString(),
      attention,
      state: stateOf(state.kind, isLive),
      ...(state.kind === "refused" ? { error: state.why } : {}),
    }));
}

/** What leaves while the hub is there looks sent at once: most are, within a moment. */
function stateOf(kind: Outgoing["state"]["kind"], isLive: boolean): Unsent["state"] {
  if (kind === "sent") return "sending";
  if (kind === "sending") return isLive ? "sending" : "trying";
  return isLive && kind === "waiting" ? "sending" : "waiting";
}
