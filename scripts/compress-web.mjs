// Puts compressed forms beside the files of the desk, for browsers that are not on this machine: the hub serves them as they are.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Below this a packet holds it anyway. */
const SMALL = 1400;

/** @param {string} folder the one that holds web/ */
export async function compressWeb(folder) {
  const assets = join(folder, "web", "assets");
  const names = readdirSync(assets).filter((name) => /\.(js|css|svg|json)$/.test(name));
  await Promise.all(names.map((name) => compressFile(join(assets, name))));
}

/** @param {string} file */
async function compressFile(file) {
  const plain = readFileSync(file);
  if (plain.length < SMALL) return;
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
    promisify(gzip)(plain, { level: 9 }),
  ]);
  writeFileSync(`${file}.br`, br);
  writeFileSync(`${file}.gz`, gz);
}
