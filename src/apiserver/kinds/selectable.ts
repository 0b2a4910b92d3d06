import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'

/** What a field selector sees of an object: always a text. */
export type Selectable = (object: Fields) => string

/** A text in a part of the object; empty where there is none. */
export const fieldSelector =
  (part: string, key: string): Selectable =>
  (object) =>
    textAt(fieldsAt(object, part), key) ?? ''

/** Something that is set or not. */
export const flagSelector =
  (part: string, key: string): Selectable =>
  (object) =>
    String(fieldsAt(object, part)[key] === true)

/** A number; 0 where there is none. */
export const countSelector =
  (part: string, key: string): Selectable =>
  (object) =>
    String(fieldsAt(object, part)[key] ?? 0)

/** A text at the top of the object. */
export const topSelector =
  (key: string): Selectable =>
  (object) =>
    textAt(object, key) ?? ''
