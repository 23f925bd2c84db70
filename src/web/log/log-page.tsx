import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { ThreadPanel } from "../chat/thread/thread-panel.js";
import { useContact } from "../hub/connection.js";
import type { HistoryMessage } from "../hub/history.js";
import { hub } from "../hub/hub.js";
import { copyText } from "../parts/copy-text.js";
import { EmptyState } from "../parts/empty-state.js";
import { ErrorCard } from "../parts/error-card.js";
import { Skeleton } from "../parts/skeleton.js";
import { PageFrame } from "../shell/page-frame.js";
import { useTitle } from "../shell/page-title.js";
import { goTo } from "../shell/places.js";
import { useKeys } from "../shell/use-keys.js";
import { usePhone } from "../shell/use-phone.js";
import { LogActs } from "./log-acts.js";
import { LogDetails } from "./log-details.js";
import { LogField } from "./log-field.js";
import type { LogRow } from "./log-rows.js";
import { LogTable, type LogTableHandle } from "./log-table.js";
import { findRow, rowAt, totalRows } from "./log-window.js";
import "./log-page.css";
import { TailWord } from "./tail-word.js";
import { useExport } from "./use-export.js";
import { useLogQuery } from "./use-log-query.js";

const narrowing = ["from:", "to:", "type:", "status:undelivered", "after:"] as const;

/** Every message of the hub, newest first. `query`: what is looked for, as it stands in the address. */
export function LogPage({ query: address = "" }: { query: string | undefined }) {
  useTitle("Log");
  const isPhone = usePhone();
  const { field, change, query, problem, source } = useLogQuery(address);
  const { kind, error, window: log, waiting } = useStore(source.state);
  const [isPaused, setPaused] = useState(false);
  const [isAtTop, setAtTop] = useState(true);
  const [chosen, setChosen] = useState<LogRow>();
  const [thread, setThread] = useState<HistoryMessage>();
  const table = useRef<LogTableHandle>(null);
  const input = useRef<HTMLInputElement>(null);
  const [isExporting, setExporting] = useState(false);
  const save = useExport(query);
  const isLive = useContact() === "live";
  const total = totalRows(log);
  const selected = chosen === undefined ? undefined : findRow(log, chosen.seq);
  // The row as it is now: its message goes on.
  const shown = (selected === undefined ? undefined : rowAt(log, selected)) ?? chosen;

  useEffect(() => source.follow(!isPaused && isAtTop), [source, isPaused, isAtTop]);

  const select = useCallback(
    (index: number) => {
      const row = rowAt(source.state.getState().window, index);
      table.current?.show(index);
      if (row === undefined) return;
      setChosen(row);
      setThread(undefined);
    },
    [source],
  );
  const step = (by: number) => select(Math.max(0, Math.min((selected ?? (by > 0 ? -1 : 0)) + by, total - 1)));
  const open = () => {
    if (shown?.kind === "message") goTo({ page: "message", id: shown.message.id });
    else if (shown !== undefined) goTo({ page: "agent", name: shown.turn.agent });
  };
  const togglePause = () => setPaused(!isPaused);
  const toNewest = () => {
    setPaused(false);
    table.current?.show(0);
  };
  const insert = (text: string) => {
    change({
      ...field,
      text: `${field.text}${field.text === "" || field.text.endsWith(" ") ? "" : " "}${text}`,
    });
    window.requestAnimationFrame(() => {
      input.current?.focus();
      const end = input.current?.value.length ?? 0;
      input.current?.setSelectionRange(end, end);
    });
  };
  useKeys("Log", [
    { keys: "j", label: "next row", quiet: true, act: () => step(1) },
    { keys: "k", pair: "j", label: "row", act: () => step(-1) },
    { keys: "ArrowDown", label: "next row", quiet: true, act: () => step(1) },
    { keys: "ArrowUp", pair: "ArrowDown", label: "row", quiet: true, act: () => step(-1) },
    { keys: "PageDown", label: "a page on", quiet: true, act: () => step(table.current?.pageSize() ?? 1) },
    { keys: "PageUp", label: "a page back", quiet: true, act: () => step(-(table.current?.pageSize() ?? 1)) },
    { keys: "Home", label: "newest row", quiet: true, act: () => table.current?.show(0) },
    { keys: "End", label: "oldest row", quiet: true, act: () => table.current?.show(total - 1) },
    { keys: "Enter", label: "open", act: open },
    { keys: "/", label: "search", act: () => input.current?.focus() },
    { keys: "Space", label: isPaused ? "follow" : "pause tail", act: togglePause },
    {
      keys: "y",
      label: "copy",
      act: () => {
        if (shown?.kind === "message") copyText(shown.message.content, "Message copied");
      },
    },
    { keys: "E", label: "export", act: () => setExporting(true) },
    {
      keys: "t",
      label: "thread",
      quiet: true,
      act: () => setThread(shown?.kind === "message" ? shown.message : undefined),
    },
    {
      keys: "Escape",
      label: "close the details",
      quiet: true,
      act: () => (thread === undefined ? setChosen(undefined) : setThread(undefined)),
    },
  ]);

  const acts = (
    <LogActs
      isPhone={isPhone}
      isPaused={isPaused}
      onPause={togglePause}
      save={save}
      isOpen={isExporting}
      onOpen={setExporting}
    />
  );
  return (
    <PageFrame
      panelLabel={thread === undefined ? "Details" : "Thread"}
      panelWidth={thread === undefined ? 304 : 360}
      panel={
        thread !== undefined ? (
          <ThreadPanel message={thread} newest={log.head[0]?.seq ?? 0} onClose={() => setThread(undefined)} />
        ) : (
          shown !== undefined && (
            <LogDetails row={shown} onThread={setThread} onClose={() => setChosen(undefined)} />
          )
        )
      }
    >
      <header className="log-head">
        <h1 className="log-head__title">Log</h1>
        <LogField
          query={field}
          onChange={change}
          count={useCountWords(query, kind === "ready" ? { total, isWhole: log.isWhole } : undefined)}
          problem={problem}
          input={input}
          onLeave={() => {
            input.current?.blur();
            if (selected === undefined) step(1);
          }}
        />
        {!isPhone && acts}
      </header>
      <div className="log-bar">
        {problem === undefined ? (
          <>
            <span className="log-bar__word">Narrow:</span>
            {narrowing.map((text) => (
              <button
                key={text}
                type="button"
                className="log-bar__filter"
                onClick={() => insert(text.endsWith(":") ? text : `${text} `)}
              >
                {text}
              </button>
            ))}
          </>
        ) : (
          <span className="log-bar__problem" role="alert">
            {problem}
          </span>
        )}
        <TailWord
          isLive={isLive}
          isPaused={isPaused}
          isAtTop={isAtTop}
          waiting={waiting}
          onNewest={toNewest}
        />
        {isPhone && acts}
      </div>
      {kind === "failed" ? (
        <div className="log-waits">
          <ErrorCard title="The log could not be loaded" error={error} retry={source.reload} />
        </div>
      ) : kind === "loading" ? (
        <div className="log-waits">
          <Skeleton lines={9} label="Loading the log" />
        </div>
      ) : total === 0 ? (
        <Nothing query={query} />
      ) : (
        <LogTable
          source={source}
          isPhone={isPhone}
          selected={selected}
          onSelect={select}
          onTop={setAtTop}
          handle={table}
        />
      )}
    </PageFrame>
  );
}

function Nothing({ query }: { query: string }) {
  if (query === "")
    return (
      <EmptyState title="No messages yet" command={'huddle send NAME "…"'}>
        Every message between you and agents stands here, newest first.
      </EmptyState>
    );
  return (
    <EmptyState title="Nothing matches" command={`huddle log '${query.replaceAll("'", "'\\''")}'`}>
      Words match whole words; <code>word*</code> matches all words that begin so. The same search in a
      terminal:
    </EmptyState>
  );
}

/** `18 of 1,284` */
function useCountWords(query: string, found: { total: number; isWhole: boolean } | undefined): string {
  const { data } = useQuery({
    queryKey: ["log-total"],
    queryFn: ({ signal }) => hub.searchCount({ turns: "false" }, { signal, timeoutMs: 60_000 }),
    enabled: query !== "",
    staleTime: 30_000,
  });
  if (found === undefined) return "";
  const count = `${found.total.toLocaleString("en")}${found.isWhole ? "" : "+"}`;
  const all = data?.total;
  return query === "" || all === undefined || all === null
    ? count
    : `${count} of ${Math.max(all, found.total).toLocaleString("en")}`;
}
