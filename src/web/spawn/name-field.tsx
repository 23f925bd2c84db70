import { Check, TriangleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { useAgents } from "../hub/use-agents.js";
import { Monogram } from "../parts/monogram.js";
import { checkName, type NameCheck } from "./spawn-form.js";

/** The name, with the monogram and colour that come from it, and whether it is free. */
export function NameField({
  id,
  value,
  onChange,
}: {
  id: string;
  value: string;
  onChange: (name: string) => void;
}) {
  const taken = useAgents().map(({ name }) => name);
  const check = checkName(value, taken);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The dialog opens after this, and gives the focus to its first button.
    const frame = window.requestAnimationFrame(() => field.current?.focus());
    return () => window.cancelAnimationFrame(frame);
  }, []);
  const isWrong = check.kind === "refused";
  return (
    <div className="name-field">
      <div className={`name-field__box ${isWrong ? "name-field__box--wrong" : ""}`}>
        {value.trim() !== "" && <Monogram name={value.trim()} />}
        <input
          id={id}
          ref={field}
          className="name-field__input"
          value={value}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={64}
          placeholder="for example stripe-dev"
          aria-invalid={isWrong || undefined}
          aria-describedby={`${id}-says`}
          onChange={(event) => onChange(event.target.value)}
        />
        {check.kind === "free" && (
          <span className="name-field__free">
            <Check size={14} aria-hidden="true" /> free
          </span>
        )}
      </div>
      <p id={`${id}-says`} className={`spawn__hint ${tones[check.kind]}`} role="status">
        {(check.kind === "taken" || check.kind === "lookalike") && (
          <TriangleAlert size={12} aria-hidden="true" />
        )}
        {sayCheck(check)}
      </p>
    </div>
  );
}

const tones: { readonly [K in NameCheck["kind"]]: string } = {
  empty: "",
  free: "",
  taken: "spawn__hint--amber",
  lookalike: "spawn__hint--amber",
  refused: "spawn__hint--wrong",
};

function sayCheck(check: NameCheck): string {
  switch (check.kind) {
    case "empty":
      return "Lower case, digits, - and _. Without one it is called after its backend and folder.";
    case "free":
      return "Lower case, digits, - and _. Its colour comes from the name.";
    case "taken":
      return `Somebody has this name: it will be called ${check.instead}.`;
    case "lookalike":
      return `It can be taken for ${check.other}. Choose a name that cannot be.`;
    case "refused":
      return check.why;
  }
}
