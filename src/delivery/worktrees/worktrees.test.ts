import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type GitProject, gitProject, openGitProject } from "../../../test/fakes/git-project.js";
import { type HostedHub, openHostedHub } from "../../../test/fakes/hosted-hub.js";
import { refusal } from "../../../test/fakes/refusal.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { inWorktree, leaves } from "../../../test/fakes/worktree-agent.js";

describe("a worktree is made", () => {
  test("on a branch of its own at the project's commit, where git of the project does not see it", async () => {
    const hub = await openHostedHub();
    const project = gitProject();
    const { worktree, project: folder } = await inWorktree(hub, project);
    expect(folder).toBe(join(project.folder, ".huddle", "worktrees", "ann"));
    expect(worktree).toMatchObject({
      state: "made",
      branch: "huddle/ann",
      base: project.git("rev-parse", "HEAD"),
    });
    expect(readFileSync(join(worktree.path, "readme.txt"), "utf8")).toBe("one\ntwo\n");
    expect(openGitProject(worktree.path).git("symbolic-ref", "HEAD")).toBe("refs/heads/huddle/ann");
    expect(project.git("status", "--porcelain")).toBe("");
    expect(project.git("symbolic-ref", "HEAD")).toBe("refs/heads/main");
  });

  test("no more than the hub is to have: agents leave a part to the person", async () => {
    const hub = await openHostedHub({ limits: { worktreeCap: 2 } });
    const project = gitProject();
    const { id: boss } = await hub.spawn({ name: "boss", project: project.folder });
    await inWorktree(hub, project, "one");
    const wanted = { project: project.folder, worktree: true };

    expect(await refusal(hub.spawn({ ...wanted, name: "two", by: boss }))).toMatchObject({
      code: "WORKTREES_FULL",
      details: { cap: 1 },
    });
    await inWorktree(hub, project, "two");
    const refused = await refusal(hub.spawn({ ...wanted, name: "three" }));
    expect(refused).toMatchObject({ code: "WORKTREES_FULL", details: { cap: 2 } });
    expect(refused.message).toContain("huddle worktree list");
    expect(project.git("branch", "--list", "huddle/*").split("\n")).toHaveLength(2);
  });

  test("and two agents at once do not see each other's files", async () => {
    const hub = await openHostedHub();
    const project = gitProject();
    const both = await Promise.all([inWorktree(hub, project, "dev"), inWorktree(hub, project, "dev")]);
    const paths = both.map(({ worktree }) => worktree.path);
    expect(new Set(paths).size).toBe(2);
    expect(both.map(({ worktree }) => worktree.branch).sort()).toEqual(["huddle/dev", "huddle/dev-2"]);
    both[0].own.commit("mine.txt", "mine");
    expect(existsSync(join(both[1].worktree.path, "mine.txt"))).toBe(false);
    expect(existsSync(join(project.folder, "mine.txt"))).toBe(false);
  });

  test("in the same sub-folder that the project is", async () => {
    const hub = await openHostedHub();
    const project = gitProject();
    project.commit("packages/web/index.ts", "1");
    const { project: folder, worktree } = await inWorktree(
      hub,
      openGitProject(join(project.folder, "packages/web")),
    );
    expect(worktree.path).toBe(join(project.folder, ".huddle", "worktrees", "ann"));
    expect(folder).toBe(join(worktree.path, "packages", "web"));
  });

  test("in a path with spaces and other letters", async () => {
    const hub = await openHostedHub();
    const project = gitProject("my shöp 'x'");
    const { worktree } = await inWorktree(hub, project);
    expect(existsSync(join(worktree.path, "readme.txt"))).toBe(true);
  });

  test("without what is in submodules", async () => {
    const hub = await openHostedHub();
    const project = gitProject();
    const inner = gitProject("inner");
    project.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.folder, "lib");
    project.git("commit", "--quiet", "-m", "lib");
    const { worktree, id } = await inWorktree(hub, project);
    expect(existsSync(join(worktree.path, "lib", "readme.txt"))).toBe(false);
    await leaves(hub, id);
    expect(existsSync(worktree.path)).toBe(false);
  });

  test("under the next free name when branch or folder exist, and theirs stay as they are", async () => {
    const hub = await openHostedHub();
    const project = gitProject();
    project.git("branch", "huddle/ann");
    mkdirSync(join(project.folder, ".huddle", "worktrees", "ann-2"), { recursive: true });
    writeFileSync(join(project.folder, ".huddle", "worktrees", "ann-2", "theirs"), "theirs");
    const { worktree, id } = await inWorktree(hub, project);
    expect(worktree.name).toBe("ann-3");
    await leaves(hub, id);
    expect(project.git("branch", "--list", "huddle/*")).toBe("huddle/ann");
    expect(existsSync(join(project.folder, ".huddle", "worktrees", "ann-2", "theirs"))).toBe(true);
  });

  test("beside that of the agent that asks, not inside of it, and begins where that one is", async () => {
    const hub = await openHostedHub();
    const project = gitProject();
    const parent = await inWorktree(hub, project);
    const commit = parent.own.commit("mine.txt", "mine");
    const child = await hub.spawn({ name: "ben", by: parent.id, project: undefined, worktree: true });
    expect(child.project).toBe(join(project.folder, ".huddle", "worktrees", "ben"));
    expect(hub.views.worktrees.ofAgent(child.id)?.base).toBe(commit);
  });

  test("for every agent of a backend that is set so, unless it is asked not to", async () => {
    const hub = await openHostedHub({ backend: { worktree: true } });
    const { folder } = gitProject();
    expect((await hub.spawn({ name: "ann", project: folder })).project).toContain(".huddle");
    expect((await hub.spawn({ name: "ben", project: folder, worktree: false })).project).toBe(folder);
  });

  test("once for a call that is made again", async () => {
    const hub = await openHostedHub();
    const { folder } = gitProject();
    const once = await hub.spawn({ name: "ann", project: folder, worktree: true, id: "a-1" });
    const again = await hub.spawn({ name: "ann", project: folder, worktree: true, id: "a-1" });
    expect(again.project).toBe(once.project);
    expect(hub.views.worktrees.list()).toHaveLength(1);
  });
});

describe("nothing starts, and nothing is left, when the project", () => {
  const refused = async (hub: HostedHub, project: string) => {
    const error = await refusal(hub.spawn({ name: "ann", project, worktree: true }));
    expect(hub.happened("AgentRegistered").filter(({ data }) => data.name === "ann")).toEqual([]);
    expect(hub.views.worktrees.list()).toEqual([]);
    expect(error.code).toBe("WORKTREE_FAILED");
    return error.message;
  };

  test("is no git repository", async () => {
    const hub = await openHostedHub();
    expect(await refused(hub, tempFolder())).toContain("not a git repository");
  });

  test("has no commit yet", async () => {
    const hub = await openHostedHub();
    const folder = tempFolder();
    openGitProject(folder).git("init", "--quiet");
    expect(await refused(hub, folder)).toContain("no commit yet");
  });

  test("is a bare repository", async () => {
    const hub = await openHostedHub();
    const folder = tempFolder();
    openGitProject(folder).git("init", "--quiet", "--bare");
    expect(await refused(hub, folder)).toContain("bare");
  });

  test("is a folder that was never committed", async () => {
    const hub = await openHostedHub();
    const project = gitProject();
    project.write("new/file", "x");
    expect(await refused(hub, join(project.folder, "new"))).toContain("commit it first");
  });

  test("has a branch called huddle", async () => {
    const hub = await openHostedHub();
    const project = gitProject();
    project.git("branch", "huddle");
    expect(await refused(hub, project.folder)).toContain("rename it");
  });

  test("has a link in the place of Huddle's folder", async () => {
    const hub = await openHostedHub();
    const project = gitProject();
    symlinkSync(tempFolder(), join(project.folder, ".huddle"));
    expect(await refused(hub, project.folder)).toContain("not a folder of yours");
  });

  test("has refs that another git has locked", async () => {
    const hub = await openHostedHub();
    const project = gitProject();
    project.write(".git/refs/heads/huddle/ann.lock", "");
    expect(await refused(hub, project.folder)).toContain("lock");
  });

  test("is allowed, and the top of its repository is not", async () => {
    const project = gitProject();
    project.commit("web/index.ts", "1");
    const folder = join(project.folder, "web");
    const hub = await openHostedHub({ allowedRoots: [folder] });
    expect(await refused(hub, folder)).toContain("allowed_roots");
  });

  test("is fine, and the agent is refused", async () => {
    const hub = await openHostedHub({ limits: { hosted: 0, hostedReserve: 0 } });
    const project = gitProject();
    const error = await refusal(hub.spawn({ name: "ann", project: project.folder, worktree: true }));
    expect(error.code).toBe("HOSTED_LIMIT");
    expect(hub.views.worktrees.list()).toEqual([]);
    expect(project.git("branch", "--list", "huddle/*")).toBe("");
    expect(existsSync(join(project.folder, ".huddle"))).toBe(false);
  });
});

describe("when its agent leaves, a worktree", () => {
  test("in which nothing was changed is removed with its branch, and so is Huddle's folder", async () => {
    const hub = await openHostedHub();
    const project = gitProject();
    const { id, worktree } = await inWorktree(hub, project);
    await leaves(hub, id);
    expect(hub.views.worktrees.list()).toEqual([]);
    expect(existsSync(worktree.path)).toBe(false);
    expect(existsSync(join(project.folder, ".huddle"))).toBe(false);
    expect(project.git("branch", "--list")).toBe("* main");
    expect(project.git("worktree", "list").split("\n")).toHaveLength(1);
  });

  test.each<[string, (own: GitProject) => void, object]>([
    [
      "a commit",
      (own) => void own.commit("a.txt", "1\n2\n"),
      { commits: 1, files: 1, insertions: 2, deletions: 0 },
    ],
    [
      "a file that git does not know",
      (own) => own.write("new.txt", "1\n"),
      { commits: 0, files: 1, insertions: 1 },
    ],
    ["a change that is not committed", (own) => own.write("readme.txt", "one\n"), { files: 1, deletions: 1 }],
    [
      "a file of the same length, written at once",
      (own) => own.write("readme.txt", "ONE\ntwo\n"),
      { files: 1 },
    ],
    ["a deleted file", (own) => rmSync(join(own.folder, "readme.txt")), { files: 1, deletions: 2 }],
    [
      "a file in the index",
      (own) => {
        own.write("b", "1\n");
        own.git("add", "b");
      },
      { files: 1, insertions: 1 },
    ],
    [
      "another branch",
      (own) => {
        own.git("checkout", "-qb", "else");
        own.commit("c", "1\n");
      },
      { commits: 1, files: 1 },
    ],
    ["no .git any more", (own) => rmSync(join(own.folder, ".git")), { commits: 0 }],
    [
      "a repository of its own",
      (own) => {
        rmSync(join(own.folder, ".git"));
        own.git("init", "-q");
      },
      {},
    ],
  ])("with %s is kept", async (_, change, result) => {
    const hub = await openHostedHub();
    const { id, worktree, own } = await inWorktree(hub, gitProject());
    change(own);
    await leaves(hub, id);
    const [kept] = hub.views.worktrees.list();
    expect(kept).toMatchObject({ state: "kept", result: { branch: "huddle/ann", kept: true, ...result } });
    expect(existsSync(worktree.path)).toBe(true);
  });

  test("with only what git ignores is removed", async () => {
    const hub = await openHostedHub();
    const project = gitProject();
    project.commit(".gitignore", "dist/\n");
    const { id, own } = await inWorktree(hub, project);
    own.write("dist/out.js", "1");
    await leaves(hub, id);
    expect(hub.views.worktrees.list()).toEqual([]);
  });

  test("stays for as long as another agent works in it", async () => {
    const hub = await openHostedHub();
    const { id, worktree } = await inWorktree(hub, gitProject());
    const child = await hub.spawn({ name: "ben", by: id, project: undefined });
    await leaves(hub, id);
    expect(existsSync(worktree.path)).toBe(true);
    await leaves(hub, child.id);
    expect(existsSync(worktree.path)).toBe(false);
  });

  test("whose repository is gone is forgotten", async () => {
    const hub = await openHostedHub();
    const project = gitProject();
    const { id } = await inWorktree(hub, project);
    rmSync(project.folder, { recursive: true });
    await leaves(hub, id);
    expect(hub.views.worktrees.list()).toEqual([]);
  });
});

describe("programs that an agent may have written", () => {
  test("are not run: hooks, filters, fsmonitor, diff drivers", async () => {
    const hub = await openHostedHub();
    const project = gitProject();
    const ran = join(tempFolder(), "ran");
    const program = join(tempFolder(), "program");
    writeFileSync(program, `#!/bin/sh\necho "$0 $*" >>'${ran}'\ncat\n`);
    chmodSync(program, 0o755);
    project.commit(".gitattributes", "*.txt filter=evil diff=evil\n");
    const settings = {
      "filter.evil.smudge": program,
      "filter.evil.clean": program,
      "filter.evil.required": "true",
      "core.fsmonitor": program,
      "diff.evil.textconv": program,
      "diff.external": program,
      "core.hooksPath": join(project.folder, "hooks"),
      "merge.evil.driver": program,
    };
    for (const name of ["post-checkout", "post-index-change", "reference-transaction"]) {
      project.write(`hooks/${name}`, readFileSync(program, "utf8"));
      chmodSync(join(project.folder, "hooks", name), 0o755);
    }
    for (const [key, value] of Object.entries(settings)) project.git("config", key, value);
    rmSync(ran, { force: true });
    const { id, worktree } = await inWorktree(hub, project);
    writeFileSync(join(worktree.path, "readme.txt"), "changed\n");
    await hub.worktrees.desk.diff("ann", 10_000);
    await leaves(hub, id);
    expect(await refusal(hub.worktrees.desk.merge("ann"))).toMatchObject({ code: "WORKTREE_CHANGED" });
    await hub.worktrees.desk.remove("ann", true);
    expect(existsSync(ran)).toBe(false);
  });
});
