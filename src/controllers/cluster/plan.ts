import type { Cluster } from '#api/cluster.ts'
import type { ControlPlane } from '#api/control-plane.ts'
import { FORCE_DELETION } from '#api/labels.ts'
import type { Worker } from '#api/worker.ts'
import { NOT_SUPPORTED_YET } from '#engine/not-supported-yet.ts'
import { isStuck } from '#engine/stuck.ts'
import { type Notice, no, type Plan, type Verdict, yes } from '#runtime/plan.ts'
import { restraintIn } from '#runtime/reconcile-mode.ts'

export type ClusterPlan = Plan<Step, typeof Cluster>

/** What one pass saw of a cluster. */
export interface World {
  /** The name of the control plane that the workers are to join. */
  joined: string
  controlPlane: Part<ControlPlane>
  worker: Part<Worker>
  /** A part of its own that the API has, of a cluster that goes, and that the caches do not show: `TalosWorker prod`. */
  unseen?: string | undefined
  /** Whether the API has another spec than the one by which workers would be removed. */
  isOld?: boolean
}

/** One of the two parts that a cluster has. */
export interface Part<Child extends ControlPlane | Worker> {
  /** `TalosControlPlane` or `TalosWorker`. */
  kind: string
  /** What it is called, or is to be called. Empty: the cluster has no such part. */
  name: string
  /** Whether the cluster makes it itself. */
  isInline: boolean
  child: Child | undefined
  /** Whether the child is the cluster's own. */
  isOwn: boolean
  /** Whether the child says what the cluster says. */
  isAsWanted: boolean
  /** One that the cluster made when its spec still had it, and that it does not even refer to now. */
  leftOver: Child | undefined
}

export type PartName = 'controlPlane' | 'worker'

export type Step =
  | { do: 'create'; part: PartName; name: string }
  | { do: 'update'; part: PartName; name: string }
  | { do: 'remove'; part: PartName; name: string; uid: string }
  | { do: 'force'; part: PartName; name: string }
  /** Says of a part that goes that its machines are not to be wiped. */
  | { do: 'keep'; part: PartName; name: string; uid: string }

// Nobody may tell that the caches have caught up: what they lacked can be gone by then.
const LOOK_AGAIN_MS = 5_000

/** What follows for a cluster. */
export function plan({ spec }: Cluster, world: World, now: Date): ClusterPlan {
  const parts = partsOf(world)
  const problem = problemIn(parts, world.isOld)
  // Workers must not join what only happens to have the name of their control plane, or nothing at all.
  const steps = problem && problem.reason !== 'ReferenceNotFound' ? [] : stepsFor(world)
  const blocked = problem ?? emptiness(parts)
  const ready = blocked ?? (steps.length > 0 ? CHANGING : notReady(parts))
  return {
    steps,
    status: {},
    conditions: {
      ...(ready && { Ready: ready }),
      Progressing: blocked
        ? no('Blocked', blocked.message)
        : ((steps.length > 0 ? undefined : stuckIn(parts)) ?? underWay(ready)),
    },
    needsTeardown: parts.some(
      ([, part]) => part.isInline || part.isOwn || part.leftOver !== undefined,
    ),
    notices: spec?.pxeServerSpec ? [NO_BOOT_SERVER] : [],
    ...(world.isOld && lookAgain(now)),
  }
}

const NO_BOOT_SERVER: Notice = {
  type: 'Warning',
  reason: NOT_SUPPORTED_YET,
  message:
    'spec.pxeServerSpec has no effect yet: machines are not booted over the network. Boot them otherwise',
}

const OLD_SPEC = no(
  'WaitingForView',
  'the spec was changed, and the operator does not see that yet: no workers are removed before it does',
)

/** Workers that are out of the spec: they go, and their machines with them. */
export const toBeRemoved = ({ worker: { leftOver } }: World): Worker | undefined =>
  leftOver && !isLeaving(leftOver) ? leftOver : undefined

function stepsFor(world: World): Step[] {
  const surplus = toBeRemoved(world)
  return [
    ...partsOf(world).flatMap(([part, seen]) => applySteps(part, seen)),
    ...(surplus ? [removeStep('worker', surplus)] : []),
  ]
}

/** The workers first, and the control plane when they are gone: it has the keys to them. */
export function teardown(cluster: Cluster, world: World, now: Date): ClusterPlan | 'finished' {
  const isForced = cluster.metadata.annotations?.[FORCE_DELETION] === 'true'
  if (world.unseen !== undefined) return waitingFor(world.unseen, now)
  const own = partsOf(world).reverse()
  for (const [part, seen] of own) {
    const going = goingOf(seen)
    if (!going) continue
    const { name } = going.metadata
    const said = messageIn(going, 'Deleting') ?? 'about to be removed'
    const restraint = restraintIn(going)
    const message = `${seen.kind} ${name}${restraint ? ` ${restraint}` : `: ${said}`}`
    return {
      // That they are kept, and force, first: what is only deleted may have wiped a machine before it hears of it.
      steps: [
        ...keepSteps(cluster, own),
        ...(isForced && going.metadata.annotations?.[FORCE_DELETION] !== 'true'
          ? [{ do: 'force' as const, part, name }]
          : []),
        ...(isLeaving(going) ? [] : [removeStep(part, going)]),
      ],
      status: {},
      conditions: leaving('RemovingParts', message),
    }
  }
  return 'finished'
}

/** What the cluster says of its machines may not have reached its parts when it is deleted, or be said after that. */
const keepSteps = ({ spec }: Cluster, own: readonly [PartName, AnyPart][]): Step[] =>
  own.flatMap(([part, { child, isOwn }]) => {
    const isLate = isOwn && child?.spec?.deletionPolicy !== 'preserve'
    if (!child || !isLate || spec?.[part]?.deletionPolicy !== 'preserve') return []
    const { name, uid = '' } = child.metadata
    return [{ do: 'keep', part, name, uid }]
  })

/** Which object of a part goes with its cluster; none if there is none that the cluster made. */
export const goingOf = ({ child, isOwn, leftOver }: AnyPart): ControlPlane | Worker | undefined =>
  isOwn ? child : leftOver

function waitingFor(unseen: string, now: Date): ClusterPlan {
  const message = `${unseen} is there, and the operator does not see that yet: nothing else is removed before it does`
  return {
    steps: [],
    status: {},
    conditions: leaving('WaitingForView', message),
    ...lookAgain(now),
  }
}

const lookAgain = (now: Date) => ({ wakeAt: new Date(now.getTime() + LOOK_AGAIN_MS) })

const leaving = (reason: string, message: string) => ({
  Deleting: yes(reason, message),
  Ready: no(reason, message),
  Progressing: yes(reason, message),
})

type AnyPart = Part<ControlPlane> | Part<Worker>

const partsOf = ({ controlPlane, worker }: World): [PartName, AnyPart][] => [
  ['controlPlane', controlPlane],
  ['worker', worker],
]

const CHANGING = no('Applying', 'its parts are made as the spec says')

function applySteps(part: PartName, { name, isInline, ...is }: AnyPart): Step[] {
  if (!isInline) return []
  if (!is.child) return [{ do: 'create', part, name }]
  return is.isOwn && !is.isAsWanted && !isLeaving(is.child) ? [{ do: 'update', part, name }] : []
}

const removeStep = (part: PartName, { metadata }: ControlPlane | Worker): Step => ({
  do: 'remove',
  part,
  name: metadata.name,
  uid: metadata.uid ?? '',
})

const isLeaving = ({ metadata }: ControlPlane | Worker): boolean =>
  metadata.deletionTimestamp !== undefined

const problemIn = (
  parts: readonly [PartName, AnyPart][],
  isOld: boolean | undefined,
): Verdict | undefined =>
  isOld
    ? OLD_SPEC
    : parts.map(([name, part]) => problemOf(name, part)).find((one) => one !== undefined)

/** What only a user can mend. */
function problemOf(name: PartName, part: AnyPart): Verdict | undefined {
  const { kind, isInline, child, isOwn, leftOver } = part
  if (isInline && child && !isOwn) {
    return no(
      'NameTaken',
      `${kind} ${part.name} is there and was not made by this cluster: refer to it by ${name}Ref, or rename one of the two`,
    )
  }
  if (!isInline && part.name !== '' && !child) {
    return no(
      'ReferenceNotFound',
      `${kind} ${part.name} is not there: create it, or correct ${name}Ref`,
    )
  }
  if (name === 'controlPlane' && leftOver) {
    return no(
      'ControlPlaneLeftOver',
      `the spec has ${kind} ${leftOver.metadata.name} no more, which this cluster made: it is left as it is, and so is all else. Put it back into the spec, refer to it by ${name}Ref, or delete the TalosCluster to take the whole cluster down`,
    )
  }
  return undefined
}

const underWay = (ready: Verdict | undefined): Verdict =>
  ready ? yes('InProgress', ready.message) : no('Settled', 'nothing is under way')

/** Why nothing is under way: workers do not get on without their control plane, which does without them. */
function stuckIn(parts: readonly [PartName, AnyPart][]): Verdict | undefined {
  const waiting = parts.flatMap(([part, { kind, name, child }]) =>
    child && !isReady(child) ? [{ part, what: `${kind} ${name}`, said: readyOf(child) }] : [],
  )
  const stuck = waiting.flatMap(({ part, what, said }) =>
    said && isStuck(said.reason) ? [{ part, what, said }] : [],
  )
  const [first] = stuck
  if (!first || (first.part === 'worker' && waiting.length > 1)) return undefined
  return no(first.said.reason, `${first.what}: ${first.said.message}`)
}

const emptiness = (parts: readonly [PartName, AnyPart][]): Verdict | undefined =>
  parts.some(([, { name }]) => name !== '')
    ? undefined
    : no('Empty', 'the spec has neither a control plane nor workers: add them')

function notReady(parts: readonly [PartName, AnyPart][]): Verdict | undefined {
  const waiting = parts.flatMap(([, { kind, name, child }]) =>
    child && !isReady(child) ? [`${kind} ${name}${whyNotReady(child)}`] : [],
  )
  return waiting.length > 0 ? no('PartsNotReady', waiting.join('; ')) : undefined
}

/** Ready as its spec is now. What was said of an older one says nothing. */
const isReady = (child: ControlPlane | Worker): boolean =>
  isLookedAt(child) && readyOf(child)?.status === 'True'

const isLookedAt = ({ metadata, status }: ControlPlane | Worker): boolean =>
  status?.observedGeneration === undefined || status.observedGeneration === metadata.generation

const readyOf = ({ status }: ControlPlane | Worker) =>
  status?.conditions?.find(({ type }) => type === 'Ready')

/** Told on in one sentence with others, so without the full stop. */
function whyNotReady(child: ControlPlane | Worker): string {
  const said = readyOf(child)
  if (said?.status === 'True') return ': not looked at since its spec changed'
  return said ? ` (${said.reason}): ${said.message.replace(/\.$/, '')}` : ': not looked at yet'
}

const messageIn = ({ status }: ControlPlane | Worker, type: string): string | undefined =>
  status?.conditions?.find((one) => one.type === type)?.message
