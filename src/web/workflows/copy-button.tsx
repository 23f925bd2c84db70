import { useState } from "react";

/** A word that copies a text. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true);
      window.setTimeout(() => setCopied(false), 2000);
    });
  return (
    <button type="button" className="copy-button" aria-label={label} onClick={copy}>
      {isCopied ? "Copied" : "Copy"}
    </button>
  );
}
