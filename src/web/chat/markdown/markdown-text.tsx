import { memo, useMemo } from "react";
import Markdown, { type Components } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { ShownText } from "../../parts/shown-text.js";
import { PLAIN_FROM } from "../bubble/fold-content.js";
import { CodeBlock } from "./code-block.js";
import { keepLineBreaks } from "./keep-line-breaks.js";
import { markHidden } from "./mark-hidden.js";
import { splitBlocks } from "./markdown-blocks.js";
import { MarkedLink } from "./marked-link.js";
import { tameLinks, textOf } from "./tame-links.js";
import "./markdown-text.css";

/*
 * What agents write, as Markdown. Hostile until shown otherwise: raw HTML is text, nothing is fetched, links say where they lead.
 */

const schema = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter(
    (tag) => tag !== "img" && tag !== "picture" && tag !== "source",
  ),
  attributes: {
    ...defaultSchema.attributes,
    a: ["href", ["className", "image-link"] satisfies [string, string]],
    span: [["className", "blocked-link"] satisfies [string, string]],
    img: [],
  },
  protocols: { href: ["http", "https", "mailto"] },
};

const components: Components = {
  a: ({ href, className, node }) => (
    <MarkedLink
      href={href ?? ""}
      text={node === undefined ? "" : textOf(node)}
      isImage={className === "image-link"}
    />
  ),
  pre: ({ node }) => {
    const code = node?.children.find((child) => child.type === "element");
    const classes = code?.properties["className"];
    const language = Array.isArray(classes) ? String(classes[0] ?? "").replace(/^language-/, "") : "";
    return <CodeBlock code={code === undefined ? "" : textOf(code).replace(/\n$/, "")} language={language} />;
  },
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <div className="markdown__table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
};

const remarkPlugins = [remarkGfm];
const rehypePlugins = [
  tameLinks,
  [rehypeSanitize, schema] satisfies [typeof rehypeSanitize, typeof schema],
  keepLineBreaks,
  markHidden,
];

export const MarkdownText = memo(function MarkdownText({ text }: { text: string }) {
  const blocks = useMemo(() => (text.length > PLAIN_FROM ? [] : splitBlocks(text)), [text]);
  if (text.length > PLAIN_FROM)
    return (
      <pre className="markdown markdown--plain">
        <ShownText text={text} />
      </pre>
    );
  return (
    <div className="markdown" dir="auto">
      {blocks.map((block, index) => (
        <Block key={index} text={block} />
      ))}
    </div>
  );
});

const Block = memo(function Block({ text }: { text: string }) {
  return (
    <Markdown
      remarkPlugins={remarkPlugins}
      rehypePlugins={rehypePlugins}
      components={components}
      urlTransform={keepUrl}
    >
      {text}
    </Markdown>
  );
});

/** Sanitised already. */
function keepUrl(url: string): string {
  return url;
}
