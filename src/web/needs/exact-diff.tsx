import { FilePen, FilePlus, FileX } from "lucide-react";
import { memo } from "react";
import { ShownText } from "../parts/shown-text.js";
import { countLines, type DiffLine } from "./diff-lines.js";
import { ExactText } from "./exact-text.js";
import type { FileChange } from "./read-asked.js";

const looks = {
  edit: { Icon: FilePen, says: undefined },
  create: { Icon: FilePlus, says: "new file" },
  write: { Icon: FilePen, says: "writes the whole file" },
  delete: { Icon: FileX, says: "deletes the file" },
} as const;

/** A change of one file, every changed line of it. */
export const ExactDiff = memo(function ExactDiff({ change }: { change: FileChange }) {
  const { path, what, lines } = change;
  const { added, removed } = countLines(lines);
  const { Icon, says } = looks[what];
  const hasNumbers = lines.some(({ was, is }) => was !== undefined || is !== undefined);
  return (
    <div className="exact-diff">
      <div className="exact-diff__head">
        <Icon size={14} aria-hidden="true" />
        <code className="exact-diff__path">
          <ExactText text={path} markForeign />
        </code>
        {says !== undefined && <span className="exact-diff__what">{says}</span>}
        <span className="exact-diff__counts figures">
          <span className="exact-diff__added">+{added}</span>{" "}
          <span className="exact-diff__removed">-{removed}</span>
        </span>
      </div>
      <section
        className={`exact-diff__lines ${hasNumbers ? "" : "exact-diff__lines--bare"}`}
        aria-label={`Change of ${path}`}
      >
        {lines.map((line, at) => (
          <Line key={at} line={line} />
        ))}
      </section>
    </div>
  );
});

const signs = { same: "", old: "-", new: "+", gap: "" } as const;
const reads = { same: undefined, old: "removed", new: "added", gap: undefined } as const;

function Line({ line: { kind, text, was, is } }: { line: DiffLine }) {
  if (kind === "gap")
    return (
      <div className="diff-line diff-line--gap">
        <ShownText text={text} />
      </div>
    );
  return (
    <div className={`diff-line diff-line--${kind}`}>
      <span className="diff-line__number diff-line__number--was" aria-hidden="true">
        {was}
      </span>
      <span className="diff-line__number diff-line__number--is" aria-hidden="true">
        {is}
      </span>
      <span className="diff-line__sign" aria-hidden="true">
        {signs[kind]}
      </span>
      {reads[kind] !== undefined && <span className="visually-hidden">{reads[kind]} </span>}
      <code className="exact">
        <ExactText text={text} />
      </code>
    </div>
  );
}
