import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type GitProject, gitProject } from "../../../test/fakes/git-project.js";
import { openHostedHub } from "../../../test/fakes/hosted-hub.js";
import { refusal } from "../../../test/fakes/refusal.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { inWorktree, leaves } from "../../../test/fakes/worktree-agent.js";

describe("the person", () => {
  async function left(change: (own: GitProject) => void, project = gitProject()) {
    const hub = await openHostedHub();
    const { id, own, worktree } = await inWorktree(hub, project);
    change(own);
    await leaves(hub, id);
    return { hub, project, worktree, desk: hub.worktrees.desk };
  }

  test("sees what was changed, new files too, and only so much of it", async () => {
    const { desk } = await left((own) => {
      own.commit("readme.txt", "one\n");
      own.write("new.txt", "brand new\n");
    });
    const { diff, isCut } = await desk.diff("ann", 100_000);
    expect(diff).toContain("-two");
    expect(diff).toContain("+brand new");
    expect(isCut).toBe(false);
    expect(await desk.diff("ann", 20)).toMatchObject({ isCut: true, diff: diff.slice(0, 20) });
  });

  test("merges what was committed, and can then remove it without force", async () => {
    const { desk, project, hub } = await left((own) => void own.commit("a.txt", "1"));
    expect(await desk.merge("ann")).toMatchObject({ branch: "huddle/ann", into: "main", isNew: true });
    expect(existsSync(join(project.folder, "a.txt"))).toBe(true);
    expect(await desk.merge("ann")).toMatchObject({ isNew: false });
    await desk.remove("ann", false);
    expect(hub.views.worktrees.list()).toEqual([]);
    expect(project.git("branch", "--list", "huddle/*")).toBe("");
  });

  test("does not merge what was never committed", async () => {
    const { desk } = await left((own) => own.write("a.txt", "1"));
    expect(await refusal(desk.merge("ann"))).toMatchObject({
      code: "WORKTREE_CHANGED",
      details: { loose: 1 },
    });
  });

  test("is told of a conflict, and everything is as it was", async () => {
    const { desk, project } = await left((own) => void own.commit("readme.txt", "theirs\n"));
    const head = project.commit("readme.txt", "ours\n");
    project.write("unrelated.txt", "mine");
    const error = await refusal(desk.merge("ann"));
    expect(error).toMatchObject({ code: "MERGE_CONFLICT", details: { files: ["readme.txt"] } });
    expect(project.git("rev-parse", "HEAD")).toBe(head);
    expect(project.git("status", "--porcelain")).toBe("?? unrelated.txt");
    expect(readFileSync(join(project.folder, "readme.txt"), "utf8")).toBe("ours\n");
  });

  test("keeps changes of their own that a merge would overwrite", async () => {
    const { desk, project } = await left((own) => void own.commit("readme.txt", "theirs\n"));
    project.write("readme.txt", "not committed\n");
    const error = await refusal(desk.merge("ann"));
    expect(error.code).toBe("WORKTREE_FAILED");
    expect(error.message).toContain("readme.txt");
    expect(readFileSync(join(project.folder, "readme.txt"), "utf8")).toBe("not committed\n");
  });

  test.each<[string, (project: GitProject) => void, string]>([
    ["on no branch", (project) => void project.git("checkout", "--quiet", "--detach"), "on no branch"],
    ["in another git's hands", (project) => project.write(".git/index.lock", ""), "index.lock"],
    ["with filters of its own", (project) => void project.git("config", "filter.x.clean", "cat"), "by hand"],
  ])("does not merge into a project %s", async (_, spoil, why) => {
    const { desk, project } = await left((own) => void own.commit("a.txt", "1"));
    spoil(project);
    const error = await refusal(desk.merge("ann"));
    expect(error.code).toBe("WORKTREE_FAILED");
    expect(error.message).toContain(why);
    expect(existsSync(join(project.folder, "a.txt"))).toBe(false);
  });

  test("does not lose changes by removing it, unless they say so", async () => {
    const { desk, hub, worktree } = await left((own) => void own.commit("a.txt", "1"));
    expect((await refusal(desk.remove("ann", false))).code).toBe("WORKTREE_CHANGED");
    await desk.remove("ann", true);
    expect(existsSync(worktree.path)).toBe(false);
    expect(hub.happened("WorktreeRemoved")).toMatchObject([
      { data: { forced: true, result: { kept: false } } },
    ]);
    expect((await refusal(desk.remove("ann", true))).code).toBe("WORKTREE_NOT_FOUND");
  });

  test("does not remove it while its agent is at work", async () => {
    const hub = await openHostedHub();
    await inWorktree(hub, gitProject());
    const error = await refusal(hub.worktrees.desk.remove("ann", true));
    expect(error).toMatchObject({ code: "WORKTREE_BUSY", details: { agents: ["ann"] } });
  });

  test("removes one whose folder is gone", async () => {
    const { desk, project, worktree } = await left((own) => void own.commit("a.txt", "1"));
    execFileSync("rm", ["-rf", worktree.path]);
    expect((await desk.diff("ann", 10_000)).diff).toContain("a.txt");
    await desk.remove("ann", true);
    expect(project.git("worktree", "list").split("\n")).toHaveLength(1);
    expect(project.git("branch", "--list", "huddle/*")).toBe("");
  });
});

describe("worktree.copy", () => {
  test("copies files that are there, never out of the project or the worktree, and they are no changes", async () => {
    const project = gitProject();
    const secret = join(tempFolder(), "secret");
    writeFileSync(secret, "secret");
    project.write(".env", "KEY=1");
    symlinkSync(secret, join(project.folder, "link"));
    const hub = await openHostedHub({ copy: [".env", "link", "missing", "config/.env"] });
    const { id, worktree } = await inWorktree(hub, project);
    expect(readFileSync(join(worktree.path, ".env"), "utf8")).toBe("KEY=1");
    expect(existsSync(join(worktree.path, "link"))).toBe(false);
    await leaves(hub, id);
    expect(hub.views.worktrees.list()).toEqual([]);
  });

  test("a copy that was changed is", async () => {
    const project = gitProject();
    project.write(".env", "KEY=1");
    const hub = await openHostedHub({ copy: [".env"] });
    const { id, worktree } = await inWorktree(hub, project);
    writeFileSync(join(worktree.path, ".env"), "KEY=2");
    await leaves(hub, id);
    expect(hub.views.worktrees.list()).toMatchObject([{ state: "kept", result: { files: 1 } }]);
  });
});
