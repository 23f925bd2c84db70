import type { HookMoment } from "../model/hook.js";
import { parseJson } from "../model/parse-json.js";
import { askHub } from "./ask-hub.js";
import { isObject } from "./json.js";

type Asked = {
  moment: HookMoment;
  seen?: readonly string[];
  new_only?: boolean;
  wait?: number;
  pointer?: boolean;
  after?: "resume" | "compact";
};

/** As PROTOCOL.md, 6.9 has it. */
export type Mail = { text: string | null; ack: string; marker: string; over: boolean };

/** Rejects with Unreachable when there is no hub; undefined for a refusal. */
export async function askForMail(
  { url, token }: { url: string; token: string },
  asked: Asked,
  silenceMs: number,
): Promise<Mail | undefined> {
  const { status, text } = await askHub(url, {
    method: "POST",
    path: "/api/inbox/hook",
    token,
    body: JSON.stringify(asked),
    silenceMs,
  });
  const body = parseJson(text);
  if (status !== 200 || !isObject(body)) return undefined;
  const { text: mail, ack, messages } = body;
  const ids: unknown[] = Array.isArray(messages) ? messages : [];
  const [marker] = ids;
  return {
    text: typeof mail === "string" && mail !== "" ? mail : null,
    ack: typeof ack === "string" ? ack : "",
    marker: typeof marker === "string" ? marker : "",
    over: body["over"] === true,
  };
}
