import type { RefObject } from "react";
import type { PlacedProblem } from "../../client/definition/definition-problem.js";
import { ShownText } from "../parts/shown-text.js";

/** What is wrong with a definition, each with its line and column; a click goes there. */
export function ProblemList({
  file,
  problems,
  field,
}: {
  file: string;
  problems: readonly PlacedProblem[];
  field: RefObject<HTMLTextAreaElement | null>;
}) {
  const sorted = [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
  return (
    <div className="problems">
      <p className="problems__title">
        <ShownText text={file} /> has {problems.length === 1 ? "a problem" : `${problems.length} problems`}
      </p>
      <ul className="problems__list">
        {sorted.map(({ line, column, message }) => (
          <li key={`${line}:${column} ${message}`}>
            <button
              type="button"
              className="problems__problem"
              onClick={() => goToPlace(field.current, line, column)}
            >
              <span className="problems__place figures">
                line {line}, column {column}
              </span>
              <span className="problems__message">
                <ShownText text={message} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function goToPlace(field: HTMLTextAreaElement | null, line: number, column: number): void {
  if (field === null) return;
  const lines = field.value.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const start = before + column - 1;
  const rest = (lines[line - 1] ?? "").slice(column - 1);
  const [word = ""] = /^\S+/.exec(rest) ?? [];
  field.focus();
  field.setSelectionRange(start, start + Math.max(word.length, 1));
  field.scrollTop = Math.max(0, ((line - 3) * field.scrollHeight) / Math.max(1, lines.length));
}
