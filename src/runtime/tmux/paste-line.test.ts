import fc from "fast-check";
import { expect, test } from "vitest";
import { checkProperty } from "../../../test/fakes/check-property.js";
import { pasteLine } from "./paste-line.js";

test("control characters do not reach a pane: no newline, no end of paste", () => {
  expect(pasteLine("MSG_A_1: one\ntwo\r\n\tthree")).toBe("MSG_A_1: one two three");
  expect(pasteLine("MSG_A_1: a\x1b[201~\rtouch x\x9b1~\x00\x7f")).toBe("MSG_A_1: a[201~ touch x1~");
  checkProperty(
    fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 120 }), (text) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
      expect(pasteLine(`x${text}`)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    }),
  );
});

test("only one line under 150 characters is pasted", () => {
  expect(pasteLine("x".repeat(149))).toHaveLength(149);
  for (const line of ["x".repeat(150), "", "\x1b"]) {
    expect(() => pasteLine(line)).toThrow(expect.objectContaining({ code: "NOT_TAKEN" }));
  }
});
