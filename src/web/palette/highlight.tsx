import { ShownText } from "../parts/shown-text.js";

/** A text in which the words that were looked for stand out. */
export function Highlight({ text, words }: { text: string; words: string }) {
  const wanted = words.split(/\s+/).filter((word) => word !== "");
  if (wanted.length === 0) return <ShownText text={text} />;
  const pattern = new RegExp(`(${wanted.map((word) => escapePattern(word)).join("|")})`, "gi");
  return text.split(pattern).map((piece, at) =>
    at % 2 === 1 ? (
      <mark key={`${at} ${piece}`} className="highlight">
        <ShownText text={piece} />
      </mark>
    ) : (
      <ShownText key={`${at} ${piece}`} text={piece} />
    ),
  );
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
