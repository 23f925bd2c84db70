import { type ReactNode, useState } from "react";
import "./ask.css";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { sayWhy } from "./error-card.js";
import { showToast } from "./toast-store.js";

type SureProps = {
  title: string;
  button: string;
  danger?: boolean;
  act: () => Promise<unknown>;
  done: string;
  onClose: () => void;
  children: ReactNode;
};

/** Asks before something that cannot be taken back, and says what will happen. */
export function Ask({ title, button, danger = false, act, done, onClose, children }: SureProps) {
  const { run, isRunning, error } = useAsked(act, done, onClose);
  return (
    <Dialog
      title={title}
      width={420}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={danger ? "danger" : "primary"} working={isRunning} onClick={run}>
            {button}
          </Button>
        </>
      }
    >
      <div className="ask">
        <p>{children}</p>
        {error === undefined ? null : <p className="ask__error">{error}</p>}
      </div>
    </Dialog>
  );
}

/** What is done once somebody said yes; it stays open, with the reason, if it is refused. */
export function useAsked(act: () => Promise<unknown>, done: string, onClose: () => void) {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<string>();
  const run = () => {
    setRunning(true);
    setError(undefined);
    act().then(
      () => {
        showToast({ tone: "done", title: done });
        onClose();
      },
      (why: unknown) => {
        setRunning(false);
        setError(sayWhy(why));
      },
    );
  };
  return { run, isRunning, error };
}
