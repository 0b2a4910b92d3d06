import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { FORCE_DELETION } from '#api/labels.ts'
import type { KubeObject } from '#api/meta.ts'
import type { ProvidedMachine } from '#api/provided-machine.ts'
import { type Farewell, no } from '#runtime/plan.ts'
import { restraintIn } from '#runtime/reconcile-mode.ts'
import { partsOf } from './entries.ts'
import { inOneStep } from './files-rules.ts'
import { goneSteps } from './gone-steps.ts'
import { isLeaving } from './own.ts'
import type { KubernetesClusterPlan } from './plan.ts'
import { saidBefore } from './said-before.ts'
import { indexOf } from './surplus.ts'
import { takenWords } from './taken.ts'
import type { PartKind, Step, World } from './world.ts'

// By then the longest pause between two tries is reached.
const MOST_FILE_TRIES = 10
const LOOK_AGAIN_MS = 5_000

/** What is left to do, or what it waits for. */
interface Leaving {
  steps?: Step[]
  message: string
  wakeAt?: Date
}

type LeavingRule = (cluster: KubernetesCluster, world: World, now: Date) => Leaving | undefined

const isForced = ({ metadata }: KubeObject): boolean =>
  metadata.annotations?.[FORCE_DELETION] === 'true'

const unseenFirst: LeavingRule = (_cluster, { leftUnseen }, now) =>
  leftUnseen === undefined
    ? undefined
    : {
        message: `${leftUnseen} is there, and the operator does not see that yet: nothing else is removed before it does`,
        wakeAt: new Date(now.getTime() + LOOK_AGAIN_MS),
      }

/** With a part its machines are reset, also those whose Machine is somebody else's by now. By force none is. */
const unlessHandedOver: LeavingRule = (cluster, { taken, talos }) =>
  taken.length === 0 || isForced(cluster) || partsOf(talos).every(isLeaving)
    ? undefined
    : {
        message: `${takenWords(taken)}: machines that are not the cluster's any more would be reset with it, so nothing is taken down. Make the cluster their controller again, or annotate it with ${FORCE_DELETION}=true, which resets none; the Machines that are still the cluster's own are deleted all the same`,
      }

/** They reset their machines, for which they need the keys of the control plane. */
const thenWorkers: LeavingRule = (cluster, world) => {
  const { workers } = world.talos
  if (workers.length === 0) return undefined
  return {
    steps: [
      ...workers.flatMap((part) => partSteps(cluster, 'TalosWorker', part)),
      ...goneSteps(world, ({ spec }) => spec?.workerRef !== undefined),
    ],
    message: workers.map(words).join('; '),
  }
}

const thenControlPlane: LeavingRule = (cluster, world) => {
  const { controlPlane } = world.talos
  return (
    controlPlane && {
      steps: [
        ...partSteps(cluster, 'TalosControlPlane', controlPlane),
        // Whether they have left etcd does not matter: all of it goes.
        ...goneSteps(world, () => true),
      ],
      message: words(controlPlane),
    }
  )
}

/** Not before they are gone does anybody know that their provider could take them down. */
const thenMachines: LeavingRule = (_cluster, { machines }) =>
  machines.length === 0
    ? undefined
    : {
        steps: [...machines]
          .filter((machine) => !isLeaving(machine))
          .sort((a, b) => indexOf(b.metadata.name) - indexOf(a.metadata.name))
          .map(({ metadata }) => ({
            ...{ do: 'removeMachine' as const, machine: metadata.name, uid: metadata.uid ?? '' },
            because: 'its cluster is deleted',
          })),
        message: `these Machines are still there: ${machines.map(wordsOf).join(', ')}. Their provider removes them: if it does not, look into what it says, or remove their finalizers`,
      }

const wordsOf = (machine: ProvidedMachine): string => {
  const { phase, message, failureMessage } = machine.status ?? {}
  const said = [phase, failureMessage ?? message].filter(Boolean).join(', ')
  return said ? `${machine.metadata.name} (${said})` : machine.metadata.name
}

/** They help to look into things; nobody waits for them for ever. */
const thenFiles: LeavingRule = (_cluster, { files: { surplus, trouble } }, now) => {
  if (surplus.length === 0 && !trouble) return undefined
  if (trouble && trouble.tries >= MOST_FILE_TRIES) return undefined
  const message = trouble?.message ?? 'its files are removed from the results folder'
  if (trouble && now < trouble.retryAt) return { message, wakeAt: trouble.retryAt }
  return { steps: [{ do: 'removeFiles', files: inOneStep(surplus) }], message }
}

/** In this order: the first that speaks decides. When none does, nothing is left. */
export const leavingRules: readonly LeavingRule[] = [
  unseenFirst,
  unlessHandedOver,
  thenWorkers,
  thenControlPlane,
  thenMachines,
  thenFiles,
]

/** How a cluster is taken down that is looked at so often. Its phase stays what it was. */
export const teardownEvery =
  (resyncMs: number, rules = leavingRules) =>
  (cluster: KubernetesCluster, world: World, now: Date): KubernetesClusterPlan | Farewell => {
    const leaving = rules.map((rule) => rule(cluster, world, now)).find((one) => one !== undefined)
    if (!leaving) return { finished: true, notices: leftFiles(world) }
    const { steps = [], message, wakeAt } = leaving
    const { phase, controlPlaneReady, workersReady } = cluster.status ?? {}
    return {
      steps,
      status: { phase, controlPlaneReady, workersReady, machineCount: world.machines.length },
      conditions: { ...stillSaid(cluster, world), Ready: no('Deleting', message) },
      wakeAt: wakeAt ?? new Date(now.getTime() + resyncMs),
    }
  }

/** What was said of what goes stays, but for what is the matter with its files. */
const stillSaid = (cluster: KubernetesCluster, { files: { trouble } }: World) => ({
  ...saidBefore(cluster, 'TopologyValid', 'MachinesCreated', 'FilesGenerated'),
  ...(trouble && { FilesGenerated: no('GenerationFailed', trouble.message) }),
})

const leftFiles = ({ files: { trouble } }: World): Farewell['notices'] =>
  trouble
    ? [{ type: 'Warning', reason: 'FilesLeft', message: `files are left: ${trouble.message}` }]
    : []

function partSteps(cluster: KubernetesCluster, part: PartKind, object: KubeObject): Step[] {
  const { name, uid = '' } = object.metadata
  return [
    // By force first: what is only deleted may have wiped a machine before it hears of force.
    ...(isForced(cluster) && !isForced(object)
      ? [{ do: 'forcePart' as const, part, name, uid }]
      : []),
    ...(isLeaving(object) ? [] : [{ do: 'removePart' as const, part, name, uid }]),
  ]
}

function words(part: KubeObject & { status?: { conditions?: Said[] } }): string {
  const restraint = restraintIn(part)
  if (restraint) return `${part.kind} ${part.metadata.name} ${restraint}`
  const said = part.status?.conditions?.find(({ type }) => type === 'Deleting')
  return `${part.kind} ${part.metadata.name}: ${said?.message ?? 'about to be removed'}`
}

interface Said {
  type: string
  message: string
}
