import type { ReplyPart } from "./conversation.js";
import type { SendEvent, StreamWriter } from "./wire.js";

type ResponseItem = Record<string, unknown>;
type Open = { item: ResponseItem; kind: "text" | "thought"; text: string };

/** The events of a streamed response: each item is added, told in pieces, and done. */
export function createResponsesStream(
  head: Record<string, unknown>,
  usage: unknown,
  toItem: (part: ReplyPart) => ResponseItem,
  send: SendEvent,
): StreamWriter {
  const output: ResponseItem[] = [];
  let sequence = 0;
  let open: Open | undefined;
  const emit = (type: string, fields: object) => send({ type, sequence_number: sequence++, ...fields }, type);
  const output_index = () => output.length;

  function close() {
    if (open === undefined) return;
    const { kind, text } = open;
    const item = { ...toItem({ kind, text }), id: open.item["id"] };
    const place = { item_id: open.item["id"], output_index: output_index() };
    if (kind === "text") {
      emit("response.output_text.done", { ...place, content_index: 0, text });
      const part = { type: "output_text", text, annotations: [] };
      emit("response.content_part.done", { ...place, content_index: 0, part });
    } else {
      emit("response.reasoning_summary_text.done", { ...place, summary_index: 0, text });
      emit("response.reasoning_summary_part.done", {
        ...place,
        summary_index: 0,
        part: { type: "summary_text", text },
      });
    }
    finish(item);
    open = undefined;
  }
  function finish(item: ResponseItem) {
    emit("response.output_item.done", { output_index: output_index(), item });
    output.push(item);
  }
  function begin(kind: Open["kind"]): Open {
    const item = toItem({ kind, text: "" });
    const empty = kind === "text" ? { content: [], status: "in_progress" } : { summary: [] };
    const place = { item_id: item["id"], output_index: output_index() };
    emit("response.output_item.added", { output_index: output_index(), item: { ...item, ...empty } });
    if (kind === "text") {
      const part = { type: "output_text", text: "", annotations: [] };
      emit("response.content_part.added", { ...place, content_index: 0, part });
    } else {
      emit("response.reasoning_summary_part.added", {
        ...place,
        summary_index: 0,
        part: { type: "summary_text", text: "" },
      });
    }
    return { item, kind, text: "" };
  }
  function tell(kind: Open["kind"], text: string) {
    if (open?.kind !== kind) close();
    open ??= begin(kind);
    open.text += text;
    const place = { item_id: open.item["id"], output_index: output_index(), delta: text };
    if (kind === "text") emit("response.output_text.delta", { ...place, content_index: 0 });
    else emit("response.reasoning_summary_text.delta", { ...place, summary_index: 0 });
  }
  function tellCall(part: ReplyPart & { kind: "call" }) {
    close();
    const item = toItem(part);
    const field = part.tool.freeform === true ? "input" : "arguments";
    const value = item[field];
    const place = { item_id: item["id"], output_index: output_index() };
    const name = field === "input" ? "custom_tool_call_input" : "function_call_arguments";
    emit("response.output_item.added", {
      output_index: output_index(),
      item: { ...item, [field]: "", status: "in_progress" },
    });
    emit(`response.${name}.delta`, { ...place, delta: value });
    emit(`response.${name}.done`, { ...place, [field]: value });
    finish(item);
  }

  return {
    begin() {
      emit("response.created", { response: head });
      emit("response.in_progress", { response: head });
    },
    part(part) {
      if (part.kind === "call") tellCall(part);
      else tell(part.kind, part.text);
    },
    end() {
      close();
      emit("response.completed", { response: { ...head, status: "completed", output, usage } });
    },
  };
}
