import { type KeyboardEvent, useState } from "react";
import { dropMention, findMention, type Mention, matchNames } from "./mention.js";
import type { Recipient } from "./outlook.js";
import type { Choice } from "./recipient-list.js";

type Options = {
  text: string;
  caret: number;
  recipients: readonly Recipient[];
  setText: (text: string) => void;
  choose: (name: string) => void;
};

/** The list below an `@`: what is in it, which row is chosen, and what keys do meanwhile. */
export function useRecipientChoice({ text, caret, recipients, setText, choose }: Options) {
  const [at, setAt] = useState(0);
  const [closed, setClosed] = useState<number>();
  const mention = findMention(text, caret);
  const isOpen = mention !== undefined && mention.from !== closed;
  const choices = isOpen ? listChoices(recipients, mention) : [];
  const active = Math.min(at, choices.length - 1);

  function take(choice: Choice): void {
    if (mention !== undefined) setText(dropMention(text, mention));
    choose(choice.name);
    setAt(0);
  }

  /** Whether the list took the key. */
  function takeKey(event: KeyboardEvent): boolean {
    const chosen = choices[active];
    if (chosen === undefined) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((active + step + choices.length) % choices.length);
    else if (event.key === "Enter" || event.key === "Tab") take(chosen);
    else if (event.key === "Escape") setClosed(mention?.from);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  return { choices, active, take, takeKey, close: () => setClosed(mention?.from) };
}

function listChoices(recipients: readonly Recipient[], { typed }: Mention): Choice[] {
  const found: Choice[] = matchNames(recipients, typed).slice(0, 8);
  return "all".startsWith(typed) && recipients.length > 1
    ? [...found, { name: "all", count: recipients.length }]
    : found;
}
