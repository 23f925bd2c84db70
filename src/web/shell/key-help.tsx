import { Dialog } from "../parts/dialog.js";
import { Key } from "../parts/key.js";
import "./key-help.css";
import { type KeyBinding, useKeyScopes } from "./keys.js";
import { pageKeys } from "./page-keys.js";
import { sayKeys } from "./say-key.js";
import { useKeys } from "./use-keys.js";

type Listed = Pick<KeyBinding, "keys" | "label" | "pair">;

/** All keys: those that work where the person was when they asked, then those of the other pages. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const here = useKeyScopes((state) => state.scopes).filter(({ inDialog }) => !inDialog);
  useKeys("Keys", [{ keys: "Escape", label: "close", act: onClose }], { inDialog: true });
  const others = Object.entries(pageKeys).filter(([name]) => !here.some((scope) => scope.name === name));
  return (
    <Dialog title="Keys" width={680} onClose={onClose}>
      <section
        className="dialog__body"
        aria-label="All keys"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
      >
        <div className="key-help key-help--here">
          {here.toReversed().map(({ id, name, bindings }) => (
            <Scope key={name + String(id.description)} name={name} bindings={bindings} />
          ))}
        </div>
        <h3 className="key-help__others">On other pages</h3>
        <div className="key-help">
          {others.map(([name, bindings]) => (
            <Scope key={name} name={name} bindings={bindings} />
          ))}
        </div>
        <p className="key-help__note">Letters do nothing while you write. Esc leaves a field.</p>
      </section>
    </Dialog>
  );
}

function Scope({ name, bindings }: { name: string; bindings: readonly Listed[] }) {
  return (
    <section className="key-help__scope">
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
  );
}

/** What stands beside another has no row of its own. */
function withoutPaired(bindings: readonly Listed[]): readonly Listed[] {
  return bindings.filter(({ keys }) => !bindings.some(({ pair }) => pair === keys));
}
