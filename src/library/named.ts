import { newUuid7 } from "../model/uuid7.js";

/** What is sent has its id before it leaves, so that it can be sent again. */
export function named<T extends { id?: string | undefined }>(fields: T): T & { id: string } {
  return Object.assign({}, fields, { id: fields.id ?? newUuid7() });
}
