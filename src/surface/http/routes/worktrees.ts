import { worktreeRoutes } from "../../../contract/http/worktrees.js";
import { addressNow } from "../../../hub/rules/address-of.js";
import { memberId } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import type { BindRoute } from "../bind-route.js";

const DIFF_MOST = 1024 * 1024;

export function bindWorktreeRoutes(bind: BindRoute, { views, hosting }: HubPorts): void {
  bind(worktreeRoutes.list, ({ caller }) => ({
    worktrees: views.worktrees.list().map((worktree) => {
      const { name, agent, task, project, path, branch, base, state, plannedAt, result } = worktree;
      return {
        name,
        agent: addressNow(views, agent, name, memberId(caller)),
        task_id: task ?? null,
        project,
        path,
        branch,
        base,
        state,
        made: new Date(plannedAt).toISOString(),
        commits: result?.commits ?? null,
        files: result?.files ?? null,
        insertions: result?.insertions ?? null,
        deletions: result?.deletions ?? null,
      };
    }),
  }));

  bind(worktreeRoutes.diff, async ({ param }) => {
    const { diff, isCut } = await hosting.worktrees.diff(param("name"), DIFF_MOST);
    return { diff, cut: isCut };
  });

  bind(worktreeRoutes.merge, async ({ param }) => {
    const { branch, into, commit, isNew } = await hosting.worktrees.merge(param("name"));
    return { branch, into, commit, changed: isNew };
  });

  bind(worktreeRoutes.remove, async ({ param, query }) => {
    await hosting.worktrees.remove(param("name"), query.force === true);
    return { removed: param("name") };
  });
}
