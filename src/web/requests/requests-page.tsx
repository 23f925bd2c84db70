import { Plus } from "lucide-react";
import { useCallback, useState } from "react";
import { useCanAct } from "../hub/connection.js";
import { Button } from "../parts/button.js";
import { EmptyState } from "../parts/empty-state.js";
import { ErrorCard } from "../parts/error-card.js";
import { Skeleton } from "../parts/skeleton.js";
import { PageFrame } from "../shell/page-frame.js";
import { PageHead } from "../shell/page-head.js";
import { useTitle } from "../shell/page-title.js";
import { usePageWish } from "../shell/page-wish.js";
import { goTo } from "../shell/places.js";
import { usePanel } from "../shell/use-panel.js";
import "./below.css";
import type { Column } from "./board.js";
import { ObligationsTable } from "./obligations-table.js";
import { PostRequest } from "./post-request.js";
import { RequestCard } from "./request-card.js";
import { RequestPanel } from "./request-panel.js";
import { useRequestKeys } from "./use-request-keys.js";
import { useClaims, useObligations, useOpenRequests, useRequests } from "./use-requests.js";
import { WorkClaims } from "./work-claims.js";
import "./requests-page.css";

/** Calls for help by what became of them; below, who is on what and who owes what. `id`: the one that is looked at. */
export function RequestsPage({ id }: { id: string | undefined }) {
  useTitle("Requests");
  const canAct = useCanAct();
  const [isExpiredShown, setExpiredShown] = useState(false);
  const [isPosting, setPosting] = useState(false);
  usePageWish("post-request", () => setPosting(true));
  const { isOpen, setOpen, noteMove } = usePanel(id);
  const { columns, expired, error, refetch } = useColumns(isExpiredShown);
  const all = columns.flatMap(({ requests = [] }) => requests);
  const listed = all.find(({ request_id }) => request_id === id);

  const choose = useCallback(
    (next: string) => {
      noteMove(next);
      goTo({ page: "requests", id: next }, { replace: true });
      window.requestAnimationFrame(() => {
        const card = document.querySelector<HTMLElement>(`[data-request="${CSS.escape(next)}"]`);
        card?.focus({ preventScroll: true });
        card?.scrollIntoView({ block: "nearest" });
      });
    },
    [noteMove],
  );
  const open = useCallback(
    (next: string) => {
      setOpen(true);
      goTo({ page: "requests", id: next }, { replace: true });
    },
    [setOpen],
  );
  const close = () => {
    setOpen(false);
    if (id !== undefined && listed !== undefined) choose(id);
    else goTo({ page: "requests" }, { replace: true });
  };
  useRequestKeys({
    columns,
    request: listed,
    id,
    isOpen,
    choose,
    open,
    close,
    post: () => setPosting(true),
    toggleExpired: () => setExpiredShown(!isExpiredShown),
  });
  const isEmpty = columns.every(({ requests }) => requests !== undefined && requests.length === 0);

  return (
    <PageFrame
      panel={id !== undefined && isOpen && <RequestPanel id={id} listed={listed} onClose={close} />}
      panelLabel="Request"
    >
      <PageHead title="Requests" about="Calls for help that one agent claims.">
        <Button
          className="requests__expired"
          aria-pressed={isExpiredShown}
          onClick={() => setExpiredShown(!isExpiredShown)}
        >
          Expired{expired === undefined ? "" : ` ${expired}`}
        </Button>
        <Button kind="primary" icon={<Plus size={14} />} disabled={!canAct} onClick={() => setPosting(true)}>
          Post a request
        </Button>
      </PageHead>
      <div className="requests">
        {error !== null ? (
          <div className="requests__state">
            <ErrorCard title="The requests could not be loaded" error={error} retry={refetch} />
          </div>
        ) : isEmpty ? (
          <EmptyState title="No open requests" command='huddle requests post "What is needed"'>
            When an agent asks all others for help, it stands here until one of them claims and answers it.
            You can ask, claim and answer, too. In a terminal:
          </EmptyState>
        ) : (
          <div className={`board board--${columns.length}`}>
            {columns.map((column) => (
              <BoardColumn
                key={column.kind}
                column={column}
                chosen={id}
                reached={listed?.request_id ?? all[0]?.request_id}
                onOpen={open}
              />
            ))}
          </div>
        )}
        <Below />
      </div>
      {isPosting && <PostRequest onClose={() => setPosting(false)} />}
    </PageFrame>
  );
}

function BoardColumn(props: {
  column: Column;
  chosen: string | undefined;
  reached: string | undefined;
  onOpen: (id: string) => void;
}) {
  const { column, chosen, reached, onOpen } = props;
  const { title, note, requests, kind } = column;
  return (
    <section className="board__column" aria-labelledby={`column-${kind}`}>
      <header className="board__head">
        <h2 className="board__title" id={`column-${kind}`}>
          {title} <span className="board__count figures">{requests?.length ?? ""}</span>
        </h2>
        <span className="board__note">{note}</span>
      </header>
      {requests === undefined ? (
        <Skeleton lines={4} label={`Loading ${title}`} />
      ) : (
        <ul className="board__cards">
          {requests.map((request) => (
            <RequestCard
              key={request.request_id}
              request={request}
              isChosen={request.request_id === chosen}
              isReached={request.request_id === reached}
              onOpen={onOpen}
            />
          ))}
        </ul>
      )}
      {requests?.length === 0 && <p className="board__none">None.</p>}
      {kind === "open" && requests !== undefined && requests.length > 0 && (
        <p className="board__hint">
          The tick is half of the time: there the hub nudges everybody once by itself.
        </p>
      )}
    </section>
  );
}

function useColumns(withExpired: boolean) {
  const open = useOpenRequests();
  const claimed = useRequests("claimed");
  const answered = useRequests("answered");
  const expired = useRequests("expired");
  const columns: readonly Column[] = [
    { kind: "open", title: "Open", note: "first to claim wins", requests: open.data },
    { kind: "claimed", title: "Claimed", note: "do not expire", requests: claimed.data },
    { kind: "answered", title: "Answered", note: "newest first", requests: answered.data },
    ...(withExpired
      ? [{ kind: "expired" as const, title: "Expired", note: "nobody claimed them", requests: expired.data }]
      : []),
  ];
  const queries = [open, claimed, answered, expired];
  const failed = queries.find((query) => query.error !== null && query.data === undefined);
  return {
    columns,
    expired: expired.data?.length,
    error: failed?.error ?? null,
    refetch: () => {
      for (const query of queries) void query.refetch();
    },
  };
}

function Below() {
  const claims = useClaims();
  const obligations = useObligations();
  return (
    <div className="below">
      {claims.data !== undefined && <WorkClaims claims={claims.data} />}
      {obligations.data !== undefined && <ObligationsTable obligations={obligations.data} />}
    </div>
  );
}
