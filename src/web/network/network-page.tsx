import { RefreshCcw } from "lucide-react";
import { useCallback, useMemo, useRef, useState } from "react";
import { useCanAct } from "../hub/connection.js";
import { useMessage } from "../hub/use-history.js";
import { IconButton } from "../parts/button.js";
import { EmptyState } from "../parts/empty-state.js";
import { ErrorCard } from "../parts/error-card.js";
import { loadLater } from "../parts/load-later.js";
import { SegmentedControl } from "../parts/segmented-control.js";
import { Skeleton } from "../parts/skeleton.js";
import { PageFrame } from "../shell/page-frame.js";
import { PageHead } from "../shell/page-head.js";
import { useTitle } from "../shell/page-title.js";
import { goTo } from "../shell/places.js";
import { usePhone } from "../shell/use-phone.js";
import { useSize } from "../shell/use-size.js";
import { ConversationRows } from "./conversation-rows.js";
import { NetworkGraph } from "./graph/network-graph.js";
import { layOutAnew } from "./graph/use-places.js";
import { HeldList } from "./held-list.js";
import { NetworkFigures } from "./network-figures.js";
import "./network-page.css";
import { pairKey } from "./pair.js";
import { PairCards, PairTable } from "./pair-table.js";
import { keysOf, listSelectable, moveSelection, type Selection } from "./selection.js";
import { ConversationSelection, newestHeld, PairSelection } from "./selection-card.js";
import { showRow } from "./show-row.js";
import { useConversation } from "./use-network.js";
import { useNetworkActs } from "./use-network-acts.js";
import { useNetworkData } from "./use-network-data.js";
import { useNetworkKeys } from "./use-network-keys.js";
import { type NetworkView, useNetworkView } from "./use-network-view.js";

const viewNames = { both: "Both", table: "Table", graph: "Graph" } as const;

const ThreadPanel = loadLater(
  { what: "the thread" },
  async () => (await import("../chat/thread/thread-panel.js")).ThreadPanel,
);

/** Who talks to whom, how fast, and what is held back. `conversation`: the one that a link leads to. */
export function NetworkPage({ conversation }: { conversation: string | undefined }) {
  useTitle("Network");
  const isPhone = usePhone();
  const head = useRef<HTMLElement>(null);
  const { view, choices, setView, nextView } = useNetworkView(useSize(head)?.width);
  const data = useNetworkData();
  const { pairs, conversations, pingPongs, rings, held } = data;
  const scroller = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string>();
  const selection = useMemo<Selection | undefined>(
    () =>
      conversation !== undefined
        ? { kind: "conversation", id: conversation }
        : chosen === undefined
          ? undefined
          : { kind: "pair", key: chosen },
    [conversation, chosen],
  );
  const [thread, setThread] = useState<string>();
  const acts = useNetworkActs();
  const canAct = useCanAct();

  const isLinked = conversation !== undefined;
  const selectPair = useCallback(
    (key: string) => {
      setChosen(key);
      if (isLinked) goTo({ page: "network" }, { replace: true });
    },
    [isLinked],
  );
  const selectConversation = useCallback(
    (id: string) => goTo({ page: "network", id }, { replace: true }),
    [],
  );
  const pair = selection?.kind === "pair" ? pairs.find((one) => pairKey(one) === selection.key) : undefined;
  const talkId = selection?.kind === "conversation" ? selection.id : (pair?.conversation ?? null);
  const { data: talk } = useConversation(talkId);
  const heldOf = useMemo(() => newestHeld(held?.held ?? []), [held]);
  const selectedKeys = useMemo(
    () => keysOf(selection, talk?.participants ?? [], rings),
    [selection, talk?.participants, rings],
  );

  const select = (next: Selection | undefined) => {
    if (next === undefined) return;
    if (next.kind === "pair") selectPair(next.key);
    else selectConversation(next.id);
    showRow(next, pairs, scroller.current);
  };
  useNetworkKeys({
    move: (step) => select(moveSelection(listSelectable(pairs, conversations), selection, step)),
    openThread: () => {
      const message =
        pair === undefined
          ? (talk?.last ?? talk?.first)?.id
          : (heldOf.get(pairKey(pair))?.id ?? pair.message);
      if (message !== undefined && message !== null) setThread(message);
    },
    pause: () => {
      if (pair !== undefined && canAct) acts.decidePair(pair, pair.paused ? "resume" : "pause");
    },
    reset: () => {
      if (pair !== undefined && canAct) acts.decidePair(pair, "reset");
    },
    freeze: () => {
      if (talk != null && canAct)
        acts.decideConversation(talk.id, talk.state === "frozen" ? "continue" : "freeze");
    },
    goOn: () => {
      if (talk != null && canAct && talk.state !== "open") acts.decideConversation(talk.id, "continue");
    },
    changeView: nextView,
    closeThread: thread === undefined ? undefined : () => setThread(undefined),
  });

  const card =
    pair !== undefined ? (
      <PairSelection
        pair={pair}
        pingPong={pingPongs.get(pairKey(pair))}
        held={heldOf.get(pairKey(pair))}
        acts={acts}
        onThread={setThread}
      />
    ) : selection?.kind === "conversation" && talk != null ? (
      <ConversationSelection conversation={talk} acts={acts} onThread={setThread} />
    ) : null;
  const table = { pairs, pingPongs, selected: pair === undefined ? undefined : pairKey(pair), at: data.at };
  return (
    <PageFrame
      panelLabel="Thread"
      panelWidth={360}
      panel={thread !== undefined && <Thread id={thread} onClose={() => setThread(undefined)} />}
    >
      <PageHead
        title="Network"
        about="Who talks to whom, how fast, and what is held back. Last 10 minutes."
        ref={head}
      >
        {view !== "table" && (
          <IconButton label="Lay the graph out anew" icon={<RefreshCcw size={14} />} onClick={layOutAnew} />
        )}
        <SegmentedControl<NetworkView>
          label="View"
          value={view}
          onChange={setView}
          segments={choices.map((value) => ({ value, label: viewNames[value] }))}
        />
      </PageHead>
      {data.network === undefined ? (
        <div className="network__state">
          {data.error === null ? (
            <Skeleton lines={9} label="Loading the network" />
          ) : (
            <ErrorCard title="The network could not be loaded" error={data.error} retry={data.retry} />
          )}
        </div>
      ) : (
        <>
          <NetworkFigures
            network={data.network}
            at={data.at}
            held={held}
            conversations={data.hasConversations ? conversations : undefined}
            isPhone={isPhone}
          />
          <div className={`network__body network__body--${view}`}>
            {view !== "graph" && (
              <div className="network__column">
                <div className="network__pairs" ref={scroller}>
                  {pairs.length === 0 ? (
                    <EmptyState title="Nobody wrote to anybody" command="huddle network">
                      Pairs of agents come here with their first message, and stay for ten minutes. The same
                      in a terminal:
                    </EmptyState>
                  ) : isPhone ? (
                    <PairCards {...table} onSelect={selectPair} />
                  ) : (
                    <PairTable {...table} scroller={scroller} onSelect={selectPair} />
                  )}
                </div>
                <div className="network__lists">
                  {held !== undefined && <HeldList held={held} onSelect={selectPair} />}
                  <ConversationRows
                    conversations={conversations}
                    selected={selection?.kind === "conversation" ? selection.id : undefined}
                    onSelect={selectConversation}
                  />
                </div>
                {view === "table" && card}
              </div>
            )}
            {view !== "table" && (
              <section className="network__graph" aria-label="Graph of the same pairs">
                {pairs.length > 0 && (
                  <NetworkGraph
                    pairs={pairs}
                    pingPongs={pingPongs}
                    rings={rings}
                    selected={selectedKeys}
                    at={data.at}
                    onSelect={selectPair}
                  />
                )}
                {card}
              </section>
            )}
          </div>
        </>
      )}
    </PageFrame>
  );
}

/** The thread of a message, beside the page. */
function Thread({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useMessage(id);
  if (error !== null)
    return <ErrorCard title="The thread could not be loaded" error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={6} label="Loading the thread" />;
  return <ThreadPanel message={data.message} newest={0} onClose={onClose} />;
}
