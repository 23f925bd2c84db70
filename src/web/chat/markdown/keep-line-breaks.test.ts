import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import Markdown from "react-markdown";
import { expect, test } from "vitest";
import { keepLineBreaks } from "./keep-line-breaks.js";

function render(text: string): string {
  return renderToStaticMarkup(createElement(Markdown, { rehypePlugins: [keepLineBreaks] }, text));
}

test.each([
  ["a line that ends is ended", "one\ntwo", "<p>one<br/>two</p>"],
  ["also between words in bold", "**one**\n**two**", "<p><strong>one</strong><br/><strong>two</strong></p>"],
  ["a break that Markdown knows is one break", "one  \ntwo", "<p>one<br/>two</p>"],
  ["an item of a list keeps its lines", "- one\n  two", "<ul>\n<li>one<br/>two</li>\n</ul>"],
  [
    "code is as it was",
    "```\none\ntwo\n```\n\n`a\nb`",
    "<pre><code>one\ntwo\n</code></pre>\n<p><code>a b</code></p>",
  ],
  [
    "blocks stay blocks",
    "one\n\n- two\n  - three",
    "<p>one</p>\n<ul>\n<li>two\n<ul>\n<li>three</li>\n</ul>\n</li>\n</ul>",
  ],
])("%s", (_, text, html) => {
  expect(render(text)).toBe(html);
});
