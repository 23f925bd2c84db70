import { Fragment, type ReactNode, useMemo } from "react";
import { type ExactPiece, exactPieces } from "./exact-pieces.js";

/** Text to decide upon: nothing in it is hidden, by whatever characters. */
export function ExactText({ text, markForeign = false }: { text: string; markForeign?: boolean }) {
  const pieces = useMemo(() => exactPieces(text, { markForeign }), [text, markForeign]);
  return pieces.map(showPiece);
}

function showPiece(piece: ExactPiece, at: number): ReactNode {
  switch (piece.kind) {
    case "text":
      return <Fragment key={at}>{piece.text}</Fragment>;
    case "run":
      return (
        <span key={at} className="exact__run">
          {piece.text}
        </span>
      );
    case "escape":
      return (
        <span key={at} className="exact__escape" title={piece.title}>
          {piece.text}
        </span>
      );
    case "foreign":
      return (
        <span key={at} className="exact__foreign" title={piece.title}>
          {piece.text}
        </span>
      );
  }
}
