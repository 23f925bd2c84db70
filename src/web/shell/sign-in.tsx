import { CommandLine } from "../parts/empty-state.js";
import { Logo } from "./logo.js";
import "./sign-in.css";

/** Nobody is logged in here. It goes by itself when another tab is. */
export function SignIn({ why }: { why: string | undefined }) {
  return (
    <main className="sign-in">
      <div className="sign-in__box">
        <Logo size={40} />
        <h1 className="sign-in__title">Open the desk from your terminal</h1>
        <p className="sign-in__text">
          {why ??
            "This page does not know you yet. The command opens it again, logged in, with a link that works once."}
        </p>
        <CommandLine command="huddle ui" />
        <p className="sign-in__note">
          Already open in another tab of this browser? Then this page goes on by itself. What you wrote here
          is kept.
        </p>
      </div>
    </main>
  );
}
