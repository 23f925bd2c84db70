import type { Member } from "../fakes/member.js";
import { eventually } from "./eventually.js";
import type { House } from "./house.js";

/* What a test asks a hub about its mail and its permissions. */

type Mail = { id: string; from: string; content: string; reply_to?: string };

export async function nextMail(member: Member): Promise<Mail[]> {
  const mail = await eventually(`${member.name} has mail`, async () => {
    const found: Mail[] = await member.inbox("?wait=20");
    return found.length > 0 ? found : undefined;
  });
  await member.ack(mail.map(({ id }) => id));
  return mail;
}

type Delivery = {
  to: string;
  state: string;
  evidence: unknown;
  steps: { state: string; evidence: unknown }[];
};

/** The delivery once nothing more is to come. */
export async function settled(house: House, member: Member, id: unknown): Promise<Delivery> {
  let last: Delivery | undefined;
  try {
    return await eventually(`${String(id)} is settled`, async () => {
      const { json } = await member.receipt(String(id));
      [last] = json["deliveries"] as Delivery[];
      if (last?.state === "seen" && last.evidence === "turn_end") return last;
      return last !== undefined && ["finished", "failed", "answered"].includes(last.state) ? last : undefined;
    });
  } catch (error) {
    const asked = await house.hub().http.call("GET", "/api/permissions", { token: house.hub().operator });
    const more = [
      JSON.stringify(last),
      house.model.requests.describe(),
      asked.text,
      house.hub().stderr().slice(-3000),
    ];
    throw new Error(`${String(error)}\n${more.join("\n")}`, { cause: error });
  }
}

export type Asked = { id: string; agent: string; act: string };

export function nextPermission(house: House): Promise<Asked> {
  const { http, operator } = house.hub();
  return eventually("a permission is asked for", async () => {
    const { json } = await http.call("GET", "/api/permissions", { token: operator });
    return (json["permissions"] as Asked[])[0];
  });
}

export async function decide(house: House, id: string, decision: string): Promise<number> {
  const { http, operator } = house.hub();
  return (await http.call("POST", `/api/permissions/${id}`, { token: operator, body: { decision } })).status;
}
