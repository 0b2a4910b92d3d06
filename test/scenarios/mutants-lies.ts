import { MACHINE_UUID, RECONCILE_MODE } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { Kind, KubeObject } from '#api/meta.ts'
import { Secret } from '#base/secret.ts'
import type { TalosMachines } from '#engine/talos-machines.ts'
import { ApiError } from '#kube/api-error.ts'
import type { Controller } from '#runtime/controller.ts'
import type { Tools } from '#runtime/pass.ts'
import type { Watches } from '#runtime/watches.ts'
import type { EtcdMember } from '#talos/calls/etcd-members.ts'
import { watched } from './machine-gate.ts'
import type { Objects } from './objects.ts'

// What no rule decides is done by acts, through what they are handed: which is what lies here.

type Answer = (
  call: { address: string; given: readonly unknown[] },
  truly: () => unknown,
) => unknown

/** Machines that are called as they are, but for one call, which is answered instead of them. */
function insteadOf(machines: TalosMachines, method: string, answer: Answer): TalosMachines {
  return {
    machine: (target) =>
      watched(machines.machine(target), '', (called, given, make) =>
        called === method ? answer({ address: target.address, given }, make) : make(),
      ),
  }
}

/** Whoever is asked says that it is the machine of the object that asks; of these, of one that is chosen. */
export const asIsWanted = (
  machines: TalosMachines,
  world: () => { readonly objects: Objects },
  isLiedTo: (machine: Machine) => boolean,
): TalosMachines =>
  insteadOf(machines, 'state.systemInformation', async ({ address }, truly) => {
    const asking = (await world().objects.list(Machine))
      .filter(({ spec }) => spec?.endpoint === address)
      .find(isLiedTo)
    const uuid = asking?.metadata.annotations?.[MACHINE_UUID]
    return { ...Object(await truly()), ...(uuid && { uuid }) }
  })

/** The machines of which it is asked whether the cluster has begun know of no etcd. Looks are not lied to. */
export const withoutEtcd = (machines: TalosMachines): TalosMachines => ({
  machine: (target) => {
    const machine = machines.machine(target)
    return { ...machine, cluster: { ...machine.cluster, etcdMemberId: async () => undefined } }
  },
})

/** Nobody lists the members whose addresses have this in them. */
export const withoutMember = (machines: TalosMachines, address: string): TalosMachines =>
  insteadOf(machines, 'etcd.members', async (_call, truly) => {
    const members = (await truly()) as EtcdMember[] // what is called answers that
    return members.filter(({ peerUrls }) => !peerUrls.some((url) => url.includes(address)))
  })

/** Nobody is asked to give up to lead. */
export const leadingOn = (machines: TalosMachines): TalosMachines =>
  insteadOf(machines, 'etcd.forfeitLeadership', async () => undefined)

/** What is only to be tried is not even sent. */
export const untried = (machines: TalosMachines): TalosMachines =>
  insteadOf(machines, 'configuration.apply', ({ given: [application] }, truly) =>
    Object(application).dryRun === true
      ? Promise.resolve({ mode: 'auto', details: new Secret(''), isUnchanged: false, warnings: [] })
      : truly(),
  )

/** Whatever is to be fetched is said to be there. */
export const unfetched = (machines: TalosMachines): TalosMachines =>
  insteadOf(
    insteadOf(machines, 'images.pull', async ({ given: [image] }) => image),
    'images.pullLegacy',
    async () => undefined,
  )

/** Nobody is asked over a connection of its own, however that was meant. */
export const overOldConnections = (machines: TalosMachines): TalosMachines => ({
  machine: (target) => {
    const machine = machines.machine(target)
    return { ...machine, bound: (work) => machine.bound(work) }
  },
})

/** A controller that is shown every object as if it had no mode, by caches and by the API. */
export const blindToModes = (controller: Controller): Controller => ({
  ...controller,
  modeFor: () => 'reconcile',
  pass: ({ tools, ...request }) => {
    const { watches, client } = tools
    const blind = { watches: withoutModes(watches), client: withoutModes(client) }
    return controller.pass({ ...request, tools: { ...tools, ...blind } })
  },
})

const withoutModes = <Shows extends object>(shows: Shows): Shows =>
  new Proxy(shows, {
    get: (of, key) => {
      const value: unknown = Reflect.get(of, key)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => modeless(Reflect.apply(value, of, given))
    },
  })

function modeless(answer: unknown): unknown {
  if (answer instanceof Promise) return answer.then(modeless)
  if (Array.isArray(answer)) return answer.map(modeless)
  return isObject(answer) ? withoutMode(answer) : answer
}

const isObject = (answer: unknown): answer is KubeObject =>
  typeof Object(answer).metadata?.name === 'string'

function withoutMode(object: KubeObject): KubeObject {
  const { [RECONCILE_MODE]: _mode, ...annotations } = object.metadata.annotations ?? {}
  return { ...object, metadata: { ...object.metadata, annotations } }
}

type Called = (key: unknown, given: readonly unknown[], tools: Tools) => unknown

/** A controller whose calls to Kubernetes are answered by that, unless it answers with nothing. */
const answered = (controller: Controller, by: Called): Controller => ({
  ...controller,
  pass: ({ tools, ...request }) => {
    const client = new Proxy(tools.client, {
      get: (of, key) => {
        const value: unknown = Reflect.get(of, key)
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => by(key, given, tools) ?? Reflect.apply(value, of, given)
      },
    })
    return controller.pass({ ...request, tools: { ...tools, client } })
  },
})

/** A controller that goes by what its caches show of a kind wherever it should ask the API. */
export const believing = (controller: Controller, kind: Kind): Controller =>
  answered(controller, (key, [asked, place], { watches }) => {
    if (Object(asked).plural !== kind.plural) return undefined
    if (key === 'list') return Promise.resolve({ items: [...watches.list(kind, {})] })
    return key === 'get' ? cachedIn(watches, kind, Object(place)) : undefined
  })

/** A controller that applies what it wants, whatever has become of what it has seen. */
export const unconditional = (controller: Controller): Controller =>
  answered(controller, (key, [kind, draft, options], { client }) => {
    if (key !== 'apply' || Object(options).subresource) return undefined
    const { resourceVersion: _, ...metadata } = Object(draft).metadata
    return client.apply(Object(kind), { ...Object(draft), metadata }, Object(options))
  })

async function cachedIn(
  watches: Watches,
  kind: Kind,
  { namespace, name }: { namespace: string; name: string },
): Promise<KubeObject> {
  const found = watches.get(kind, `${namespace}/${name}`)
  if (found) return found
  throw new ApiError('not in the cache', { status: 404, reason: 'NotFound', objectName: name })
}
