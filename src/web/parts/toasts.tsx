import { Check, Pause, X } from "lucide-react";
import { Button, IconButton } from "./button.js";
import { ShownText } from "./shown-text.js";
import { closeToast, useToasts } from "./toast-store.js";
import "./toasts.css";

const icons = { done: Check, held: Pause, failed: X };

export function Toasts() {
  const toasts = useToasts((state) => state.toasts);
  return (
    <section className="toasts" aria-label="Notices">
      {toasts.map(({ id, tone, title, text, action }) => {
        const Icon = icons[tone];
        return (
          <div key={id} className={`toast toast--${tone}`} role={tone === "failed" ? "alert" : "status"}>
            <Icon size={14} className="toast__icon" aria-hidden="true" />
            <div className="toast__words">
              <div className="toast__title">
                <ShownText text={title} />
              </div>
              {text !== undefined && (
                <div className="toast__text">
                  <ShownText text={text} />
                </div>
              )}
            </div>
            {action !== undefined && (
              <Button
                size={24}
                onClick={() => {
                  closeToast(id);
                  action.act();
                }}
              >
                {action.label}
              </Button>
            )}
            <IconButton label="Close" icon={<X size={14} />} onClick={() => closeToast(id)} />
          </div>
        );
      })}
    </section>
  );
}
