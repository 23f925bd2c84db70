import type { Element, ElementContent, Root } from "hast";

/** A rehype plugin: a line that ends in what somebody wrote ends on the screen too, as people expect of a chat. */
export function keepLineBreaks() {
  return (tree: Root) => {
    for (const node of tree.children) if (node.type === "element") breakLines(node, false);
  };
}

/** Between blocks Markdown has newlines of its own: only those of a text, or inside a paragraph, are the writer's. */
function breakLines(node: Element, isInText: boolean): void {
  if (node.tagName === "pre" || node.tagName === "code") return;
  const inText = isInText || node.tagName === "p";
  node.children = node.children.flatMap((child, index): ElementContent[] => {
    if (child.type === "element") breakLines(child, inText);
    if (child.type !== "text" || !child.value.includes("\n")) return [child];
    if (!inText && child.value.trim() === "") return [child];
    const before = node.children[index - 1];
    const isBroken = before?.type === "element" && before.tagName === "br";
    return splitLines(isBroken ? child.value.replace(/^\n/, "") : child.value);
  });
}

function splitLines(text: string): ElementContent[] {
  return text.split("\n").flatMap((line, index): ElementContent[] => {
    const words: ElementContent[] = line === "" ? [] : [{ type: "text", value: line }];
    return index === 0 ? words : [{ type: "element", tagName: "br", properties: {}, children: [] }, ...words];
  });
}
