import { useId, useState } from "react";
import type { AgentRow } from "../hub/agent-store.js";
import { hub } from "../hub/hub.js";
import { Ask, useAsked } from "../parts/ask.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { tellOutcome } from "../parts/tell-outcome.js";

/* What ends, renames or stops an agent. Whatever cannot be taken back asks first, and says what will happen. */

export async function pauseAgent({ id, name }: AgentRow): Promise<void> {
  await tellOutcome(hub.pause(id, {}), `${name} was not paused`, {
    title: `${name} is paused`,
    text: "Its turn ends first; its mail waits until you resume it.",
    action: { label: "Undo", act: () => void resumeAgent({ id, name }) },
  });
}

export async function resumeAgent({ id, name }: Pick<AgentRow, "id" | "name">): Promise<void> {
  await tellOutcome(hub.resume(id), `${name} was not resumed`, { title: `${name} goes on` });
}

type AskProps = { agent: AgentRow; onClose: () => void };

export function AskKill({ agent, onClose }: AskProps) {
  return (
    <Ask
      title={`Kill ${agent.name}?`}
      button="Kill"
      danger
      act={() => hub.kill(agent.id)}
      done={`${agent.name} was killed`}
      onClose={onClose}
    >
      It ends at once, with everything that it began. What it has not read fails, and the senders are told.
      Shut it down instead to let it finish its turn.
    </Ask>
  );
}

export function AskShutdown({ agent, onClose }: AskProps) {
  return (
    <Ask
      title={`Shut down ${agent.name}?`}
      button="Shut down"
      act={() => hub.shutdown(agent.id, {})}
      done={`${agent.name} was asked to end`}
      onClose={onClose}
    >
      It finishes its turn and ends. What it has not read fails, and the senders are told.
    </Ask>
  );
}

export function AskRename({ agent, onClose }: AskProps) {
  const [name, setName] = useState(agent.name);
  const id = useId();
  const act = () => hub.updateAgent(agent.id, { name });
  const { run, isRunning, error } = useAsked(act, `${agent.name} has another name`, onClose);
  return (
    <Dialog
      title={`Rename ${agent.name}`}
      width={420}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            working={isRunning}
            disabled={name === "" || name === agent.name}
            onClick={run}
          >
            Rename
          </Button>
        </>
      }
    >
      <form
        className="ask"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <label htmlFor={id}>New name</label>
        <input
          id={id}
          className="ask__input"
          value={name}
          spellCheck={false}
          onChange={(event) => setName(event.target.value)}
        />
        <p>
          Small letters, digits, - and _. What was sent before keeps the old name, which stays reserved for a
          day.
        </p>
        {error === undefined ? null : <p className="ask__error">{error}</p>}
      </form>
    </Dialog>
  );
}
