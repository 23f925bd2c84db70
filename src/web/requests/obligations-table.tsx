import { useState } from "react";
import type { ObligationList } from "../../client/hub-client.js";
import { Button } from "../parts/button.js";
import { Ago } from "../parts/elapsed.js";
import { PartyTile } from "../parts/party-tile.js";
import { ShownText } from "../parts/shown-text.js";
import { sayWhen, toMs } from "../parts/time.js";
import { hrefOf } from "../shell/places.js";
import { nameOf } from "./request-words.js";

type Obligation = ObligationList["obligations"][number];

const kinds: { readonly [K in Obligation["kind"]]: string } = {
  task: "task",
  request: "claimed request",
  question: "question",
  claim: "work claim",
};

const FEW = 6;

/** Who owes what to whom. Work claims are owed to nobody, and have cards of their own. */
export function ObligationsTable({ obligations }: { obligations: readonly Obligation[] }) {
  const [isWhole, setWhole] = useState(false);
  const owed = obligations.filter(({ kind }) => kind !== "claim");
  const shown = isWhole ? owed : owed.slice(0, FEW);
  return (
    <section className="below__part" aria-labelledby="owed-title">
      <h2 className="below__title" id="owed-title">
        Owed <span className="below__count figures">{owed.length}</span>
        <span className="below__about">who owes what to whom</span>
      </h2>
      {owed.length === 0 ? (
        <p className="below__none">Nobody owes anybody an answer or a result.</p>
      ) : (
        <table className="owed">
          <thead>
            <tr>
              <th scope="col">Who</th>
              <th scope="col">To</th>
              <th scope="col">What</th>
              <th scope="col">About</th>
              <th scope="col" className="owed__time">
                Since
              </th>
              <th scope="col" className="owed__time">
                Due
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <tr key={`${one.kind} ${one.ref} ${one.agent}`}>
                <td>
                  <Party name={one.agent} />
                </td>
                <td>{one.to === null ? "" : <Party name={one.to} />}</td>
                <td className="owed__kind">{kinds[one.kind]}</td>
                <td className="owed__about">
                  <About one={one} />
                </td>
                <td className="owed__time">
                  <Ago at={one.since} />
                </td>
                <td className="owed__time figures">
                  {one.due === null ? "" : sayWhen(toMs(one.due), Date.now())}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {owed.length > FEW && (
        <Button kind="quiet" size={24} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show all ${owed.length}`}
        </Button>
      )}
    </section>
  );
}

function Party({ name }: { name: string }) {
  return (
    <span className="owed__party">
      <PartyTile name={name} />
      <ShownText text={nameOf(name)} />
    </span>
  );
}

/** Where it stands on the desk, if it does. */
function About({ one }: { one: Obligation }) {
  const text = one.text ?? one.ref;
  if (one.kind === "request")
    return (
      <a href={hrefOf({ page: "requests", id: one.ref })}>
        <ShownText text={text} />
      </a>
    );
  if (one.kind === "question" || one.kind === "task")
    return (
      <a href={hrefOf({ page: "message", id: one.ref })}>
        <ShownText text={text} />
      </a>
    );
  return <ShownText text={text} />;
}
