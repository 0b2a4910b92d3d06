import { type FieldError, invalidField } from '#apiserver/field-error.ts'

export const isSimplePath = (path: string): boolean => path.startsWith('.')

/** What is wrong with a path that has to begin at the root of an object. */
export const simplePathErrors = (path: string, field: string): FieldError[] =>
  isSimplePath(path)
    ? []
    : [invalidField(field, path, 'must be a simple json path starting with .')]
