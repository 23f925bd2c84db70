import { type ClientApp, RequestError } from "@agentclientprotocol/sdk";
import type { PermissionPolicy } from "../backend.js";
import { FileRefused, type ProjectFiles } from "../fs/project-files.js";

/** Answers an agent's `fs/*` requests from its project. Under the policy `deny` nothing is written for it. */
export function serveFiles(app: ClientApp, files: ProjectFiles, policy: PermissionPolicy): ClientApp {
  return app
    .onRequest("fs/read_text_file", async ({ params: { path, line, limit } }) => {
      const slice = { ...(line == null ? {} : { line }), ...(limit == null ? {} : { limit }) };
      return { content: await files.read(path, slice).catch(refuse(path)) };
    })
    .onRequest("fs/write_text_file", async ({ params: { path, content } }) => {
      if (policy === "deny") throw RequestError.invalidParams({ path }, "this agent may not write files");
      await files.write(path, content).catch(refuse(path));
      return {};
    });
}

function refuse(path: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof FileRefused) throw RequestError.invalidParams({ path }, error.message);
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      throw RequestError.resourceNotFound(path);
    }
    throw RequestError.internalError({ path }, error instanceof Error ? error.message : undefined);
  };
}
