import type { ReactNode } from "react";
import type { HubClient } from "../../client/hub-client.js";
import type { RuntimeKind } from "../../model/hosting.js";
import { SegmentedControl } from "../parts/segmented-control.js";
import { runtimeWords } from "./spawn-words.js";
import { type FolderFacts, useFolderFacts } from "./use-folders.js";

/** A label and what belongs to it. */
export function Row({ label, htmlFor, children }: { label: string; htmlFor?: string; children: ReactNode }) {
  return (
    <div className="spawn__row">
      {htmlFor === undefined ? (
        <span className="spawn__label">{label}</span>
      ) : (
        <label className="spawn__label" htmlFor={htmlFor}>
          {label}
        </label>
      )}
      <div className="spawn__cell">{children}</div>
    </div>
  );
}

/** One of several words. */
export function Choice<T extends string>(props: {
  id: string;
  value: T;
  options: readonly T[];
  onChange: (value: T) => void;
}) {
  return (
    <select
      id={props.id}
      className="spawn__input"
      value={props.value}
      onChange={(event) => {
        const chosen = props.options.find((option) => option === event.target.value);
        if (chosen !== undefined) props.onChange(chosen);
      }}
    >
      {props.options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}

type Backend = Awaited<ReturnType<HubClient["backends"]>>["backends"][number];

/** Why a way cannot be used stands below, with what would help. */
export function RuntimeChoice(props: {
  backend: Backend;
  value: RuntimeKind | undefined;
  onChange: (runtime: RuntimeKind) => void;
}) {
  const { runtimes, runtime_reason: reason, runtime: usual } = props.backend;
  const cannot = runtimes.filter(({ works }) => !works);
  const value = props.value ?? usual ?? "acp";
  return (
    <>
      <div className="spawn__line">
        <SegmentedControl
          label="Runtime"
          value={value}
          onChange={props.onChange}
          segments={runtimes.map(({ runtime, works }) => ({ value: runtime, label: runtime, off: !works }))}
        />
        <span className="spawn__hint">{runtimeWords[value]}</span>
      </div>
      {value === usual && reason !== null && cannot.length === 0 && <p className="spawn__hint">{reason}</p>}
      {cannot.map(({ runtime, reason: why, install }) => (
        <p key={runtime} className="spawn__hint">
          {runtime}: {why ?? "cannot be used here"}
          {install !== null && (
            <>
              {" "}
              <code>{install}</code>
            </>
          )}
        </p>
      ))}
    </>
  );
}

/** Only a git repository has worktrees. */
export function Worktree(props: { project: string; value: boolean; onChange: (value: boolean) => void }) {
  const facts = useFolderFacts(props.project);
  const isGit = facts.kind === "known" && facts.git;
  return (
    <label className="spawn__switch">
      <input
        type="checkbox"
        checked={isGit && props.value}
        disabled={!isGit}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      <span>
        A git worktree of its own{" "}
        <span className="spawn__dim">
          {isGit
            ? "so that it does not touch your files; you merge what it did"
            : `(${sayNoWorktree(facts)})`}
        </span>
      </span>
    </label>
  );
}

function sayNoWorktree({ kind }: FolderFacts): string {
  switch (kind) {
    case "none":
      return "choose a folder first";
    case "looking":
      return "looking…";
    case "known":
      return "this folder is not the top of a git repository";
    case "outside":
    case "unknown":
      return "not in this folder";
  }
}
