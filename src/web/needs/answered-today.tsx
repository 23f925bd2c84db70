import type { HubClient } from "../../client/hub-client.js";
import { Monogram } from "../parts/monogram.js";
import { ShownText } from "../parts/shown-text.js";
import { sayClock, sayDay, toMs } from "../parts/time.js";
import { sayAnswer } from "./say-answer.js";

type Answered = Awaited<ReturnType<HubClient["answeredPermissions"]>>["permissions"][number];

/** What was decided since midnight, newest first. */
export function AnsweredToday({ answered }: { answered: readonly Answered[] }) {
  const now = Date.now();
  const today = answered.filter(
    (one) => one.answered !== undefined && sayDay(toMs(one.answered), now) === "Today",
  );
  return (
    <section className="answered">
      <h2 className="answered__title">
        Answered today <span className="answered__count figures">{today.length}</span>
      </h2>
      {today.length > 0 && (
        <ul className="answered__list">
          {today.map((one) => (
            <li key={one.id} className="answered__row">
              <Monogram name={one.agent} size={18} />
              <span className="answered__what" title={one.title}>
                <ShownText text={one.title} />
              </span>
              <time className="answered__time figures" dateTime={one.answered}>
                {sayClock(toMs(one.answered ?? one.asked))}
              </time>
              <span className="answered__how">
                <span className="visually-hidden">{one.agent} </span>
                {sayAnswer(one)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="answered__note">
        {today.length === 0 && "Nothing yet. "}Every answer is in the log with who gave it and from where.
      </p>
    </section>
  );
}
