import type { Fields } from '#apiserver/objects.ts'
import { isSameWrite } from '#apiserver/ownership/same-write.ts'
import type { Steps } from '#apiserver/steps.ts'
import type { Decision, Entry } from '#apiserver/store/store.ts'
import { bytesOf, textInSteps } from '#apiserver/stored-object.ts'
import type { Ask } from './ask.ts'
import { asStored, type Written } from './written.ts'

interface Outcome {
  live: Fields
  next: Fields
  /** Whether the object goes for good. */
  isGone: boolean
}

interface Decided {
  decision: Decision
  result: () => Written
}

/** What is written, if anything is, and what the writer is told then. */
export function* decide(
  { resource, dryRun }: Ask,
  current: Entry,
  { live, next, isGone }: Outcome,
): Steps<Decided> {
  const outcome = isGone ? 'removed' : 'changed'
  if (dryRun) return { decision: 'leave', result: () => ({ object: next, outcome }) }

  if (!isGone && (yield* isSameWrite(live, next))) {
    return { decision: 'leave', result: () => ({ bytes: current.value, outcome }) }
  }
  yield
  const text = yield* textInSteps(asStored(resource, next))
  yield
  let bytes = current.value
  const make = (revision: number) => {
    bytes = bytesOf(text, revision)
    return bytes
  }
  const decision = isGone ? { remove: make } : { put: make }
  return { decision, result: () => ({ bytes, outcome }) }
}
