import { useMemo, useState } from "react";
import type { PermissionDecision } from "../../model/permission.js";
import { hub } from "../hub/hub.js";
import { Button } from "../parts/button.js";
import { ShownText } from "../parts/shown-text.js";
import { ExactBlock, ExactCommand } from "./exact-command.js";
import { ExactDiff } from "./exact-diff.js";
import { ExactText } from "./exact-text.js";
import { ExpiryRing } from "./expiry-ring.js";
import type { FactsAbout } from "./facts-about.js";
import { NeedCard, NeedFacts } from "./need-card.js";
import { type Asked, quoteArgv, readAsked } from "./read-asked.js";
import type { ShownNeed } from "./shown-needs.js";
import { useAct } from "./use-act.js";
import { useSteady } from "./use-steady.js";

type Facts = FactsAbout<"permission">;

/** Something that an agent asks to be allowed to do, exactly as it would be done. */
export function PermissionCard({ shown, facts }: { shown: ShownNeed; facts: Facts }) {
  const { id, agent, at, expires, actions } = shown.need;
  const act = useAct();
  const { click, canAct } = useSteady();
  const [isAsking, setAsking] = useState(false);
  const asked = useMemo(() => readAsked(facts.details), [facts.details]);
  const offered = new Set(actions.map(({ action }) => action));
  const name = agent ?? "";
  const answer = (decision: PermissionDecision) =>
    void act.run(decision, () => hub.answerPermission(id, decision));
  const props = (decision: PermissionDecision) => ({
    working: act.isWorking(decision),
    disabled: act.isBusy || !canAct,
  });
  const always = alwaysWords(facts, asked);
  return (
    <NeedCard
      shown={shown}
      who={[name]}
      says={{ name, what: sayAct(facts) }}
      aside={expires !== null && <ExpiryRing at={at} expires={expires} what="denied" />}
      failed={act.state}
      actions={
        isAsking ? (
          <AlwaysQuestion
            words={always}
            onBack={() => setAsking(false)}
            onAnswer={click(() => answer("always"))}
            working={act.isWorking("always")}
            disabled={act.isBusy || !canAct}
          />
        ) : (
          <>
            {offered.has("once") && (
              <Button
                {...props("once")}
                className="need__first"
                shortcut="o"
                data-act-key="o"
                onClick={click(() => answer("once"))}
              >
                Allow once
              </Button>
            )}
            {offered.has("session") && (
              <Button
                {...props("session")}
                shortcut="s"
                data-act-key="s"
                onClick={click(() => answer("session"))}
              >
                <span className="need__long">For this session</span>
                <span className="need__short">Session</span>
              </Button>
            )}
            {offered.has("always") && (
              <Button
                {...props("always")}
                shortcut="a"
                data-act-key="a"
                onClick={click(() => setAsking(true))}
              >
                Always…
              </Button>
            )}
            {offered.has("always") && (
              <span className="need__rule">
                always ={" "}
                <code>
                  <ExactText text={always.join("; ")} />
                </code>
              </span>
            )}
            {!offered.has("once") && (
              <span className="need__rule">
                {offered.size === 1 ? "It can only be denied: it is too long to be shown whole." : ""}
              </span>
            )}
            <Button
              {...props("deny")}
              kind="danger"
              className="need__deny"
              shortcut="d"
              data-act-key="d"
              onClick={click(() => answer("deny"))}
            >
              Deny
            </Button>
          </>
        )
      }
    >
      <AskedParts facts={facts} asked={asked} />
      <NeedFacts
        facts={[
          facts.folder === null
            ? undefined
            : [
                "folder",
                <code key="f">
                  <ExactText text={facts.folder} />
                </code>,
              ],
          ["tool", <ToolName key="t" facts={facts} />],
          facts.turn_for.length === 0 ? undefined : ["turn for", facts.turn_for.map(sayMember).join(", ")],
          facts.policy === null ? undefined : ["policy", facts.policy],
        ]}
      />
    </NeedCard>
  );
}

/** The rule itself, and only then the button that makes it: it holds for good. */
function AlwaysQuestion(props: {
  words: readonly string[];
  onBack: () => void;
  onAnswer: (event: React.MouseEvent) => void;
  working: boolean;
  disabled: boolean;
}) {
  return (
    <section className="need__always" aria-label="Allow it always">
      <p className="need__always-words">
        From now on, without asking:{" "}
        {props.words.map((word) => (
          <code key={word} className="need__always-rule">
            <ExactText text={word} />
          </code>
        ))}
      </p>
      <Button
        working={props.working}
        disabled={props.disabled}
        shortcut="a"
        data-act-key="a"
        onClick={props.onAnswer}
      >
        Always allow this
      </Button>
      <Button kind="quiet" data-act-key="Escape" onClick={props.onBack}>
        Back
      </Button>
    </section>
  );
}

function AskedParts({ facts, asked }: { facts: Facts; asked: Asked }) {
  const { title, check } = facts;
  const isTold =
    asked.commands.includes(title) || (asked.words?.includes(title) ?? false) || asked.changes.length > 0;
  return (
    <div className="need__asked">
      {check !== undefined && <ExactCommand command={quoteArgv(check.argv)} />}
      {!isTold && check === undefined && (
        <p className="need__title">
          <ExactText text={title} />
        </p>
      )}
      {asked.words !== undefined && <ExactBlock label="Its screen says" text={asked.words} />}
      {check === undefined &&
        asked.commands.map((command, at) => <ExactCommand key={at} command={command} />)}
      {asked.changes.map((change, at) => (
        <ExactDiff key={at} change={change} />
      ))}
      {check === undefined &&
        asked.rest.map(({ name, text }, at) => <Rest key={at} name={name} text={text} />)}
    </div>
  );
}

/** Whatever else came with it: short ones in a row, long ones in a block. */
function Rest({ name, text }: { name: string; text: string }) {
  if (text.length > 120 || text.includes("\n")) return <ExactBlock label={name} text={text} />;
  return (
    <p className="need__rest">
      <span className="need__rest-name">{name}</span>{" "}
      <code>
        <ExactText text={text} />
      </code>
    </p>
  );
}

function ToolName({ facts: { tool, title, act, backend } }: { facts: Facts }) {
  // Some CLIs give no name of the tool, but the title for it.
  const name = tool === title ? act : tool;
  return (
    <>
      <ShownText text={name} />
      {backend !== null && ` (${backend})`}
    </>
  );
}

const acts: Readonly<Record<string, string>> = {
  read: "asks to read",
  edit: "asks to edit a file",
  delete: "asks to delete",
  move: "asks to move a file",
  search: "asks to search",
  execute: "asks to run a command",
  fetch: "asks to fetch from the network",
  think: "asks to think",
};

function sayAct({ act, tool, title, check }: Facts): string {
  if (check !== undefined) return `has a task that wants to run the check ${check.name}`;
  return acts[act] ?? (tool === title ? "asks to use a tool" : `asks to use ${tool}`);
}

/** In the agent's own words: the rule, where its CLI names one, else the option's label. */
function alwaysWords({ options, check }: Facts, { always }: Asked): readonly string[] {
  if (always.length > 0) return always;
  if (check !== undefined) return [`${check.argv.join(" ")} in ${check.project}`];
  return [options.find(({ grants }) => grants === "always")?.label ?? "always"];
}

function sayMember(name: string): string {
  return name === "user" ? "you" : name;
}
