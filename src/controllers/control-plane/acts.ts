import { ControlPlane } from '#api/control-plane.ts'
import { Secret as SecretKind } from '#api/foreign.ts'
import {
  ADOPTED,
  BOOTSTRAP_ACCEPTED,
  BOOTSTRAP_MACHINE,
  CLUSTER_ID,
  ETCD_LEFT,
  ETCD_SEEN,
} from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { adoptedText } from '#engine/adoption.ts'
import { factAnnotations } from '#engine/cluster-facts.ts'
import type { ClusterPorts } from '#engine/cluster-ports.ts'
import { secretsDraft, takingPatch } from '#engine/cluster-secrets.ts'
import { type HeldSecret, holdPatch } from '#engine/cluster-secrets-hold.ts'
import { writeConfigSecret } from '#engine/config-delivery.ts'
import { leaveEtcd } from '#engine/leave-etcd.ts'
import { machineActs } from '#engine/pool-machines.ts'
import { turnActs } from '#engine/turn-steps.ts'
import { keyOf } from '#kube/cache.ts'
import { madeBy } from '#runtime/controller.ts'
import type { Acts } from '#runtime/definition.ts'
import { kubernetesActs } from './acts-kubernetes.ts'
import { assertAsSeen } from './adopt-cluster.ts'
import { annotate } from './annotate.ts'
import { assertNeverBegun, beginCluster } from './begin-cluster.ts'
import { delivery } from './deliveries.ts'
import { forgetting } from './forget-member.ts'
import {
  beganOn,
  claimedUuid,
  hasBegun,
  hasEverBegun,
  hasLeft,
  isClaimed,
} from './machine-facts.ts'
import { permits } from './permits.ts'
import type { Step, World } from './world.ts'

type ControlPlaneActs = Acts<typeof ControlPlane, World, Step>

/** How each step is done. */
export const acts = (ports: ClusterPorts): ControlPlaneActs => ({
  // Created and never written over: one that came first is the one.
  createSecrets: async ({ from }, { resource, world, write }) => {
    const { clock, newBundle } = ports
    const talosVersion = resource.spec?.version ?? ''
    const bundle = world.means.bundle ?? (await newBundle({ talosVersion, now: clock.now() }))
    const labels = madeBy(ControlPlane, resource)
    const madeFor = from === 'generated' ? resource.metadata.uid : undefined
    const draft = secretsDraft(resource, bundle, { labels, madeFor })
    await write.create(SecretKind, draft.open())
  },

  recordCluster: ({ id }, { resource, write }) => annotate(resource, write, { [CLUSTER_ID]: id }),

  recordFacts: (facts, { resource, write }) => annotate(resource, write, factAnnotations(facts)),

  adopt: adopting(ports),

  holdSecrets: ({ name }, { resource, world, write }) =>
    write.patch(SecretKind, name, takingPatch(resource, secretIn(world, name))),

  releaseSecrets: ({ name }, { world, write }) =>
    write.patch(SecretKind, name, holdPatch(secretIn(world, name), { isHeld: false })),

  ...machineActs,
  ...turnActs(ControlPlane),

  chooseBootstrap: ({ uuid }, { resource, write }) =>
    annotate(resource, write, { [BOOTSTRAP_MACHINE]: uuid }),

  recordBegun: ({ uuid, on }, { resource, write }) =>
    annotate(resource, write, { ...begunOn(uuid), [ETCD_SEEN]: on }),

  bootstrap: async ({ machine, uuid }, { resource, world, write }) => {
    const { access } = world.means
    if (!access) throw new Error('the plan is not of this look')
    const { signal } = write
    // Whoever was let go before anything began is not where it did.
    const all = world.machines.filter((one) => !hasLeft(one))
    await beginCluster({ machines: ports.machines, all, machine, uuid, access, signal })
    await annotate(resource, write, { [BOOTSTRAP_ACCEPTED]: uuid })
  },

  ...permits,

  leaveEtcd: async ({ machine: name, uuid }, { resource, world, write }) => {
    const { access } = world.means
    const machine = world.machines.find(({ metadata }) => metadata.name === name)
    if (!access || !machine || claimedUuid(machine) !== uuid) {
      throw new Error('the plan is not of this look')
    }
    const others = world.machines.filter((one) => one !== machine && isClaimed(one))
    const { machines } = ports
    if (hasEverBegun(resource) || hasBegun(world.machines)) {
      const { signal } = write
      const peer = await leaveEtcd({ machines, access, machine, others, signal })
      // Whoever goes is not where the cluster began any more: it may come back as another one.
      if (beganOn(resource, uuid)) await annotate(resource, write, begunOn(claimedUuid(peer) ?? ''))
    } else {
      // A cluster that never began has nothing to leave. That is so only if nothing was written down meanwhile.
      await assertNeverBegun(world.machines, { machines, access, signal: write.signal })
      await annotate(resource, write, {})
    }
    await write.patch(Machine, name, {
      type: 'merge',
      body: { metadata: { uid: machine.metadata.uid, annotations: { [ETCD_LEFT]: 'true' } } },
    })
  },

  ...forgetting(ports),
  ...kubernetesActs(ports),

  uncordon: ({ node, uid, by }, { resource, write: { signal } }) =>
    ports.nodes.uncordon(keyOf(resource), { name: node, uid, by }, signal),

  deliver: deliverWith(ports),
})

/** Writes a Secret for users, or for who takes over from us. */
const deliverWith =
  ({ clock }: ClusterPorts): Acts<typeof ControlPlane, World, Step>['deliver'] =>
  async ({ what, isNew }, { resource, world, write }) => {
    const { bundle, config } = world.means
    if (!bundle) throw new Error('the plan is not of this look')
    const { machines } = world
    const draft = await delivery(what, { controlPlane: resource, bundle, machines, config, clock })
    if (what === 'config') await writeConfigSecret(write, draft, isNew)
    // One that somebody made meanwhile is looked at first.
    else if (isNew) await write.create(SecretKind, draft.open())
    else await write.apply(SecretKind, draft.open())
  }

const adopting =
  ({ machines }: ClusterPorts): ControlPlaneActs['adopt'] =>
  async ({ machines: uuids, ...facts }, { resource, world, write }) => {
    const { access } = world.means
    const [first] = uuids
    if (!access || first === undefined) throw new Error('the plan is not of this look')
    await assertAsSeen(world.pool.known, { machines, access, signal: write.signal })
    await annotate(resource, write, {
      ...{ [ADOPTED]: adoptedText(uuids), ...begunOn(first), ...factAnnotations(facts) },
    })
  }

const begunOn = (uuid: string) => ({
  ...{ [BOOTSTRAP_MACHINE]: uuid, [BOOTSTRAP_ACCEPTED]: uuid, [ETCD_SEEN]: uuid },
})

function secretIn({ means: { secret } }: World, name: string): HeldSecret {
  if (secret?.metadata.name !== name) throw new Error('the plan is not of this look')
  return secret
}
