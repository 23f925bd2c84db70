import { Check, ChevronDown, ChevronRight, CircleDashed, X } from "lucide-react";
import { useState } from "react";
import { Spinner } from "../../parts/button.js";
import { Age } from "../../parts/elapsed.js";
import { ShownText } from "../../parts/shown-text.js";
import { sayLength } from "../../parts/time.js";
import { countTools, toolTarget, toolTime, toolWord } from "./tool-summary.js";
import type { ToolCall } from "./turn-shown.js";

const FIRST = 8;

/** Calls of tools, folded into one line. */
export function ToolCalls({ tools }: { tools: readonly ToolCall[] }) {
  const [isOpen, setOpen] = useState(false);
  const [all, setAll] = useState(false);
  const time = toolTime(tools);
  const shown = all ? tools : tools.slice(0, FIRST);
  const failed = tools.filter(({ status }) => status === "failed").length;
  return (
    <div className={`tools ${isOpen ? "tools--open" : ""}`}>
      <button type="button" className="tools__head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? (
          <ChevronDown size={12} aria-hidden="true" />
        ) : (
          <ChevronRight size={12} aria-hidden="true" />
        )}
        <span className="tools__count">
          {tools.length} tool call{tools.length === 1 ? "" : "s"}
        </span>
        <span>{countTools(tools)}</span>
        {failed === 0 ? null : <span className="tools__failed">{failed} failed</span>}
        {time === undefined ? null : <span className="tools__time">{sayLength(time)}</span>}
      </button>
      {isOpen ? (
        <ul className="tools__list">
          {shown.map((tool, at) => (
            <ToolRow key={tool.id ?? at} tool={tool} />
          ))}
          {shown.length === tools.length ? null : (
            <li>
              <button type="button" className="tools__row tools__more" onClick={() => setAll(true)}>
                {tools.length - shown.length} more
              </button>
            </li>
          )}
        </ul>
      ) : null}
    </div>
  );
}

function ToolRow({ tool }: { tool: ToolCall }) {
  return (
    <li className="tools__row">
      <ToolMark tool={tool} />
      <span className="tools__word">{toolWord(tool)}</span>
      <code className="tools__target">
        <ShownText text={toolTarget(tool)} />
      </code>
      <span className="tools__time">{tool.ms === null ? "" : sayLength(tool.ms)}</span>
    </li>
  );
}

function ToolMark({ tool }: { tool: ToolCall }) {
  switch (tool.status) {
    case "done":
      return <Check size={13} role="img" aria-label="done" />;
    case "failed":
      return <X size={13} className="tools__failed" role="img" aria-label="failed" />;
    case "running":
      return <Spinner />;
    case "pending":
      return <CircleDashed size={13} role="img" aria-label="not begun" />;
  }
}

/** The call that a running turn is at: it stands last. */
export function RunningTool({ tool }: { tool: ToolCall }) {
  return (
    <p className="running-tool">
      <Spinner />
      <span className="tools__word">{toolWord(tool)}</span>
      <code className="tools__target">
        <ShownText text={toolTarget(tool)} />
      </code>
      {tool.since === undefined ? null : (
        <span className="tools__time">
          <Age since={tool.since} />
        </span>
      )}
    </p>
  );
}
