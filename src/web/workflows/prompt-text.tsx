import { Fragment, type ReactNode } from "react";
import { templatesIn } from "../../model/step-templates.js";
import { InlineCode } from "../parts/inline-code.js";

/** A prompt as it was written: what is put in from other steps stands out. */
export function PromptText({ text }: { text: string }): ReactNode {
  const pieces: ReactNode[] = [];
  let rest = text;
  for (const template of templatesIn(text)) {
    const at = rest.indexOf(template.text);
    pieces.push(<InlineCode text={rest.slice(0, at)} />);
    pieces.push(<code className="prompt__template">{template.text}</code>);
    rest = rest.slice(at + template.text.length);
  }
  pieces.push(<InlineCode text={rest} />);
  return (
    <div className="prompt">
      {pieces.map((piece, at) => (
        <Fragment key={at}>{piece}</Fragment>
      ))}
    </div>
  );
}
