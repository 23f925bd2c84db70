import { useState } from "react";
import { MarkdownText } from "../markdown/markdown-text.js";
import { foldContent } from "./fold-content.js";

/** The words of a message; a long one shows its beginning until it is opened. */
export function FoldedText({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const { shown, more } = foldContent(text);
  return (
    <>
      <MarkdownText text={isOpen ? text : shown} />
      {more === undefined ? null : (
        <button
          type="button"
          className="message-bubble__more"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "show less" : more}
        </button>
      )}
    </>
  );
}
