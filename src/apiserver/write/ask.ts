import type { About } from '#apiserver/failure.ts'
import { type Fields, timestampOf } from '#apiserver/objects.ts'
import type { User } from '#apiserver/request.ts'
import type { Resource, WriteContext } from '#apiserver/resource.ts'
import type { Store } from '#apiserver/store/store.ts'
import type { Clock } from '#base/clock.ts'

/** What is asked to be written where, by whom, and how strictly. */
export interface Ask {
  resource: Resource
  namespace: string
  /** Empty for a new object, whose name is in its body. */
  name: string
  /** Empty for the object itself. */
  subresource: string
  user: User
  /** Who is said to own the fields that are written. */
  owner: string
  dryRun: boolean
  fieldValidation: FieldValidation
  /** The way in which it is asked, where that makes a difference. */
  method?: 'apply' | 'patch' | 'put'
  /** Fails unless the user may do this too: a write that creates needs more than one that changes. */
  demandVerb?(verb: string): void
  /** Fails when nothing of the kind can be made any more: its definition may have gone since it was asked. */
  demandServed?(): void
  /** Fails when the user may not write just this, whatever is wrong with it besides. */
  guard?(object: Fields, old: Fields | undefined): void
  warn(text: string): void
}

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore'

/** Where writes go. */
export interface Writes {
  store: Store
  clock: Clock
}

/** As failures name the object: by its resource. */
export const aboutResource = ({ resource }: Ask, name: string): About => ({
  group: resource.group,
  kind: resource.plural,
  name,
})

/** As failures name an object that is invalid: by the kind that it says it is, in the group it is kept in. */
export const aboutObject = ({ resource }: Ask, object: Fields, name: string): About => ({
  group: resource.stored.group,
  kind: String(object.kind),
  name,
})

/** What the kind is told about the write. */
export const contextOf = ({ clock }: Writes, ask: Ask): WriteContext => ({
  user: ask.user,
  now: timestampOf(clock.now()),
  dryRun: ask.dryRun,
  ...(ask.subresource && { subresource: ask.subresource }),
  warn: ask.warn,
})
