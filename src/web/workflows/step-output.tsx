import { useLive } from "../hub/live-feed.js";
import { useAgentId } from "../hub/use-agents.js";
import { loadLater } from "../parts/load-later.js";
import { ShownText } from "../parts/shown-text.js";
import { CopyButton } from "./copy-button.js";
import { DrawerSection } from "./drawer-section.js";
import { doerOf, type Step } from "./step-look.js";

/** It comes with the chat, and is not worth waiting for. */
const MarkdownText = loadLater(
  {
    what: "the output",
    fallback: ({ text }: { text: string }) => (
      <pre className="step-drawer__block">
        <ShownText text={text} />
      </pre>
    ),
  },
  async () => (await import("../chat/markdown/markdown-text.js")).MarkdownText,
);

/** What the step put out; while its agent is at it, what that says so far. */
export function StepOutput({
  step,
  output,
  at,
}: {
  step: Step;
  output: string | null;
  at: string | undefined;
}) {
  if (step.status === "running" && step.began !== null && output === null) return <OutputSoFar step={step} />;
  if (output === null || output.trim() === "") return null;
  return (
    <DrawerSection
      title={step.status === "done" ? "Output" : "Output so far"}
      aside={
        <>
          {at !== undefined && <span>{at}</span>} <CopyButton text={output} label="Copy the output" />
        </>
      }
    >
      <Written text={output} />
    </DrawerSection>
  );
}

function OutputSoFar({ step }: { step: Step }) {
  const id = useAgentId(doerOf(step));
  const live = useLive(id);
  const text = live?.text.text ?? "";
  if (text.trim() === "" || live?.ended !== undefined) return null;
  return (
    <DrawerSection title="Output so far" aside="live">
      <Written text={text} />
    </DrawerSection>
  );
}

function Written({ text }: { text: string }) {
  return (
    <div className="step-drawer__output">
      <MarkdownText text={text} />
    </div>
  );
}
