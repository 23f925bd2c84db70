import type { ServiceProgram } from "./service-program.js";

/* A user unit as systemd.service(5) and systemd.syntax(7) have it. */

const MARK = "# Written by `huddle service install`.";

export function renderUnit({ argv, env }: ServiceProgram): string {
  return `${MARK} To change it: systemctl --user edit
[Unit]
Description=Huddle hub
# Five failures in five minutes are no accident: it stays down until somebody looks.
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=exec
ExecStart=${execLine(argv)}
WorkingDirectory=/
${Object.entries(env)
  .map(([name, value]) => `Environment=${quote(`${name}=${value}`)}\n`)
  .join("")}Restart=on-failure
RestartSec=2
# 2: the configuration is wrong. Another start would not help.
RestartPreventExitStatus=2
# The hub ends what it runs itself; panes outlive a crash and are taken up again.
KillMode=process
TimeoutStopSec=90

[Install]
WantedBy=default.target
`;
}

/** systemd takes no quotes and backslashes in the name of an executable, but everything in its arguments. */
function execLine([node, ...rest]: ServiceProgram["argv"]): string {
  const first = /["'`\\]/.test(node) ? `/usr/bin/env ${quoteArgument(node)}` : quote(node);
  return [first, ...rest.map(quoteArgument)].join(" ");
}

export function isOurUnit(text: string): boolean {
  return text.startsWith(MARK);
}

/** What a unit of ours runs: the executable and its first argument. */
export function readUnit(text: string): [node: string, main: string] | undefined {
  const words = /^ExecStart=(\/usr\/bin\/env )?"((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)"/m.exec(text);
  if (words === null) return undefined;
  const [, isArgument, node = "", main = ""] = words;
  const argument = (word: string) => unquote(word).replaceAll("$$", "$");
  return [isArgument === undefined ? unquote(node) : argument(node), argument(main)];
}

/** A line must stay one line. */
const breaks: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Quoted: specifiers (`%h`) and C escapes are read in quotes, too. */
function quote(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("%", "%%")
    .replace(/[\n\r\t]/g, (character) => breaks[character] ?? "");
  return `"${escaped}"`;
}

/** Variables are put in everywhere but in the executable. */
function quoteArgument(text: string): string {
  return quote(text.replaceAll("$", "$$$$"));
}

function unquote(text: string): string {
  const characters = new Map(Object.entries(breaks).map(([character, written]) => [written, character]));
  return text
    .replace(/\\(.)/g, (written, character: string) => characters.get(written) ?? character)
    .replaceAll("%%", "%");
}
