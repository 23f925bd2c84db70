import { Dialog } from "../parts/dialog.js";
import { Key } from "../parts/key.js";
import "./key-help.css";
import { type KeyBinding, useKeyScopes } from "./keys.js";
import { sayKeys } from "./say-key.js";

/** All keys that work where the person was when they asked. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const scopes = useKeyScopes((state) => state.scopes).filter(({ inDialog }) => !inDialog);
  return (
    <Dialog title="Keys" width={640} onClose={onClose}>
      <div className="dialog__body">
        <div className="key-help">
          {scopes.toReversed().map(({ id, name, bindings }) => (
            <section key={name + String(id.description)} className="key-help__scope">
              <h3 className="key-help__name">{name}</h3>
              <dl className="key-help__list">
                {withoutPaired(bindings).map(({ keys, pair, label }) => (
                  <div key={keys} className="key-help__row">
                    <dt className="key-help__keys">
                      {[...(pair === undefined ? [] : sayKeys(pair)), ...sayKeys(keys)].map((key) => (
                        <Key key={key}>{key}</Key>
                      ))}
                    </dt>
                    <dd className="key-help__label">{label}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <p className="key-help__note">Letters do nothing while you write. Esc leaves a field.</p>
      </div>
    </Dialog>
  );
}

/** What stands beside another has no row of its own. */
function withoutPaired(bindings: readonly KeyBinding[]): readonly KeyBinding[] {
  return bindings.filter(({ keys }) => !bindings.some(({ pair }) => pair === keys));
}
