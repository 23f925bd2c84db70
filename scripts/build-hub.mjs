// Bundles the hub alone, into a dist/ that is there already: the soak tries changed copies of the sources. No types are checked.
import { fileURLToPath } from "node:url";
import { bundleHub } from "./bundle-hub.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
await bundleHub("dist");
