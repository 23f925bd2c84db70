import type { ReactNode } from "react";
import "./inline-code.css";
import { ShownText } from "./shown-text.js";

/** Text of others in which `words between backticks` are code; nothing else in it means anything. */
export function InlineCode({ text }: { text: string }): ReactNode {
  return text.split(/`([^`\n]+)`/).map((piece, at) =>
    at % 2 === 1 ? (
      <code key={at} className="inline-code">
        <ShownText text={piece} />
      </code>
    ) : (
      <ShownText key={at} text={piece} />
    ),
  );
}
