import { sayExtent } from "./exact-pieces.js";
import { ExactText } from "./exact-text.js";

/** A command as it would run: wrapped, never cut, in the order of its characters. */
export function ExactCommand({ command }: { command: string }) {
  const extent = sayExtent(command);
  return (
    <div className="exact-command">
      {extent !== undefined && <div className="exact-command__extent figures">{extent}</div>}
      <div className="exact-command__row">
        <span className="exact-command__prompt" aria-hidden="true">
          $
        </span>
        <code className="exact">
          <ExactText text={command} markForeign />
        </code>
      </div>
    </div>
  );
}

/** Anything else that was said, in its own lines. */
export function ExactBlock({ label, text }: { label: string; text: string }) {
  const extent = sayExtent(text);
  return (
    <div className="exact-block">
      <div className="exact-block__label">
        {label}
        {extent !== undefined && <span className="exact-block__extent figures">{extent}</span>}
      </div>
      <code className="exact">
        <ExactText text={text} />
      </code>
    </div>
  );
}
