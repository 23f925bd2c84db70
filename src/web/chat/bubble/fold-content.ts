/** How much of a message is shown before it is opened. */
const LINES = 40;
const CHARACTERS = 6000;
/** Beyond this, Markdown is not worth its time: the text is shown as it is. */
export const PLAIN_FROM = 200_000;

export type Folded = {
  shown: string /** What the button says; undefined when all is shown. */;
  more?: string;
};

export function foldContent(content: string): Folded {
  const lines = content.split("\n");
  if (lines.length > LINES)
    return { shown: cut(lines.slice(0, LINES).join("\n")), more: `show ${lines.length} lines` };
  if (content.length <= CHARACTERS) return { shown: content };
  return { shown: cut(content), more: `show all ${Math.ceil(content.length / 1000)} KB` };
}

function cut(text: string): string {
  return text.length <= CHARACTERS ? text : `${text.slice(0, CHARACTERS)}…`;
}
