import { ChevronRight, CornerLeftUp, Folder, FolderGit2 } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, useDeferredValue, useId, useRef, useState } from "react";
import { useAgents } from "../hub/use-agents.js";
import { sayWhy } from "../parts/error-card.js";
import { ShownText } from "../parts/shown-text.js";
import "./folder-picker.css";
import { isBelow, splitPath } from "./spawn-form.js";
import { type FolderList, useFolderFacts, useFolders } from "./use-folders.js";

type Row = {
  key: string;
  path: string;
  name: string;
  git: boolean;
  kind: "folder" | "root" | "up";
  agents: number;
};

/** Where an agent is to work: typed with completion, or chosen from recent ones and below the allowed roots. */
export function FolderPicker({
  id,
  value,
  onChange,
}: {
  id: string;
  value: string;
  onChange: (path: string) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const typed = useDeferredValue(value);
  const { folder, begins } = splitPath(typed);
  const start = useFolders(undefined);
  const isInside = folder !== undefined && isBelow(folder, start.data?.roots ?? []);
  const within = useFolders(isInside ? folder : undefined);
  const counts = useAgentCounts();
  const rows = isInside ? folderRows(within.data, begins, counts) : startRows(start.data, typed, counts);
  const chosen = rows[Math.min(at, rows.length - 1)];

  const choose = (row: Row) => {
    onChange(row.path);
    setOpen(false);
    field.current?.focus();
  };
  const enter = (row: Row) => {
    onChange(row.path === "/" ? "/" : `${row.path}/`);
    setAt(0);
    setOpen(true);
    field.current?.focus();
  };
  const press = (row: Row, event: MouseEvent) => {
    event.preventDefault();
    const isInto = event.target instanceof Element && event.target.closest("[data-into]") !== null;
    if (isInto || row.kind !== "folder") enter(row);
    else choose(row);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setOpen(true);
      setAt((now) =>
        Math.max(0, Math.min(rows.length - 1, isOpen ? now + (event.key === "ArrowDown" ? 1 : -1) : 0)),
      );
    } else if (isOpen && chosen !== undefined && event.key === "Enter" && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      if (chosen.kind === "folder") choose(chosen);
      else enter(chosen);
    } else if (isOpen && chosen !== undefined && event.key === "ArrowRight" && isAtEnd(event.currentTarget)) {
      event.preventDefault();
      enter(chosen);
    } else if (isOpen && event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };
  return (
    <div className="folder-picker">
      <div className="folder-picker__field">
        <Folder size={14} aria-hidden="true" />
        <input
          id={id}
          ref={field}
          className="folder-picker__input"
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && chosen !== undefined ? `${listId}-${chosen.key}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder="/path/to/project"
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
            setAt(0);
            setOpen(true);
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
        <FolderMark path={value} />
      </div>
      {isOpen && (
        <div className="folder-list" id={listId} role="listbox" aria-label="Folders" tabIndex={-1}>
          {rows.map((row) => (
            <div
              key={row.key}
              id={`${listId}-${row.key}`}
              className="folder-list__row"
              role="option"
              aria-selected={row === chosen}
              tabIndex={-1}
              // The field keeps the focus.
              onMouseDown={(event) => press(row, event)}
            >
              {row.kind === "up" ? (
                <CornerLeftUp size={14} aria-hidden="true" />
              ) : row.git ? (
                <FolderGit2 size={14} aria-label="git" />
              ) : (
                <Folder size={14} aria-hidden="true" />
              )}
              <span className="folder-list__name">
                <ShownText text={row.name} />
              </span>
              {row.agents > 0 && <span className="folder-list__about">{sayAgents(row.agents)}</span>}
              {row.kind === "folder" && (
                <span className="folder-list__into" data-into title={`Look into ${row.name}`}>
                  <ChevronRight size={14} aria-hidden="true" />
                </span>
              )}
            </div>
          ))}
          <FolderNote rows={rows.length} list={isInside ? within : start} />
        </div>
      )}
    </div>
  );
}

function FolderNote({ rows, list }: { rows: number; list: ReturnType<typeof useFolders> }) {
  if (list.error !== null)
    return (
      <p className="folder-list__note folder-list__note--wrong" role="alert">
        <ShownText text={sayWhy(list.error)} />
      </p>
    );
  if (list.data === undefined) return <p className="folder-list__note">Looking…</p>;
  const { cut } = list.data;
  if (cut > 0) return <p className="folder-list__note">{cut} more: type on to find them.</p>;
  return rows === 0 ? <p className="folder-list__note">No folder here begins so.</p> : null;
}

/** What is known of the folder that is typed now. */
function FolderMark({ path }: { path: string }) {
  const facts = useFolderFacts(path);
  switch (facts.kind) {
    case "known":
      return <span className="folder-picker__mark">{facts.git ? "git" : ""}</span>;
    case "outside":
      return (
        <span className="folder-picker__mark folder-picker__mark--wrong">not below an allowed folder</span>
      );
    case "unknown":
      return <span className="folder-picker__mark">not found yet</span>;
    case "none":
    case "looking":
      return null;
  }
}

function isAtEnd({ selectionStart, value }: HTMLInputElement): boolean {
  return selectionStart === value.length;
}

function sayAgents(count: number): string {
  return count === 1 ? "1 agent here" : `${count} agents here`;
}

function useAgentCounts(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { project } of useAgents())
    if (project !== null) counts.set(project, (counts.get(project) ?? 0) + 1);
  return counts;
}

type Counts = ReadonlyMap<string, number>;

/** Somebody who types on towards a root still sees it. */
function startRows(data: FolderList | undefined, typed: string, counts: Counts): readonly Row[] {
  if (data === undefined) return [];
  const recent = data.recent.map(
    ({ path, git }): Row => ({
      key: `recent-${path}`,
      path,
      name: path,
      git,
      kind: "folder",
      agents: counts.get(path) ?? 0,
    }),
  );
  const roots = data.roots.map(
    (path): Row => ({
      key: `root-${path}`,
      path,
      name: `Browse below ${path}`,
      git: false,
      kind: "root",
      agents: 0,
    }),
  );
  return [
    ...recent.filter(({ path }) => path.includes(typed)),
    ...roots.filter(({ path }) => path.startsWith(typed) || !typed.startsWith("/")),
  ];
}

function folderRows(data: FolderList | undefined, begins: string, counts: Counts): readonly Row[] {
  if (data === undefined) return [];
  const up: Row[] =
    data.parent === null
      ? []
      : [{ key: "up", path: data.parent, name: data.parent, git: false, kind: "up", agents: 0 }];
  const inside = data.folders
    .filter(({ name }) => name.toLowerCase().startsWith(begins.toLowerCase()))
    .map(
      ({ name, path, git }): Row => ({
        key: path,
        path,
        name,
        git,
        kind: "folder",
        agents: counts.get(path) ?? 0,
      }),
    );
  return [...inside, ...up];
}
