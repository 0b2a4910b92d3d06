import type { Kind, KubeObject, ObjectOf } from '#api/meta.ts'
import type { Definition } from './definition.ts'
import { hasFinalizer } from './finalizer.ts'
import type { Notice, Plan } from './plan.ts'
import type { Reader } from './reader.ts'
import type { ReconcileMode } from './reconcile-mode.ts'

/** Where a decision gets its world and its time from. */
interface Looker {
  look<World>(observe: (read: Reader) => World | Promise<World>): Promise<World>
  now(): Date
}

/** Whether somebody has asked for the object to go. */
export const isLeaving = ({ metadata }: KubeObject): boolean =>
  metadata.deletionTimestamp !== undefined

/** Whether there is nothing to look at: it is not allowed, or what is left of the object is not ours. */
export const isNotForUs = (kind: Kind, resource: KubeObject, mode: ReconcileMode): boolean =>
  mode === 'disable' || (isLeaving(resource) && !hasFinalizer(kind, resource))

/** What was seen, and what follows. `finished`: all is taken down, and the resource may go. */
interface Decided<K extends Kind, World, Step> {
  world: World
  plan: Plan<Step, K> | 'finished'
  /** What users should hear of, whatever was decided. */
  notices: readonly Notice[]
}

/** Looks, and decides what follows. */
export async function decide<K extends Kind, World, Step extends { do: string }>(
  { observe, plan, teardown }: Definition<K, World, Step>,
  resource: ObjectOf<K>,
  looker: Looker,
): Promise<Decided<K, World, Step>> {
  const world = await looker.look((read) => observe(resource, read))
  const decided = isLeaving(resource)
    ? teardown?.(resource, world, looker.now())
    : plan(resource, world, looker.now())
  if (!decided || decided === 'finished') return { world, plan: 'finished', notices: [] }
  const { notices = [] } = decided
  return { world, plan: 'finished' in decided ? 'finished' : decided, notices }
}
