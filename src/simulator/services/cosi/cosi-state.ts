import { Refusal } from '#simulator/refusal.ts'
import { served } from '#simulator/services/served-method.ts'
import { State } from '#talos/generated/cosi/resource_pb.ts'
import { encodeResource } from './encode-resource.ts'
import { allowRead } from './resource-access.ts'
import { queryOf } from './resource-query.ts'
import { shownResources } from './shown-resources.ts'
import { watch } from './watch.ts'

/** What a machine shows of itself, to be read and watched. */
export const cosiState = served(State, {
  get: ({ namespace, type, id }, call) => {
    allowRead(namespace, type, call)
    const found = shownResources(namespace, type, call.machine).find((one) => one.id === id)
    if (!found) {
      throw new Refusal('NotFound', `resource ${type}(${namespace}/${id}@undefined) doesn't exist`)
    }
    return { resource: encodeResource(found, call.machine) }
  },
  list: function* ({ namespace, type, options }, call) {
    allowRead(namespace, type, call)
    const wants = queryOf(options?.labelQuery ?? [], options?.idQuery)
    for (const resource of shownResources(namespace, type, call.machine)) {
      if (wants(resource)) yield { resource: encodeResource(resource, call.machine) }
    }
  },
  watch: async function* (request, call) {
    allowRead(request.namespace, request.type, call)
    yield* watch(request, call)
  },
  create: () => refuseToWrite(),
  update: () => refuseToWrite(),
  destroy: () => refuseToWrite(),
})

function refuseToWrite(): never {
  throw new Refusal('PermissionDenied', 'write access is not allowed')
}
