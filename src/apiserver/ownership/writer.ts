import { type FieldError, forbiddenField, invalidField, required } from '#apiserver/field-error.ts'

const longest = 128

/** Letters, marks, numbers, punctuation and symbols of any script, and the space. */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u

/** What is wrong with the name of a writer, as it was asked for; an empty one is none. */
export function writerErrors(name: string): FieldError[] {
  const errors: FieldError[] = []
  if (Buffer.byteLength(name) > longest) {
    errors.push({
      reason: 'FieldValueTooLong',
      field: 'fieldManager',
      message: `Too long: may not be more than ${longest} bytes`,
    })
  }
  let position = 0
  for (const character of name) {
    if (!printable.test(character)) {
      const shown = `invalid character ${codePoint(character)} (at position ${position})`
      errors.push(invalidField('fieldManager', name, shown))
    }
    position += Buffer.byteLength(character)
  }
  return errors
}

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

interface PatchAsked {
  readonly isApply: boolean
  /** The name of the writer; empty if none was given. */
  readonly writer: string
  readonly force: boolean | undefined
}

/**
 * What is wrong with the writer and force of a patch: the answer is a 422 about `PatchOptions` of the
 * group `meta.k8s.io` with no name.
 */
export function patchOptionErrors({ isApply, writer, force }: PatchAsked): FieldError[] {
  const errors: FieldError[] = []
  if (isApply && writer === '') errors.push(required('fieldManager', 'is required for apply patch'))
  if (!isApply && force !== undefined) {
    errors.push(forbiddenField('force', 'may not be specified for non-apply patch'))
  }
  return [...errors, ...writerErrors(writer)]
}

/** Who writes: the name that was asked for, or the first word of the user agent. */
export function writerOf(asked: string, userAgent: string): string {
  if (asked !== '') return asked
  const [first = ''] = userAgent.split('/')
  let name = ''
  for (const character of first) {
    if (!printable.test(character)) continue
    if (Buffer.byteLength(name) + Buffer.byteLength(character) > longest) break
    name += character
  }
  return name
}
