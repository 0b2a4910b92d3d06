import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { apiVersionOf, type Kind, type KubeObject } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { controlPlaneDraft, workerDraft } from '#controllers/cluster/drafts.ts'
import { observe } from '#controllers/cluster/observe.ts'
import { plan, type Step, type World } from '#controllers/cluster/plan.ts'
import type { HeldObjects } from './diff-held.ts'
import type { Said } from './diff-report.ts'

/** Objects together with what TalosClusters among them make. */
export interface Expanded {
  readonly objects: HeldObjects
  /** What is in the way of a cluster, by its name. */
  readonly problems: ReadonlyMap<string, Said>
  /** The names of their control planes, by theirs. */
  readonly joined: ReadonlyMap<string, string>
}

// Nothing here hangs on when it would be looked at again.
const NO_TIME = new Date(0)

/** Has the TalosClusters of these names make their parts, as the operator would. */
export function withParts(objects: HeldObjects, names: readonly string[]): Expanded {
  const problems = new Map<string, Said>()
  const joined = new Map<string, string>()
  let made = objects
  for (const name of names) {
    const cluster = objects.get(Cluster, name)
    if (!cluster) continue
    const world = observe(cluster, made)
    const { steps, conditions } = plan(cluster, world, NO_TIME)
    if (conditions.Progressing?.reason === 'Blocked' && conditions.Ready) {
      const { reason, message } = conditions.Ready
      problems.set(name, { reason, message })
    }
    joined.set(name, world.joined)
    made = steps.reduce((held, step) => after(step, { cluster, world, held }), made)
  }
  return { objects: made, problems, joined }
}

interface On {
  cluster: Cluster
  world: World
  held: HeldObjects
}

function after(step: Step, { cluster, world, held }: On): HeldObjects {
  const { child, leftOver } = world[step.part]
  if (step.do === 'remove') return leftOver ? held.without(leftOver) : held
  const { name } = step
  const part =
    step.part === 'controlPlane'
      ? made(ControlPlane, controlPlaneDraft(cluster, name), child)
      : made(Worker, workerDraft(cluster, { name, controlPlane: world.joined }), child)
  const { namespace } = cluster.metadata
  return held.with([{ ...part, metadata: { ...part.metadata, ...(namespace && { namespace }) } }])
}

/** What others wrote on a part stays there. */
function made(kind: Kind, draft: KubeObject, child: KubeObject | undefined): KubeObject {
  const { metadata: own, ...rest } = { ...child, ...draft }
  const labels = { ...child?.metadata.labels, ...own.labels }
  const annotations = { ...child?.metadata.annotations, ...own.annotations }
  return {
    ...{ apiVersion: apiVersionOf(kind), kind: kind.kind, ...rest },
    metadata: { ...child?.metadata, ...own, labels, annotations },
  }
}
