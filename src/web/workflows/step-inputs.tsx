import type { StepDetails } from "../../client/hub-client.js";
import { ShownText } from "../parts/shown-text.js";
import { hrefOf } from "../shell/places.js";
import { DrawerSection } from "./drawer-section.js";
import { StepGlyph } from "./step-glyph.js";
import { stepLooks } from "./step-look.js";

type Input = StepDetails["inputs"][number];

/** What other steps put out that flows into this one. */
export function StepInputs({ workflow, inputs }: { workflow: string; inputs: readonly Input[] }) {
  const size = inputs.reduce((sum, { output }) => sum + (output?.length ?? 0), 0);
  return (
    <DrawerSection title="Put in from earlier steps" aside={size === 0 ? undefined : saySize(size)}>
      {inputs.map((input) => (
        <details key={input.step} className="step-input">
          <summary className="step-input__row">
            <StepGlyph look={input.status} />
            <span className="step-input__name">{input.step}</span>
            <span className="step-input__words">
              <ShownText text={excerptOf(input)} />
            </span>
          </summary>
          <pre className="step-drawer__block">
            <ShownText text={input.output ?? input.error ?? `${input.step} put out nothing.`} />
          </pre>
          <a className="step-input__go" href={hrefOf({ page: "workflows", id: workflow, step: input.step })}>
            Go to {input.step}
          </a>
        </details>
      ))}
    </DrawerSection>
  );
}

function excerptOf({ output, error, status }: Input): string {
  const text = (output ?? error ?? "").trim();
  return text === ""
    ? stepLooks[status].word
    : `“${text.slice(0, 120).replace(/\s+/g, " ")}${text.length > 120 ? "…" : ""}”`;
}

function saySize(characters: number): string {
  return characters < 1000 ? `${characters} characters` : `${(characters / 1000).toFixed(1)} KB`;
}
