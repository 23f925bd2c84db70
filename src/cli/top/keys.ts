import { StringDecoder } from "node:string_decoder";

type Named =
  | "up"
  | "down"
  | "home"
  | "end"
  | "pageUp"
  | "pageDown"
  | "enter"
  | "tab"
  | "escape"
  | "backspace"
  | "deleteWord"
  | "deleteLine"
  | "redraw"
  | "interrupt"
  | "suspend";

/** A key as it was pressed; what was pasted is no key press, however it begins. */
export type Key = { kind: Named } | { kind: "character"; text: string } | { kind: "paste"; text: string };

const controls: Readonly<Record<string, Named>> = {
  "\r": "enter",
  "\n": "enter",
  "\t": "tab",
  "\x7f": "backspace",
  "\b": "backspace",
  "\x03": "interrupt",
  "\x0c": "redraw",
  "\x15": "deleteLine",
  "\x17": "deleteWord",
  "\x1a": "suspend",
};

const sequences: Readonly<Record<string, Named>> = {
  "[A": "up",
  OA: "up",
  "[B": "down",
  OB: "down",
  "[H": "home",
  OH: "home",
  "[1~": "home",
  "[F": "end",
  OF: "end",
  "[4~": "end",
  "[5~": "pageUp",
  "[6~": "pageDown",
  "[Z": "tab",
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is how a terminal sends keys
const SEQUENCE = /^\x1b(\[[0-?]*[ -/]*[@-~]|O[ -~])/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the beginning of one
const UNFINISHED = /^\x1b(\[[0-?]*[ -/]*|O)?$/;
const PASTE_BEGINS = "\x1b[200~";
const PASTE_ENDS = "\x1b[201~";

export type KeyReader = {
  /** The keys in what the terminal sent. */
  read(chunk: Uint8Array | string): Key[];
  /** Something that may be Escape, or the beginning of another key, waits for more. */
  isWaiting(): boolean;
  /** No more came: it was Escape. */
  giveUp(): Key[];
};

export function createKeyReader(): KeyReader {
  const decoder = new StringDecoder("utf8");
  let rest = "";

  function* takeAll(): Generator<Key> {
    while (rest !== "") {
      if (rest.startsWith(PASTE_BEGINS)) {
        const end = rest.indexOf(PASTE_ENDS);
        if (end < 0) return;
        yield { kind: "paste", text: rest.slice(PASTE_BEGINS.length, end).replaceAll(/\r\n?/g, "\n") };
        rest = rest.slice(end + PASTE_ENDS.length);
      } else if (rest.startsWith("\x1b")) {
        if (UNFINISHED.test(rest)) return;
        yield* takeSequence();
      } else {
        const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
        rest = rest.slice(character.length);
        const control = controls[character];
        if (control !== undefined) yield { kind: control };
        else if (character >= " ") yield { kind: "character", text: character };
      }
    }
  }

  function* takeSequence(): Generator<Key> {
    const found = SEQUENCE.exec(rest);
    if (found === null) {
      // Alt with a key: it is not that key, which may mean yes.
      rest = rest.slice(1 + String.fromCodePoint(rest.codePointAt(1) ?? 0).length);
      yield { kind: "escape" };
      return;
    }
    rest = rest.slice(found[0].length);
    const kind = sequences[found[1] ?? ""];
    if (kind !== undefined) yield { kind };
  }

  return {
    read(chunk) {
      rest += typeof chunk === "string" ? chunk : decoder.write(Buffer.from(chunk));
      return [...takeAll()];
    },
    isWaiting: () => UNFINISHED.test(rest),
    giveUp() {
      if (!UNFINISHED.test(rest)) return [];
      rest = "";
      return [{ kind: "escape" }];
    },
  };
}
