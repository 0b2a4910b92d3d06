import { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { CLUSTER_NAME, FORCE_DELETION, OS_INSTALLED } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { ApiKind, KubeObject } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import { OperatorError } from '#base/operator-error.ts'
import { looseSecretsDraft } from '#engine/cluster-secrets.ts'
import { isConflict } from '#kube/api-error.ts'
import type { Acts } from '#runtime/definition.ts'
import { failureCode, failureWords } from '#runtime/failure-code.ts'
import type { Writer } from '#runtime/writer.ts'
import type { CreationTries } from './creation-tries.ts'
import { fileOf } from './drafts.ts'
import { filesOwner } from './observe.ts'
import type { ProvidedPorts } from './ports.ts'
import { clusterNameOf, type Shape } from './shape.ts'
import { controlPlaneDraft, workerDraft } from './talos-drafts.ts'
import type { Step, World } from './world.ts'

const PARTS = { TalosControlPlane: ControlPlane, TalosWorker: Worker }

/** Of this very object: one that has the name by now is not meant. */
const annotated = (uid: string, annotation: string) => ({
  type: 'merge' as const,
  body: { metadata: { uid, annotations: { [annotation]: 'true' } } },
})

const forced = (uid: string) => annotated(uid, FORCE_DELETION)

/** How each step is done. */
export const acts = (
  { clock, newBundle, provided: { results, tally } }: ProvidedPorts,
  tries: CreationTries,
): Acts<typeof KubernetesCluster, World, Step> => ({
  // Applied, so that fields which the template loses later go, too.
  createMachine: async ({ machine, role }, on) => {
    await applyMachine(machine, { ...on, tries })
    tries.made(on.world, machine)
    tally.machineGenerated(clusterNameOf(on.resource), role)
  },

  updateMachine: ({ machine }, on) => applyMachine(machine, { ...on, tries }),

  removeMachine: ({ machine, uid }, { write }) => write.remove(ProvidedMachine, machine, { uid }),

  markInstalled: ({ machine, uid }, { write }) =>
    write.patch(ProvidedMachine, machine, annotated(uid, OS_INSTALLED)),

  writeFiles: ({ files }, { resource, world }) => {
    const wanted = world.wanted.map(fileOf).filter(({ name }) => files.includes(name))
    return results.write(filesOwner(resource), wanted)
  },

  removeFiles: ({ files }, { resource }) => results.remove(filesOwner(resource), files),

  // Created and never written over: one that came first is the one.
  createSecrets: async ({ name }, { resource, world, write }) => {
    const { talosVersion, name: cluster } = shapeIn(world)
    const brought = world.secrets.is === 'to be made' ? world.secrets.brought : {}
    const bundle = { ...(await newBundle({ talosVersion, now: clock.now() })), ...brought }
    const labels = { [CLUSTER_NAME]: cluster }
    const madeFor = Object.keys(brought).length === 0 ? resource.metadata.uid : undefined
    await write.create(Secret, looseSecretsDraft({ name, labels, madeFor }, bundle).open())
  },

  applyControlPlane: ({ machines }, { resource, world, write }) => {
    const making = { cluster: resource, shape: shapeIn(world), world }
    const draft = controlPlaneDraft(making, machines)
    return write.apply(ControlPlane, over(world.talos.controlPlane, draft))
  },

  applyWorker: ({ name, machines }, { resource, world, write }) => {
    const making = { cluster: resource, shape: shapeIn(world), world }
    const pool = world.talos.workers.find(({ metadata }) => metadata.name === name)
    return write.apply(Worker, over(pool, workerDraft(making, { name, machines })))
  },

  removePart: ({ part, name, uid }, { write }) => write.remove(PARTS[part], name, { uid }),

  forcePart: ({ part, name, uid }, { write }) =>
    write.patch<ApiKind>(PARTS[part], name, forced(uid)),

  forceTalosMachine: ({ name, uid }, { write }) => write.patch(Machine, name, forced(uid)),
})

interface Applying {
  resource: KubernetesCluster
  world: World
  write: Writer
  tries: CreationTries
}

async function applyMachine(
  machine: string,
  { resource, world, write, tries }: Applying,
): Promise<void> {
  try {
    await write.apply(ProvidedMachine, machineOver(machine, world))
  } catch (error) {
    if (isConflict(error) || failureCode(error) === 'LeadershipLost') throw error
    tries.failed(resource)
    throw new OperatorError('MachineCreationError', {
      message: `Machine ${machine}: ${failureWords(error)}`,
      cause: error,
    })
  }
  tries.ended(resource)
}

// No object ever has it, as the first version of a store that holds nothing: whatever is there refuses to be changed.
const NEVER_THERE = '1'

/**
 * Over the version that was looked at, or as a new one, or not at all: what others have made meanwhile stays theirs, and
 * a machine that an old list lacks would be wiped.
 */
function over<Draft extends { metadata: object }>(
  seen: KubeObject | undefined,
  draft: Draft,
): Draft {
  const resourceVersion = seen ? seen.metadata.resourceVersion : NEVER_THERE
  return { ...draft, metadata: { ...draft.metadata, ...(resourceVersion && { resourceVersion }) } }
}

/** A Machine as it is wanted, over what was seen of it. */
function machineOver(name: string, { wanted, machines }: World) {
  const draft = wanted.find((one) => one.name === name)?.draft
  if (!draft) throw new Error('the plan is not of this look')
  return over(
    machines.find(({ metadata }) => metadata.name === name),
    draft,
  )
}

function shapeIn({ judged }: World): Shape {
  if ('shape' in judged) return judged.shape
  throw new Error('the plan is not of this look')
}
