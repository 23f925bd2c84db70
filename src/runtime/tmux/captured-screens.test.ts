import { describe, expect, test } from "vitest";
import { capturedScreens, stateOf } from "../../../test/fakes/captured-screens.js";
import { cliNames } from "../vendors/clients.js";
import { vendorOfCli } from "../vendors/vendors.js";
import { cliOfScreen } from "./cli-of.js";
import { findTag } from "./find-tag.js";
import { readScreen } from "./read-screen.js";

const screens = capturedScreens();

test("there are screens of every CLI", () => {
  for (const cli of cliNames) expect(screens.filter((one) => one.cli === cli).length).toBeGreaterThan(25);
});

describe.each(cliNames)("%s", (cli) => {
  const own = screens.filter((one) => one.cli === cli);

  test.each(own)("$name", ({ name, screen }) => {
    expect(readScreen(vendorOfCli(cli).screen, screen).state).toBe(stateOf(cli, name));
  });

  test("the parsed rows are those of the capture without style", () => {
    for (const { name, screen, text } of own) {
      if (stateOf(cli, name) === "busy") continue; // the spinner moved between the two captures
      const rows = screen.rows.map((row) => row.text.trimEnd());
      expect(`${name}\n${rows.join("\n").trimEnd()}`).toBe(
        `${name}\n${text
          .split("\n")
          .map((row) => row.trimEnd())
          .join("\n")
          .trimEnd()}`,
      );
    }
  });

  test("never says ready on another CLI's screen", () => {
    const wrong = screens
      .filter((one) => one.cli !== cli && readScreen(vendorOfCli(cli).screen, one.screen).state === "ready")
      .map((one) => `${one.cli}/${one.name}`);
    expect(wrong).toEqual([]);
  });

  test("is recognised by its screens, and no other is taken for it", () => {
    for (const { name, screen } of own) {
      if (stateOf(cli, name) === "exited") continue;
      const plain = { ...screen, command: "node" };
      const found = cliOfScreen(plain);
      // A dialog at the start shows nothing that is its own.
      if (found === undefined) expect([name, stateOf(cli, name)]).toEqual([name, "dialog"]);
      else expect([name, found]).toEqual([name, cli]);
      expect(cliOfScreen({ ...plain, command: "vim", rows: [] })).toBeUndefined();
    }
  });

  test("our text is found in the box, or only above it", () => {
    const tag = "MSG_JANUS_DEV_ab12cd34";
    for (const { name, screen } of own) {
      const place = findTag(screen, vendorOfCli(cli).screen.findBox(screen), tag);
      if (name === "tag60-draft" && cli === "codex") continue; // shows the last lines of the draft only
      if (/^(tag.*-draft|pasted)/.test(name) && !/pasted-5/.test(name))
        expect([name, place]).toEqual([name, "box"]);
      if (/^tag(5)?-sent$/.test(name)) expect([name, place]).toEqual([name, "above"]);
      if (/^(ready|draft$|shell|slash)/.test(name)) expect([name, place]).toEqual([name, "nowhere"]);
    }
  });
});
