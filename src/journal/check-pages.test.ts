import { expect, test } from "vitest";
import { closedJournal } from "../../test/fakes/closed-journal.js";
import { damagePage } from "../../test/fakes/damage-page.js";
import { refusal } from "../../test/fakes/refusal.js";
import { checkPages } from "./check-pages.js";

test("a whole file is found whole", async () => {
  await expect(checkPages(await closedJournal(), new AbortController().signal)).resolves.toBeUndefined();
});

test("a damaged page is found, and its file is named", async () => {
  const file = await closedJournal();
  damagePage(file, "event");

  const error = await refusal(checkPages(file, new AbortController().signal));

  expect(error).toMatchObject({ code: "DATA_CORRUPT", details: { file } });
  expect(error.message).toContain(`${file} is damaged (`);
});

test.each(["before", "while"])("a check that is called off %s it runs finds nothing", async (when) => {
  const file = await closedJournal();
  damagePage(file, "event");
  const calledOff = new AbortController();
  if (when === "before") calledOff.abort();

  const checked = checkPages(file, calledOff.signal);
  calledOff.abort();

  await expect(checked).resolves.toBeUndefined();
});
