import { Search, X } from "lucide-react";
import { type KeyboardEvent, type RefObject, useId, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useAgents } from "../hub/use-agents.js";
import { Key } from "../parts/key.js";
import { Monogram } from "../parts/monogram.js";
import { Popover } from "../parts/popover.js";
import { ShownText } from "../parts/shown-text.js";
import "./log-field.css";
import { type FieldQuery, type Suggestion, suggest, takeChips, wordBefore } from "./complete-query.js";

type Props = {
  query: FieldQuery;
  onChange: (query: FieldQuery) => void;
  /** How many were found, and of how many. */
  count: string;
  /** What is wrong with the query. */
  problem: string | undefined;
  input: RefObject<HTMLInputElement | null>;
  /** The rows get the keys. */
  onLeave: () => void;
};

/** What is looked for: words, and filters, which stand as chips once they are complete. Each is suggested as it is written. */
export function LogField({ query, onChange, count, problem, input, onLeave }: Props) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const agents = useAgents();
  const [caret, setCaret] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const { from, word } = wordBefore(query.text, caret);
  const suggestions = useMemo(
    () => (isOpen ? suggest(word, { agents: agents.map(({ name }) => name), now: new Date() }) : []),
    [isOpen, word, agents],
  );
  const chosen = suggestions[Math.min(active, suggestions.length - 1)];

  const write = (text: string, at: number) => {
    const next = takeChips({ ...query, text });
    onChange(next);
    setCaret(next.text === text ? at : next.text.length);
    setActive(0);
    setOpen(true);
  };

  /** A filter goes on with its value; a value is complete, and the space behind it makes it a chip. */
  const accept = ({ text }: Suggestion) => {
    const whole = text.endsWith(":") ? text : `${text} `;
    writeAt(from + whole.length, () =>
      write(query.text.slice(0, from) + whole + query.text.slice(caret), from + whole.length),
    );
  };

  /** With the caret there at once: whoever types on must not have it moved a frame later. */
  const writeAt = (at: number, change: () => void) => {
    flushSync(change);
    input.current?.focus();
    input.current?.setSelectionRange(at, at);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const act = keyActs[event.key];
    if (act?.() === true) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  const move = (step: number) => () => {
    if (suggestions.length === 0) return false;
    setActive((Math.min(active, suggestions.length - 1) + step + suggestions.length) % suggestions.length);
    return true;
  };
  const take = () => {
    if (chosen === undefined) return false;
    accept(chosen);
    return true;
  };
  const keyActs: Readonly<Record<string, () => boolean>> = {
    ArrowDown: () => {
      if (suggestions.length > 0) return move(1)();
      onLeave();
      return true;
    },
    ArrowUp: move(-1),
    Tab: take,
    Enter: () => {
      if (take()) return true;
      onChange(takeChips({ ...query, text: `${query.text} ` }));
      setOpen(false);
      onLeave();
      return true;
    },
    Escape: () => {
      if (suggestions.length === 0) return false;
      setOpen(false);
      return true;
    },
    Backspace: () => {
      const last = query.chips.at(-1);
      if (caret !== 0 || input.current?.selectionEnd !== 0 || last === undefined) return false;
      // It can be mended, rather than written again.
      writeAt(last.written.length, () => {
        onChange({ chips: query.chips.slice(0, -1), text: `${last.written}${query.text}` });
        setCaret(last.written.length);
      });
      return true;
    },
  };

  return (
    <div className="log-field" ref={box} data-wrong={problem !== undefined || undefined}>
      <Search size={15} aria-hidden="true" />
      {query.chips.map(({ written, filter, value }, at) => (
        <button
          key={`${at} ${written}`}
          type="button"
          className="log-field__chip"
          aria-label={`Remove ${written}`}
          onClick={() => {
            onChange({ ...query, chips: query.chips.filter((_, other) => other !== at) });
            input.current?.focus();
          }}
        >
          {filter}:{" "}
          <b>
            <ShownText text={value} />
          </b>
          <X size={11} aria-hidden="true" />
        </button>
      ))}
      <input
        ref={input}
        className="log-field__input"
        role="combobox"
        aria-label="Search the log"
        aria-expanded={suggestions.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${suggestions.indexOf(chosen)}`}
        aria-invalid={problem !== undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={query.chips.length === 0 ? "Words, or from: to: type: status: after: before:" : ""}
        value={query.text}
        onChange={({ target }) => write(target.value, target.selectionStart ?? target.value.length)}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? 0)}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <span className="log-field__count figures">{count}</span>
      <Key>/</Key>
      {suggestions.length > 0 && (
        <Popover anchor={box} keepFocus className="log-field__sheet" onClose={() => setOpen(false)}>
          <div id={id} role="listbox" aria-label="Suggestions">
            {suggestions.map((one, at) => (
              <div
                key={one.label}
                id={`${id}-${at}`}
                role="option"
                tabIndex={-1}
                aria-selected={one === chosen}
                className="log-field__option"
                // Before the focus moves: the writer goes on writing.
                onPointerDown={(event) => {
                  event.preventDefault();
                  accept(one);
                }}
              >
                {one.agent !== undefined && <Monogram name={one.agent} size={18} />}
                <span className="log-field__label">
                  <ShownText text={one.label} />
                </span>
                <span className="log-field__note">{one.note}</span>
              </div>
            ))}
          </div>
        </Popover>
      )}
    </div>
  );
}
