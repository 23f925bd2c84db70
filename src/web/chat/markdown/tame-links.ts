import type { Element, ElementContent, Root } from "hast";
import { faceOfLink } from "./link-face.js";

/**
 * A rehype plugin, to be used before sanitising: what leads nowhere becomes text that shows its address, and an image, which the
 * browser would fetch and so tell somebody that it was read, becomes a link.
 */
export function tameLinks() {
  return (tree: Root) => {
    for (const node of tree.children) if (node.type === "element") tame(node);
  };
}

function tame(node: Element): void {
  if (node.tagName === "img") turnIntoLink(node);
  for (const child of node.children) if (child.type === "element") tame(child);
  if (node.tagName !== "a") return;
  const address = textProperty(node, "href");
  const face = faceOfLink(address, textOf(node));
  if (face.kind === "link") return;
  node.tagName = "span";
  node.properties = { className: ["blocked-link"] };
  if (face.shown !== "" && face.shown !== textOf(node))
    node.children.push({ type: "text", value: ` [${face.shown}]` });
}

function turnIntoLink(node: Element): void {
  const address = textProperty(node, "src");
  const alt = textProperty(node, "alt");
  node.tagName = "a";
  node.properties = { href: address, className: ["image-link"] };
  node.children = [{ type: "text", value: alt === "" ? "image" : `image: ${alt}` }];
}

function textProperty(node: Element, name: string): string {
  const value = node.properties[name];
  return typeof value === "string" ? value : "";
}

/** What an element says. */
export function textOf(node: ElementContent | Root): string {
  if (node.type === "text") return node.value;
  if (node.type !== "element" && node.type !== "root") return "";
  let text = "";
  for (const child of node.children)
    if (child.type === "text" || child.type === "element") text += textOf(child);
  return text;
}
