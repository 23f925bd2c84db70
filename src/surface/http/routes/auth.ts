import { authRoutes } from "../../../contract/http/auth.js";
import type { DeskCodes } from "../../caller/desk-codes.js";
import type { DeskTokens } from "../../caller/desk-tokens.js";
import type { HubPorts } from "../../ports.js";
import type { BindRoute } from "../bind-route.js";

export function bindAuthRoutes(
  bind: BindRoute,
  { limits }: HubPorts,
  { codes, tokens }: { codes: DeskCodes; tokens: DeskTokens },
): void {
  bind(authRoutes.code, ({ caller }) => ({
    code: codes.issue({ notAfter: caller.kind === "operator" ? caller.deskUntil : undefined }),
    expires_in: limits.deskCodeLifeMs / 1000,
  }));

  bind(authRoutes.exchange, ({ body }) => {
    const { token, expiresInSeconds } = tokens.issue(codes.redeem(body.code).notAfter);
    return { token, expires_in: expiresInSeconds };
  });
}
