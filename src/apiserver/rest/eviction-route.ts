import { badRequest } from '#apiserver/failure.ts'
import { fieldsAt } from '#apiserver/objects.ts'
import type { Resource } from '#apiserver/resource.ts'
import { evict } from '#apiserver/write/evict.ts'
import { removeOptionsOf } from '#apiserver/write/remove-options.ts'
import { askOf } from './call.ts'
import type { Route, SpecialRoutes } from './resource-routes.ts'
import { bodyAs } from './review-routes.ts'

const DONE = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }

/** Takes a pod away, as far as disruption budgets allow it. */
export function evictionRoute(budgets: Resource): SpecialRoutes {
  const create: Route = async (feed, call) => {
    const body = await bodyAs(feed, call, { group: 'policy', version: 'v1', kind: 'Eviction' })
    const { name: stated } = fieldsAt(body, 'metadata')
    if (stated !== call.path.name) {
      throw badRequest('name in URL does not match name in Eviction object')
    }
    const options = removeOptionsOf(fieldsAt(body, 'deleteOptions'), call.query)
    await evict(feed, askOf(call), { budgets, options })
    return {
      code: 201,
      body: DONE,
    }
  }
  return { '/pods/eviction': { create } }
}
