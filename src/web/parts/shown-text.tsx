import { type ReactNode, useMemo } from "react";
import { hasUnsafe, splitUnsafe } from "./split-unsafe.js";
import "./shown-text.css";

/** Text of others as it is: what turns its direction, hides or drives something stands there as a visible escape. */
export function ShownText({ text }: { text: string }): ReactNode {
  const pieces = useMemo(() => (hasUnsafe(text) ? splitUnsafe(text) : undefined), [text]);
  if (pieces === undefined) return text;
  return pieces.map((piece, at) =>
    piece.kind === "text" ? (
      piece.text
    ) : (
      <span key={at} className="escape" title={piece.title}>
        {piece.text}
      </span>
    ),
  );
}

/** A name, marked if it could be taken for another one that is there. */
export function ShownName({ name, looksLike }: { name: string; looksLike?: string | undefined }) {
  return (
    <>
      <ShownText text={name} />
      {looksLike !== undefined && (
        <span className="lookalike" title={`Not ${looksLike}: another name that looks like it`}>
          not {looksLike}
        </span>
      )}
    </>
  );
}
