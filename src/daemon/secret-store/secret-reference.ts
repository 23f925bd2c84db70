/*
 * A reference says where a secret is kept, and is no secret itself: `keychain:NAME`, `env:NAME`, `file:PATH`. Configuration and
 * journal hold references only.
 */

const secretStores = ["keychain", "env", "file"] as const;
type SecretStore = (typeof secretStores)[number];

export type SecretReference = { store: SecretStore; name: string };

/** What a secret may be called: a file name on every system, and no way out of its folder. */
export const SECRET_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

const shapes = {
  keychain: /^[^\s\p{C}](?:[^\p{C}]{0,126}[^\s\p{C}])?$/u,
  env: /^[A-Za-z_][A-Za-z0-9_]{0,127}$/,
  file: /^[^\p{C}]{1,1000}$/u,
} as const satisfies Record<SecretStore, RegExp>;

export function parseReference(text: string): SecretReference | undefined {
  const colon = text.indexOf(":");
  const store = secretStores.find((known) => known === text.slice(0, colon));
  const name = text.slice(colon + 1);
  return store !== undefined && shapes[store].test(name) ? { store, name } : undefined;
}

export function writeReference({ store, name }: SecretReference): string {
  return `${store}:${name}`;
}
