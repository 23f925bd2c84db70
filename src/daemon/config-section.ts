import { z } from "zod";

/** Keys that stand below one, indented. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "invalid_type" ? `must hold keys of its own, indented below it` : undefined,
  });
}
