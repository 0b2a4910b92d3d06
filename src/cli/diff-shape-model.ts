// What steps of a KubernetesCluster, its provider and the engine would come to, on objects that are held.

import { ControlPlane } from '#api/control-plane.ts'
import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { OS_INSTALLED } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { Kind, KubeObject } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import { entriesOf, nameOf } from '#controllers/kubernetes-cluster/entries.ts'
import { addressPath } from '#controllers/kubernetes-cluster/machine-address.ts'
import { isLeaving, isOwn } from '#controllers/kubernetes-cluster/own.ts'
import { controlPlaneDraft, workerDraft } from '#controllers/kubernetes-cluster/talos-drafts.ts'
import type { Step, World } from '#controllers/kubernetes-cluster/world.ts'
import { machineName, type Parent } from '#engine/pool.ts'
import { typeMeta } from '#kube/paths.ts'
import { type HeldObjects, idOf } from './diff-held.ts'
import type { StandIns } from './diff-stand-ins.ts'

/** What a cluster has so far. */
export interface ShapeModel {
  readonly held: HeldObjects
  /** What was written last, by the id of the object. */
  readonly written: ReadonlyMap<string, Written>
}

/** What the controller writes by server-side apply. */
export interface Written {
  readonly kind: Kind
  readonly draft: Draft
}

interface Draft {
  readonly metadata: KubeObject['metadata']
  readonly spec?: object
}

interface On {
  readonly cluster: KubernetesCluster
  readonly world: World
  /** Of the cluster, if it is to be made now. */
  readonly secret: KubeObject | undefined
}

/** The model after a step. */
export function afterStep(model: ShapeModel, step: Step, on: On): ShapeModel {
  const write = writeOf(step, on)
  return write ? written(model, write, on) : { ...model, held: heldAfter(model.held, step, on) }
}

/** What a step applies, if it does that. */
function writeOf(step: Step, { cluster, world }: On): Written | undefined {
  if (step.do === 'createMachine' || step.do === 'updateMachine') {
    const wanted = world.wanted.find(({ name }) => name === step.machine)
    return wanted && { kind: ProvidedMachine, draft: wanted.draft }
  }
  if (!('shape' in world.judged)) return undefined
  const making = { cluster, shape: world.judged.shape, world }
  if (step.do === 'applyControlPlane') {
    return { kind: ControlPlane, draft: controlPlaneDraft(making, step.machines) }
  }
  return step.do === 'applyWorker' ? { kind: Worker, draft: workerDraft(making, step) } : undefined
}

/** What is there after any other step. */
function heldAfter(held: HeldObjects, step: Step, { secret }: On): HeldObjects {
  switch (step.do) {
    case 'removeMachine':
      return held.without(named(ProvidedMachine, step.machine))
    case 'createSecrets':
      return secret ? held.with([secret]) : held
    case 'removePart': {
      const part = held.get(Worker, step.name)
      return part ? withoutPart(held, part) : held
    }
    case 'markInstalled': {
      const machine = held.get(ProvidedMachine, step.machine)
      return machine ? held.with([marked(machine)]) : held
    }
    case 'forceTalosMachine':
      return held.without(named(Machine, step.name))
    default:
      return held
  }
}

const marked = ({ metadata, ...machine }: ProvidedMachine): ProvidedMachine => ({
  ...machine,
  metadata: { ...metadata, annotations: { ...metadata.annotations, [OS_INSTALLED]: 'true' } },
})

const named = ({ kind }: Kind, name: string): KubeObject => ({ kind, metadata: { name } })

/** What others have written on an object stays there. */
function written(
  { held, written: all }: ShapeModel,
  { kind, draft }: Written,
  { cluster }: On,
): ShapeModel {
  const { namespace } = cluster.metadata
  const { metadata: own, spec } = draft
  const placed = { ...own, ...(namespace !== undefined && { namespace }) }
  const child: Draft | undefined = held.get<Kind>(kind, own.name)
  const object = {
    ...child,
    ...typeMeta(kind),
    metadata: {
      // What is not there yet is told from others by something.
      ...{ uid: `of ${idOf(named(kind, own.name))}`, ...child?.metadata, ...placed },
      labels: { ...child?.metadata.labels, ...own.labels },
      annotations: { ...child?.metadata.annotations, ...own.annotations },
    },
    spec: laidOver(child?.spec, spec),
  }
  const note: Written = { kind, draft: { metadata: placed, ...(spec && { spec }) } }
  return { held: held.with([object]), written: new Map([...all, [idOf(object), note]]) }
}

function laidOver(under: unknown, over: unknown): unknown {
  if (!isMap(under) || !isMap(over)) return over
  const fields = Object.entries(over).map(([key, value]) => [key, laidOver(under[key], value)])
  return { ...under, ...Object.fromEntries(fields) }
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * What providers and the engine do meanwhile: what is being deleted goes, machines that their part does not list any
 * more are let go, and Machines get addresses.
 */
export function settled(
  held: HeldObjects,
  cluster: KubernetesCluster,
  standIns: StandIns,
): HeldObjects {
  const isOurs = (object: KubeObject) => isOwn(cluster, object)
  const partsIn = (objects: HeldObjects): Parent[] =>
    [...objects.list(ControlPlane), ...objects.list(Worker)].filter(isOurs)
  const gone = held.list(ProvidedMachine).filter((one) => isOurs(one) && isLeaving(one))
  const left = partsIn(held).filter(isLeaving).reduce(withoutPart, gone.reduce(without, held))
  const parts = partsIn(left)
  const unlisted = parts.flatMap((part) => unlistedOf(part, left))
  const listed = new Set(parts.flatMap((part) => entriesOf(part).map(nameOf)))
  const placed = left
    .list(ProvidedMachine)
    .filter((one) => isOurs(one) && !listed.has(one.metadata.name))
    .filter((one) => addressPath(one) === undefined)
    .map((one) => {
      const { kind, metadata, status } = one
      const ipAddresses = [standIns.of(idOf({ kind, metadata }))]
      return { ...one, status: { ...status, ipAddresses } }
    })
  return unlisted.reduce(without, left).with(placed)
}

const without = (held: HeldObjects, object: KubeObject): HeldObjects => held.without(object)

/** With a part go its machines. */
const withoutPart = (held: HeldObjects, part: KubeObject): HeldObjects =>
  held.list(Machine, { ownerUid: part.metadata.uid ?? '' }).reduce(without, held.without(part))

function unlistedOf(part: Parent, held: HeldObjects): Machine[] {
  const { name, uid = '' } = part.metadata
  const listed = new Set(
    entriesOf(part).map((entry) => machineName(name, { reference: nameOf(entry) })),
  )
  return held.list(Machine, { ownerUid: uid }).filter(({ metadata }) => !listed.has(metadata.name))
}
