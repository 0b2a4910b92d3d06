import { notFound } from '#apiserver/failure.ts'
import { afterEviction, decideEviction } from '#apiserver/kinds/eviction.ts'
import { type Fields, fieldsAt, textAt, timestampOf } from '#apiserver/objects.ts'
import type { Resource } from '#apiserver/resource.ts'
import { keyOf, objectIn } from '#apiserver/stored-object.ts'
import type { Ask, Writes } from './ask.ts'
import { ownedAsUpdated } from './owned.ts'
import { remove } from './remove.ts'
import type { RemoveOptions } from './remove-options.ts'
import { update } from './update.ts'

interface Eviction {
  /** The kind of disruption budgets. */
  budgets: Resource
  options: RemoveOptions
}

/** Takes a pod away, as far as disruption budgets allow it; fails with what they say. */
export async function evict(
  writes: Writes,
  ask: Ask,
  { budgets, options }: Eviction,
): Promise<void> {
  const { resource, namespace, name } = ask
  const entry = writes.store.get(keyOf(resource, namespace, name))
  if (!entry) throw notFound({ group: '', kind: 'pods', name })
  const dryRun = ask.dryRun || options.dryRun === true
  const inNamespace = writes.store.list(keyOf(budgets, namespace, '')).map(objectIn)
  const verdict = decideEviction(objectIn(entry), inNamespace)
  if (verdict.verdict === 'refuse') throw verdict.failure
  if (verdict.budget && !dryRun) {
    const budget = textAt(fieldsAt(verdict.budget, 'metadata'), 'name') ?? ''
    const spending = { ...ask, resource: budgets, name: budget, subresource: 'status' }
    await spend(writes, spending, objectIn(entry))
  }
  await remove(writes, { ...ask, subresource: '', dryRun }, options)
}

/** Takes one disruption from a budget, if another eviction has not taken the last one meanwhile. */
async function spend(writes: Writes, ask: Ask, pod: Fields): Promise<void> {
  const podName = textAt(fieldsAt(pod, 'metadata'), 'name') ?? ''
  await update(writes, ask, (live) => {
    const verdict = decideEviction(pod, [live])
    if (verdict.verdict === 'refuse') throw verdict.failure
    const status = afterEviction(live, podName, timestampOf(writes.clock.now()))
    return ownedAsUpdated(writes, ask, { live, next: { ...structuredClone(live), status } })
  })
}
