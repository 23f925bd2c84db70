import type { Element, ElementContent, Root } from "hast";
import { hasUnsafe, splitUnsafe } from "../../parts/split-unsafe.js";
import "../../parts/shown-text.css";

/** A rehype plugin, to be used after sanitising: characters that nobody sees are shown by their code. */
export function markHidden() {
  return (tree: Root) => {
    for (const node of tree.children) if (node.type === "element") mark(node);
  };
}

function mark(node: Element): void {
  node.children = node.children.flatMap((child): ElementContent[] => {
    if (child.type === "element") mark(child);
    if (child.type !== "text" || !hasUnsafe(child.value)) return [child];
    return splitUnsafe(child.value).map((piece) =>
      piece.kind === "text"
        ? { type: "text", value: piece.text }
        : {
            type: "element",
            tagName: "span",
            properties: { className: ["escape"], title: piece.title },
            children: [{ type: "text", value: piece.text }],
          },
    );
  });
}
