import { ChevronDown, CornerUpLeft, Users, X } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from "react";
import { agentColorProps } from "../../parts/agent-color.js";
import { Button, IconButton } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { Menu } from "../../parts/menu.js";
import { Popover } from "../../parts/popover.js";
import { SegmentedControl } from "../../parts/segmented-control.js";
import type { Message } from "../bubble/mail.js";
import { firstWords } from "../turn/sent-line.js";
import { useDraft } from "./drafts.js";
import { type Mode, type Recipient, sayOutlook } from "./outlook.js";
import { RecipientList } from "./recipient-list.js";
import { useRecipientChoice } from "./use-recipient-choice.js";
import "./composer.css";

export type Letter = { to: string; text: string; attention: Mode; replyTo?: string };

type Props = {
  /** The agent of the page. */
  own: { id: string; name: string };
  recipients: readonly Recipient[];
  /** The hub does not answer: what is written waits on this page. */
  isHubAway: boolean;
  /** What is answered, and who wrote it. */
  replyTo: { message: Message; to: string } | undefined;
  onEndReply: () => void;
  mode: Mode;
  onMode: (mode: Mode) => void;
  onSend: (letter: Letter) => void;
  input: RefObject<HTMLTextAreaElement | null>;
};

/** Where the person writes. */
export function Composer(props: Props) {
  const { own, recipients, isHubAway, replyTo, mode, onMode, onSend, input } = props;
  const [text, setText] = useDraft(own.id);
  const [chosen, setChosen] = useState<{ about: string; to: string }>();
  const [caret, setCaret] = useState(0);
  const [asks, setAsks] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const listId = useId();
  // Whoever was chosen is meant for this page and this reply only; an answer goes to whoever is answered.
  const about = `${own.id} ${replyTo?.message.id ?? ""}`;
  const to = chosen?.about === about ? chosen.to : (replyTo?.to ?? own.name);
  const recipient = to === "all" ? "all" : recipients.find(({ name }) => name === to);
  const choose = (name: string) => setChosen({ about, to: name });
  const { choices, active, take, takeKey, close } = useRecipientChoice({
    text,
    caret,
    recipients,
    setText,
    choose,
  });
  useGrowing(input, text);

  function send(): void {
    if (text.trim() === "") {
      input.current?.focus();
      return;
    }
    if (to === "all" && !asks) {
      setAsks(true);
      return;
    }
    setAsks(false);
    onSend({
      to,
      text: text.trim(),
      attention: mode,
      ...(replyTo === undefined ? {} : { replyTo: replyTo.message.id }),
    });
    setText("");
    setCaret(0);
    setChosen(undefined);
    onMode("queue");
    props.onEndReply();
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // A word that is still being composed takes its own Enter.
    if (event.nativeEvent.isComposing || takeKey(event)) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    } else if (event.key === "Escape") input.current?.blur();
  }

  return (
    <div className="composer" ref={box}>
      {replyTo === undefined ? null : <ReplyChip message={replyTo.message} onEnd={props.onEndReply} />}
      <textarea
        ref={input}
        className="composer__input"
        rows={1}
        value={text}
        placeholder={`Message ${to === "all" ? "all agents" : to}…`}
        aria-label={`Message to ${to}`}
        aria-describedby={`${listId}-outlook`}
        {...(choices.length > 0
          ? {
              "aria-controls": listId,
              "aria-activedescendant": `${listId}-${active}`,
              "aria-autocomplete": "list",
            }
          : {})}
        onChange={(event) => {
          setText(event.target.value);
          setCaret(event.target.selectionStart);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
      />
      <div className="composer__bar">
        <RecipientChip to={to} recipients={recipients} onChoose={choose} />
        <SegmentedControl
          label="When it is read"
          value={mode}
          segments={[
            { value: "queue", label: "Queue" },
            { value: "interrupt", label: "Interrupt" },
          ]}
          onChange={onMode}
        />
        <span className="composer__outlook" id={`${listId}-outlook`}>
          {isHubAway
            ? "The hub is away: this will wait here, in order."
            : sayOutlook(recipient, mode, recipients.length)}
        </span>
        <Button kind="primary" shortcut="⏎" onClick={send}>
          {isHubAway ? "Send later" : "Send"}
        </Button>
      </div>
      {choices.length === 0 ? null : (
        <Popover anchor={box} placement="above-start" keepFocus onClose={close}>
          <RecipientList id={listId} choices={choices} active={active} onChoose={take} />
        </Popover>
      )}
      {asks ? <AskBroadcast count={recipients.length} onSend={send} onClose={() => setAsks(false)} /> : null}
    </div>
  );
}

function ReplyChip({ message, onEnd }: { message: Message; onEnd: () => void }) {
  return (
    <div className="composer__reply">
      <CornerUpLeft size={13} aria-hidden="true" />
      <span className="composer__reply-text">
        Reply to {message.source === "user" ? "you" : message.from}: {firstWords(message.content)}
      </span>
      <IconButton label="Do not reply to it" icon={<X size={13} />} onClick={onEnd} />
    </div>
  );
}

type ChipProps = { to: string; recipients: readonly Recipient[]; onChoose: (name: string) => void };

function RecipientChip({ to, recipients, onChoose }: ChipProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const names = recipients.map(({ name }) => name);
  return (
    <>
      <button
        ref={button}
        type="button"
        className="composer__to"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={`To ${to}`}
        onClick={() => setOpen(!isOpen)}
        {...agentColorProps(to)}
      >
        <span className="composer__to-name">@{to}</span> <ChevronDown size={12} aria-hidden="true" />
      </button>
      {isOpen ? (
        <Menu
          label="Recipient"
          anchor={button}
          placement="above-start"
          onClose={() => setOpen(false)}
          items={[
            ...names.map((name) => ({ label: name, checked: name === to, act: () => onChoose(name) })),
            {
              label: "all",
              icon: <Users size={14} />,
              hint: "broadcast",
              checked: to === "all",
              act: () => onChoose("all"),
            },
          ]}
        />
      ) : null}
    </>
  );
}

function AskBroadcast({
  count,
  onSend,
  onClose,
}: {
  count: number;
  onSend: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog
      title={`Send this to ${count} agents?`}
      width={420}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={onSend}>
            Send to {count} agents
          </Button>
        </>
      }
    >
      <p className="composer__ask">
        Each of them gets it as a message of yours, and each may begin a turn with it.
      </p>
    </Dialog>
  );
}

/** As high as what is in it, up to a third of the window. */
function useGrowing(input: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useEffect(() => {
    const element = input.current;
    if (element === null) return;
    element.style.height = "auto";
    if (text !== "") element.style.height = `${element.scrollHeight}px`;
  }, [input, text]);
}
