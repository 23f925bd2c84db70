import { FileUp } from "lucide-react";
import { type DragEvent, useEffect, useId, useRef, useState } from "react";
import { useCanAct } from "../hub/connection.js";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { sayWhy } from "../parts/error-card.js";
import { ShownText } from "../parts/shown-text.js";
import { showToast } from "../parts/toast-store.js";
import { goTo } from "../shell/places.js";
import { useKeys } from "../shell/use-keys.js";
import { FolderPicker } from "../spawn/folder-picker.js";
import "../spawn/new-agent.css";
import { Row } from "../spawn/spawn-fields.js";
import { useFolders } from "../spawn/use-folders.js";
import { type Checked, checkDefinition, readText, runDefinition } from "./check-definition.js";
import { ProblemList } from "./problem-list.js";
import "./run-dialog.css";

/** Nothing yet, read and checked, on its way, or refused for a reason that is not in the text. */
type State =
  | { kind: "empty" }
  | { kind: "checked"; checked: Checked }
  | { kind: "starting"; checked: Checked }
  | { kind: "failed"; checked: Checked | undefined; error: unknown };

const CHECK_AFTER_MS = 250;
const UNNAMED = "definition.yaml";

/** Runs a definition that is chosen, dropped or pasted, with the checks that `huddle workflow run` makes. */
export function RunDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [file, setFile] = useState(UNNAMED);
  const [state, setState] = useState<State>({ kind: "empty" });
  const [folder, setFolder] = useFolder();
  const [isOver, setOver] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const canAct = useCanAct();
  const ids = useId();

  useEffect(() => {
    let isOld = false;
    if (text.trim() === "") return setState({ kind: "empty" });
    const timer = window.setTimeout(() => {
      checkDefinition(text, file).then(
        (checked) => !isOld && setState({ kind: "checked", checked }),
        (error: unknown) => !isOld && setState({ kind: "failed", checked: undefined, error }),
      );
    }, CHECK_AFTER_MS);
    return () => {
      isOld = true;
      window.clearTimeout(timer);
    };
  }, [text, file]);

  const take = (given: File | undefined) => {
    if (given === undefined) return;
    readText(given).then(
      (read) => {
        setFile(given.name);
        setText(read);
      },
      (error: unknown) => setState({ kind: "failed", checked: undefined, error }),
    );
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };
  const checked = "checked" in state ? state.checked : undefined;
  const ready = state.kind !== "starting" && checked?.kind === "valid" ? checked.parsed : undefined;

  async function run(): Promise<void> {
    if (ready === undefined || checked === undefined || !canAct) return;
    setState({ kind: "starting", checked });
    try {
      const started = await runDefinition(ready, file, folder);
      if (started.kind === "invalid") return setState({ kind: "checked", checked: started });
      showToast({ tone: "done", title: `${ready.definition.name} runs` });
      onClose();
      goTo({ page: "workflows", id: started.id });
    } catch (error) {
      setState({ kind: "failed", checked, error });
    }
  }
  useKeys(
    "Run a workflow",
    [
      { keys: "mod+Enter", label: "run", whileWriting: true, act: () => void run() },
      { keys: "Escape", label: "close", whileWriting: true, act: onClose },
    ],
    { inDialog: true },
  );

  return (
    <Dialog
      title="Run a workflow"
      onClose={onClose}
      footer={
        <>
          <span className="spawn__foot">{sayFoot(state)}</span>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            kind="primary"
            working={state.kind === "starting"}
            disabled={ready === undefined || !canAct}
            onClick={() => void run()}
          >
            Run
          </Button>
        </>
      }
    >
      <div className="dialog__body spawn">
        <Row label="Definition" htmlFor={`${ids}-text`}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the button beside it does the same by keys */}
          <div
            className={`run-drop ${isOver ? "run-drop--over" : ""}`}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={drop}
          >
            <div className="run-drop__bar">
              <label className="button button--rest button--24 run-drop__pick">
                <FileUp size={13} aria-hidden="true" />
                <span>Choose a file…</span>
                <input
                  type="file"
                  className="visually-hidden"
                  accept=".yaml,.yml,.json,application/json,application/yaml,text/yaml"
                  aria-label="Choose a definition file"
                  onChange={(event) => take(event.target.files?.[0])}
                />
              </label>
              <span className="run-drop__name">
                {file === UNNAMED ? "or drop it here, or paste it below" : <ShownText text={file} />}
              </span>
            </div>
            <textarea
              id={`${ids}-text`}
              ref={field}
              className="run-drop__text"
              data-autofocus
              rows={14}
              spellCheck={false}
              placeholder={SAMPLE}
              aria-invalid={checked?.kind === "invalid"}
              aria-describedby={`${ids}-problems`}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </div>
          <div id={`${ids}-problems`} aria-live="polite">
            {checked?.kind === "invalid" && (
              <ProblemList file={file} problems={checked.problems} field={field} />
            )}
            {state.kind === "failed" && (
              <p className="spawn__hint spawn__hint--wrong" role="alert">
                <ShownText text={sayWhy(state.error).replace(/^This page failed: /, "")} />
              </p>
            )}
          </div>
        </Row>
        <Row label="Project folder" htmlFor={`${ids}-folder`}>
          <FolderPicker id={`${ids}-folder`} value={folder} onChange={setFolder} />
          <p className="spawn__hint">
            Where agents work that are started for it, unless the definition says. Folders in it that do not
            begin with / are meant from here.
          </p>
        </Row>
      </div>
    </Dialog>
  );
}

const SAMPLE = `name: fix-and-verify
steps:
  - name: reproduce
    agent: e2e-dev
    prompt: Reproduce SHOP-2417.
  - name: fix
    agent: cart-dev
    depends_on: [reproduce]
    prompt: "Fix it: {{reproduce.output}}"`;

function sayFoot(state: State): string {
  if (state.kind === "empty")
    return "The same file as for huddle workflow run. Nothing starts before it is checked.";
  const checked = "checked" in state ? state.checked : undefined;
  if (checked?.kind !== "valid") return "Nothing was started.";
  const { name, steps } = checked.parsed.definition;
  const first = steps.filter(({ depends_on = [] }) => depends_on.length === 0).length;
  return `${name}: ${steps.length} ${steps.length === 1 ? "step" : "steps"}, ${first} of them begin at once.`;
}

/** The folder that was used last, until somebody chooses another. */
function useFolder(): [string, (folder: string) => void] {
  const [chosen, choose] = useState<string>();
  const { data } = useFolders(undefined);
  return [chosen ?? data?.recent[0]?.path ?? "", choose];
}
