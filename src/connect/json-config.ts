import { applyEdits, modify, type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { type ConfigFormat, ConfigProblem, isObject } from "./config-format.js";

/** JSON, also with comments and commas at the end. */
export const jsonConfig: ConfigFormat = {
  parse(text) {
    if (text.trim() === "") return {};
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    const [error] = errors;
    if (error !== undefined) {
      const line = text.slice(0, error.offset).split("\n").length;
      throw new ConfigProblem(`${printParseErrorCode(error.error)} in line ${line}`);
    }
    if (isObject(value)) return value;
    throw new ConfigProblem("it is not an object");
  },
  set(text, path, value) {
    const start = text.trim() === "" ? "{}\n" : text;
    return applyEdits(start, modify(start, [...path], value, { formattingOptions: formattingOf(start) }));
  },
};

/** As the text has it: the first line that is indented tells by how much. */
function formattingOf(text: string) {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 4 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}
