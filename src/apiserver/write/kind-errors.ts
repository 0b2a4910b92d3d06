import type { FieldError } from '#apiserver/field-error.ts'
import type { Fields } from '#apiserver/objects.ts'
import type { Behaviour, WriteContext } from '#apiserver/resource.ts'
import type { Steps } from '#apiserver/steps.ts'

interface Pair {
  object: Fields
  /** Undefined: the object is new. */
  old: Fields | undefined
}

/** What its kind says is wrong with an object. */
export function* kindErrors(
  behaviour: Behaviour,
  { object, old }: Pair,
  context: WriteContext,
): Steps<FieldError[]> {
  yield
  const errors = behaviour.validate?.(object, old, context) ?? []
  if (!behaviour.check) return errors
  const more = yield* behaviour.check(object, old, context)
  return [...errors, ...more]
}
