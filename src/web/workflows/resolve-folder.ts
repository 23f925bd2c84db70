/** A folder of a definition as the hub takes it: whole, and from `base` where it is written without its beginning. */
export function resolveFolder(base: string, folder: string): string {
  const path = folder.startsWith("/") ? folder : `${base}/${folder}`;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return `/${parts.join("/")}`;
}
