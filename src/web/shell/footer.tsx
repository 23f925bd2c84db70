import { Key } from "../parts/key.js";
import "./footer.css";
import { activeScopes, type KeyBinding, useKeyScopes } from "./keys.js";
import { sayKeys } from "./say-key.js";

const MOST = 7;

/** The keys that work now. */
export function Footer({ onHelp }: { onHelp: () => void }) {
  const scopes = useKeyScopes((state) => state.scopes);
  const shown = chooseShown(activeScopes(scopes).flatMap(({ bindings }) => bindings));
  return (
    <footer className="footer">
      <h2 className="visually-hidden">Keys that work now</h2>
      {shown.map(({ keys, pair, label }) => (
        <span key={keys} className="footer__key">
          {[...(pair === undefined ? [] : sayKeys(pair)), ...sayKeys(keys)].map((key) => (
            <Key key={key}>{key}</Key>
          ))}
          {label}
        </span>
      ))}
      <button type="button" className="footer__help" onClick={onHelp}>
        <Key>?</Key> all keys
      </button>
    </footer>
  );
}

function chooseShown(bindings: readonly KeyBinding[]): readonly KeyBinding[] {
  const seen = new Set<string>();
  const shown: KeyBinding[] = [];
  for (const binding of bindings) {
    if (seen.has(binding.keys)) continue;
    seen.add(binding.keys);
    if (binding.quiet !== true) shown.push(binding);
  }
  return shown.slice(0, MOST);
}
