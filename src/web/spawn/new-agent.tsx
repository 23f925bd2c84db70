import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import type { HubClient } from "../../client/hub-client.js";
import { HubError } from "../../model/errors.js";
import { type PermissionPolicy, permissionPolicies } from "../../model/hosting.js";
import { type ToolsetName, toolsetNames } from "../../model/toolset.js";
import { useCanAct } from "../hub/connection.js";
import { hub } from "../hub/hub.js";
import { ExactBlock } from "../needs/exact-command.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { CommandLine } from "../parts/empty-state.js";
import { ErrorCard } from "../parts/error-card.js";
import { showToast } from "../parts/toast-store.js";
import "../needs/exact.css";
import { goTo } from "../shell/places.js";
import { useKeys } from "../shell/use-keys.js";
import { BackendCards } from "./backend-cards.js";
import { FolderPicker } from "./folder-picker.js";
import { NameField } from "./name-field.js";
import "./new-agent.css";
import { Choice, Row, RuntimeChoice, Worktree } from "./spawn-fields.js";
import { toBody } from "./spawn-form.js";
import { policyWords, toolsetWords } from "./spawn-words.js";
import { changeDraft, clearDraft, useSpawnDraft } from "./use-spawn-draft.js";

type Spawned = Awaited<ReturnType<HubClient["spawn"]>>;

/** Nothing yet, on its way, refused with what was typed still there, or waiting for a dialog on its screen. */
type State =
  | { kind: "editing" }
  | { kind: "starting" }
  | { kind: "failed"; error: unknown }
  | { kind: "waiting"; spawned: Spawned };

/** A CLI may take its time to start. */
const SPAWN_MS = 180_000;

export function NewAgent({ onClose }: { onClose: () => void }) {
  const form = useSpawnDraft((state) => state.form);
  const [state, setState] = useState<State>({ kind: "editing" });
  const canAct = useCanAct();
  const ids = useId();
  const failure = useRef<HTMLDivElement>(null);
  const found = useQuery({
    queryKey: ["backends"],
    queryFn: ({ signal }) => hub.backends({ signal }),
    staleTime: 10_000,
    refetchInterval: ({ state: { data } }) =>
      data?.backends.some(({ checking }) => checking) === true ? 1000 : false,
  });
  const backends = found.data?.backends;
  const backend =
    backends?.find(({ name }) => name === form.backend) ??
    backends?.find(({ name }) => name === found.data?.default) ??
    backends?.find(({ installed }) => installed);
  const policy = form.permissions ?? backend?.permissions ?? "ask";
  const runtime = form.runtime ?? backend?.runtime ?? undefined;
  const tools = form.tools ?? backend?.tools ?? "huddle";
  const isStarting = state.kind === "starting";
  useEffect(() => {
    if (state.kind === "failed") failure.current?.scrollIntoView({ block: "end" });
  }, [state]);

  async function start(): Promise<void> {
    if (isStarting || !canAct) return;
    setState({ kind: "starting" });
    const body = { ...toBody(form), ...(backend === undefined ? {} : { backend: backend.name }) };
    try {
      const spawned = await hub.spawn(body, { timeoutMs: SPAWN_MS });
      clearDraft();
      if (spawned.state === "waiting") return setState({ kind: "waiting", spawned });
      if (spawned.hint !== undefined)
        showToast({ tone: "done", title: `${spawned.name} started`, text: spawned.hint });
      goTo({ page: "agent", name: spawned.name });
    } catch (error) {
      setState({ kind: "failed", error });
    }
  }
  useKeys(
    "New agent",
    [
      { keys: "mod+Enter", label: "start", whileWriting: true, act: () => void start() },
      { keys: "Escape", label: "close", whileWriting: true, act: onClose },
    ],
    { inDialog: true },
  );
  if (state.kind === "waiting") return <WaitsForYou spawned={state.spawned} onClose={onClose} />;
  return (
    <Dialog
      title="New agent"
      onClose={onClose}
      footer={
        <>
          <span className={`spawn__foot ${policy === "allow-all" ? "spawn__foot--amber" : ""}`}>
            Starts under you. {policyWords[policy].foot}
          </span>
          <Button kind="quiet" className="spawn__cancel" onClick={onClose}>
            Cancel
          </Button>
          <Button
            kind="primary"
            shortcut={isMac ? "⌘↵" : "Ctrl ↵"}
            working={isStarting}
            disabled={!canAct || backend?.installed === false}
            onClick={() => void start()}
          >
            {isStarting ? "Starting" : "Start agent"}
          </Button>
        </>
      }
    >
      <div className="dialog__body spawn">
        <Row label="Name" htmlFor={`${ids}-name`}>
          <NameField id={`${ids}-name`} value={form.name} onChange={(name) => changeDraft({ name })} />
        </Row>
        <Row label="Backend">
          <BackendCards
            backends={backends}
            error={found.error}
            chosen={backend}
            onChoose={(name) => changeDraft({ backend: name, runtime: undefined, permissions: undefined })}
            retry={() => void found.refetch()}
          />
        </Row>
        {backend !== undefined && (
          <Row label="Runtime">
            <RuntimeChoice
              backend={backend}
              value={runtime}
              onChange={(one) => changeDraft({ runtime: one })}
            />
          </Row>
        )}
        <Row label="Project folder" htmlFor={`${ids}-folder`}>
          <FolderPicker
            id={`${ids}-folder`}
            value={form.project}
            onChange={(project) => changeDraft({ project })}
          />
          <Worktree
            project={form.project}
            value={form.worktree ?? backend?.worktree ?? false}
            onChange={(worktree) => changeDraft({ worktree })}
          />
        </Row>
        <Row label="Model" htmlFor={`${ids}-model`}>
          <div className="spawn__pair">
            <input
              id={`${ids}-model`}
              className="spawn__input"
              list={`${ids}-models`}
              placeholder="as its CLI has it"
              value={form.model}
              spellCheck={false}
              onChange={(event) => changeDraft({ model: event.target.value })}
            />
            <datalist id={`${ids}-models`}>
              {backend?.models.map((model) => (
                <option key={model} value={model} />
              ))}
            </datalist>
            <label className="spawn__second" htmlFor={`${ids}-policy`}>
              Permissions
            </label>
            <Choice
              id={`${ids}-policy`}
              value={policy}
              options={permissionPolicies}
              onChange={(permissions: PermissionPolicy) => changeDraft({ permissions })}
            />
          </div>
          <p className={`spawn__hint ${policy === "allow-all" ? "spawn__hint--amber" : ""}`}>
            {policyWords[policy].does}
          </p>
        </Row>
        <Row label="Tools" htmlFor={`${ids}-tools`}>
          <div className="spawn__tools">
            <Choice
              id={`${ids}-tools`}
              value={tools}
              options={toolsetNames}
              onChange={(chosen: ToolsetName) => changeDraft({ tools: chosen })}
            />
            <span className="spawn__hint">{toolsetWords[tools]}</span>
          </div>
        </Row>
        <Row label="First message" htmlFor={`${ids}-message`}>
          <textarea
            id={`${ids}-message`}
            className="spawn__input spawn__message"
            rows={3}
            placeholder="What it is to do. Without one it waits for mail."
            value={form.message}
            onChange={(event) => changeDraft({ message: event.target.value })}
          />
        </Row>
        {state.kind === "failed" && (
          <div ref={failure} className="spawn__failed">
            <SpawnFailed error={state.error} install={backend?.install ?? null} retry={() => void start()} />
          </div>
        )}
      </div>
    </Dialog>
  );
}

const isMac = /mac|iphone|ipad/i.test(navigator.platform);

/** The hub's own words, and the next step. */
function SpawnFailed({
  error,
  install,
  retry,
}: {
  error: unknown;
  install: string | null;
  retry: () => void;
}) {
  const code = error instanceof HubError ? error.code : undefined;
  return (
    <ErrorCard title="The agent did not start" error={error} retry={retry}>
      {code === "BACKEND_MISSING" && install !== null && <CommandLine command={install} />}
      {(code === "TIMED_OUT" || code === "HUB_UNREACHABLE" || code === "OUTCOME_UNKNOWN") && (
        <span className="spawn__hint">
          It may have started all the same: look among the agents before you try again.
        </span>
      )}
    </ErrorCard>
  );
}

/** It started, and its CLI shows a dialog that only the person can answer. */
function WaitsForYou({ spawned: { name, words }, onClose }: { spawned: Spawned; onClose: () => void }) {
  return (
    <Dialog
      title={`${name} waits for you`}
      onClose={onClose}
      footer={
        <>
          <span className="spawn__foot">
            It goes on as soon as the dialog is answered. Its mail waits until then.
          </span>
          <Button kind="primary" onClick={() => goTo({ page: "agent", name })}>
            Go to {name}
          </Button>
        </>
      }
    >
      <div className="dialog__body spawn">
        <p className="spawn__text">Its CLI shows a dialog on its screen. Answer it in the pane:</p>
        <CommandLine command={`huddle attach ${name}`} />
        {words !== undefined && <ExactBlock label="Its screen says" text={words} />}
      </div>
    </Dialog>
  );
}
