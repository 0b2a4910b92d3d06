import { badRequest, notFound } from '#apiserver/failure.ts'
import { afterEviction, decideEviction } from '#apiserver/kinds/eviction.ts'
import { type Fields, fieldsAt, textAt, timestampOf } from '#apiserver/objects.ts'
import type { Feed } from '#apiserver/read/watch-stream.ts'
import type { Resource } from '#apiserver/resource.ts'
import { keyOf, objectIn } from '#apiserver/stored-object.ts'
import type { Ask } from '#apiserver/write/ask.ts'
import { ownedAsUpdated } from '#apiserver/write/owned.ts'
import { remove } from '#apiserver/write/remove.ts'
import { removeOptionsOf } from '#apiserver/write/remove-options.ts'
import { update } from '#apiserver/write/update.ts'
import { askOf } from './call.ts'
import type { Route, SpecialRoutes } from './resource-routes.ts'
import { bodyAs } from './review-routes.ts'

const DONE = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }

/** Takes a pod away, as far as disruption budgets allow it. */
export function evictionRoute(budgets: Resource): SpecialRoutes {
  const evict: Route = async (feed, call) => {
    const body = await bodyAs(call, { group: 'policy', version: 'v1', kind: 'Eviction' })
    const ask = askOf(call)
    const { namespace, name } = call.path
    const { name: stated } = fieldsAt(body, 'metadata')
    if (stated !== name) {
      throw badRequest('name in URL does not match name in Eviction object')
    }
    const entry = feed.store.get(keyOf(call.resource, namespace, name))
    if (!entry) throw notFound({ group: '', kind: 'pods', name })
    const options = removeOptionsOf(fieldsAt(body, 'deleteOptions'), call.query)
    const dryRun = ask.dryRun || options.dryRun === true
    const inNamespace = feed.store.list(keyOf(budgets, namespace, '')).map(objectIn)
    const verdict = decideEviction(objectIn(entry), inNamespace)
    if (verdict.verdict === 'refuse') throw verdict.failure
    if (verdict.budget && !dryRun) {
      const budget = textAt(fieldsAt(verdict.budget, 'metadata'), 'name') ?? ''
      const spending = { ...ask, resource: budgets, name: budget, subresource: 'status' }
      await spend(feed, spending, objectIn(entry))
    }
    await remove(feed, { ...ask, subresource: '', dryRun }, options)
    return {
      code: 201,
      body: DONE,
    }
  }
  return { '/pods/eviction': { create: evict } }
}

/** Takes one disruption from a budget, if another eviction has not taken the last one meanwhile. */
async function spend(feed: Feed, ask: Ask, pod: Fields): Promise<void> {
  const podName = textAt(fieldsAt(pod, 'metadata'), 'name') ?? ''
  await update(feed, ask, (live) => {
    const verdict = decideEviction(pod, [live])
    if (verdict.verdict === 'refuse') throw verdict.failure
    const status = afterEviction(live, podName, timestampOf(feed.clock.now()))
    return ownedAsUpdated(feed, ask, { live, next: { ...structuredClone(live), status } })
  })
}
