// A cluster whose plans are the operator's own, and everything else as little as it takes: for tests of who waits for whom when
// versions are raised. A pass looks first and does later, so that others come in between.

import type { ControlPlane } from '#api/control-plane.ts'
import {
  BOOTSTRAP_ACCEPTED,
  BOOTSTRAP_MACHINE,
  CLUSTER_ID,
  CONTRACT,
  ETCD_SEEN,
  KUBE_UPGRADE,
  KUBE_VERSION,
  KUBELETS,
  TURN,
  TURNS,
} from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Worker } from '#api/worker.ts'
import { lookAtKubelets } from '#controllers/control-plane/look-kubelets.ts'
import { lookAtKubernetes } from '#controllers/control-plane/look-kubernetes.ts'
import { plan as planControlPlane } from '#controllers/control-plane/plan.ts'
import type { Step as ControlPlaneStep } from '#controllers/control-plane/world.ts'
import { plan as planWorker } from '#controllers/worker/plan.ts'
import type { Step as WorkerStep } from '#controllers/worker/world.ts'
import type { ClusterNodes } from '#engine/cluster-nodes.ts'
import { keepsTalos, letsKubeletsMove } from '#engine/kubelet-moves.ts'
import { kubernetesText } from '#engine/kubernetes-record.ts'
import { isOutOfTheWay } from '#engine/pending.ts'
import { turnsOf, turnsText } from '#engine/turns.ts'
import type { Verdict } from '#runtime/plan.ts'
import { aReader } from './a-reader.ts'
import { aControlPlane, aMachine, aWorker, aWorkerMachine } from './builders.ts'
import { aWorld as aControlPlaneWorld, NOW } from './control-plane-world.ts'
import { type Deed, givenBy, ModelMachine } from './versions-model-machine.ts'

export const TALOS = ['v1.13.0', 'v1.13.1'] as const
/** What pools have that are behind, what the cluster has, and what it may be upgraded to. */
export const KUBERNETES = ['v1.33.0', 'v1.34.0', 'v1.35.0'] as const

const POOLS = { first: ['first-1', 'first-2'], second: ['second-1'] }
/** Who makes passes: the control plane, its machine, two pools and theirs. */
export const ACTORS = ['prod', 'prod-1', 'first', 'first-1', 'first-2', 'second', 'second-1']

export interface Shown {
  controlPlane: ControlPlane
  pools: readonly Worker[]
  machines: readonly Machine[]
}

/** One that has looked, and has still to do what it planned. */
interface Pass {
  gives: readonly Deed['what'][]
  finish: () => Deed[]
}

type ParentStep = ControlPlaneStep | WorkerStep
interface Conditions {
  Ready?: Verdict
}

const BEGUN = {
  ...{ [CLUSTER_ID]: 'id-1', [CONTRACT]: 'v1.13', [KUBE_VERSION]: KUBERNETES[1] },
  ...{ [BOOTSTRAP_MACHINE]: 'u', [BOOTSTRAP_ACCEPTED]: 'u', [ETCD_SEEN]: 'u' },
}
const NO_PLAN = {
  missing: [],
  changed: [],
  same: [],
  known: [],
  surplus: [],
  taken: [],
  waiting: [],
}
const NO_NODES = {} as ClusterNodes // nobody asks it while nothing is known of the secrets
const MOST_ROUNDS = 400

/** One control plane machine, a pool of two whose kubelets are behind, and a pool of one. All is well to begin with. */
export class VersionsModel {
  #shown: Shown
  readonly #past: Shown[] = []
  readonly #machines: ReadonlyMap<string, ModelMachine>
  readonly #passes = new Map<string, Pass>()

  constructor() {
    const versions = { version: TALOS[0], kubeVersion: KUBERNETES[1] }
    const metadata = { generation: 1, uid: 'prod', annotations: BEGUN }
    const pool = (name: string, kubeVersion: string) =>
      aWorker({ metadata: { name, uid: name, generation: 1 }, spec: { ...versions, kubeVersion } })
    this.#shown = {
      controlPlane: aControlPlane({ metadata, spec: versions }),
      pools: [pool('first', KUBERNETES[0]), pool('second', KUBERNETES[1])],
      machines: [
        aMachine({ metadata: { name: 'prod-1', uid: 'prod-1', generation: 1 } }),
        ...Object.entries(POOLS).flatMap(([name, machines]) =>
          machines.map((machine) =>
            aWorkerMachine({
              metadata: { name: machine, uid: machine, generation: 1 },
              spec: { workerRef: { name } },
            }),
          ),
        ),
      ],
    }
    this.#machines = new Map(
      this.#shown.machines.map((machine) => [
        machine.metadata.name,
        new ModelMachine(machine, { talos: TALOS[0], ...this.#parentsOf(machine) }),
      ]),
    )
    for (const { name, claim } of this.#machines.values())
      this.#changeMachine(name, (now) => annotated(now, claim))
  }

  get controlPlane(): ControlPlane {
    return this.#shown.controlPlane
  }

  /** Raises the Talos of the control plane or of a pool, and of its machines. */
  raiseTalos(name: string): void {
    const version = TALOS[1]
    this.#changeParent(name, (now) => edited(now, { version }))
    for (const { metadata } of this.#shown.machines)
      if (metadata.name.startsWith(`${name}-`))
        this.#changeMachine(metadata.name, (now) => edited(now, { version }))
  }

  /** Raises the Kubernetes of the control plane or of a pool. */
  raiseKubernetes(name: string, kubeVersion: string): void {
    this.#changeParent(name, (now) => edited(now, { kubeVersion }))
  }

  pause(name: string): void {
    const rolloutStrategy = { type: 'RollingUpdate', paused: true }
    this.#changeParent(name, (now) => edited(now, { rolloutStrategy }))
  }

  /** Lets the node of a machine be not ready until it boots another Talos. */
  sicken(name: string): void {
    found(this.#machines.get(name)).isSick = true
  }

  /** What caches show now, or did so many changes ago. */
  cached(ago = 0): Shown {
    return (ago > 0 && this.#past.at(-ago)) || this.#shown
  }

  /** Begins a pass: looks, at this where it looks into caches, and plans. */
  async look(actor: string, cached = this.#shown): Promise<void> {
    if (this.#passes.has(actor)) return
    const machine = this.#machines.get(actor)
    const pool = this.#shown.pools.find(({ metadata }) => metadata.name === actor)
    if (machine) this.#passes.set(actor, this.#lookAtMachine(machine))
    else if (pool) this.#passes.set(actor, this.#lookAtPool(pool, cached))
    else this.#passes.set(actor, await this.#lookAtControlPlane(cached))
  }

  /** Ends a pass that was begun: does what was planned. The answer is what became of machines. */
  finish(actor: string): Deed[] {
    const pass = this.#passes.get(actor)
    this.#passes.delete(actor)
    return pass?.finish() ?? []
  }

  /** What a machine is about to be given by a pass that was begun. */
  plans(actor: string): readonly Deed['what'][] {
    return this.#passes.get(actor)?.gives ?? []
  }

  /** A whole pass. The answer is whether it changed anything. */
  async pass(actor: string): Promise<boolean> {
    const before = JSON.stringify([this.#shown, ...this.#machines.values()])
    await this.look(actor)
    this.finish(actor)
    return JSON.stringify([this.#shown, ...this.#machines.values()]) !== before
  }

  /** Lets everybody but one pass in turn until nothing changes any more. The answer is whether that ever comes. */
  async settle(without?: string): Promise<boolean> {
    const actors = ACTORS.filter((actor) => actor !== without)
    for (let rounds = 0; rounds < MOST_ROUNDS; rounds++) {
      const changes = []
      for (const actor of actors) changes.push(await this.pass(actor))
      if (!changes.includes(true)) return true
    }
    return false
  }

  /** Who is not ready, and why. */
  unready(): Record<string, string> {
    const { controlPlane, pools, machines } = this.#shown
    const said = [controlPlane, ...pools, ...machines].map(({ metadata, status }) => {
      const { status: is, reason = 'nothing' } =
        status?.conditions?.find(({ type }) => type === 'Ready') ?? {}
      return [metadata.name, is === 'True' ? '' : reason]
    })
    return Object.fromEntries(said.filter(([, reason]) => reason !== ''))
  }

  /** What machines run: `prod-1 v1.13.0 v1.34.0`. */
  runs(): string[] {
    return [...this.#machines.values()].map(({ name, talos, versions }) =>
      [name, talos, ...new Set(Object.values(versions))].join(' '),
    )
  }

  #lookAtMachine(machine: ModelMachine): Pass {
    const object = this.#objectOf(machine.name)
    const parents = this.#parentsOf(object)
    const { status, steps, conditions, wanted } = machine.plan(object, {
      ...parents,
      isKubernetesMoving: keepsTalos(parents.controlPlane),
      mayKubeletsMove: letsKubeletsMove(parents.controlPlane),
    })
    const finish = () => {
      const { deeds, annotations } = machine.act(steps, { object, wanted })
      const said = asServed({ ...status, ...saidIn(object, conditions) })
      this.#changeMachine(machine.name, (now) => annotated({ ...now, status: said }, annotations))
      return deeds
    }
    return { gives: steps.flatMap(givenBy), finish }
  }

  #lookAtPool(pool: Worker, cached: Shown): Pass {
    const { controlPlane } = this.#shown
    const machines = cached.machines.filter(
      ({ spec }) => spec?.workerRef?.name === pool.metadata.name,
    )
    const planned = planWorker(
      pool,
      {
        ...{ controlPlane, machines, pool: NO_PLAN, isOld: false },
        ...{ unasked: [], rejecting: [] },
        elsewhere: cached.machines.filter(
          ({ spec }) => spec?.workerRef && spec.workerRef.name !== pool.metadata.name,
        ),
        turns: { turns: turnsOf(pool), gone: new Set() },
        isControlPlaneReady: isOutOfTheWay(controlPlane),
        isKubernetesMoving: keepsTalos(controlPlane),
        mayKubeletsMove: letsKubeletsMove(controlPlane),
        ...{ unresolved: undefined, problem: undefined, warnings: [], means: {} },
        config: { name: 'config', due: undefined },
      },
      NOW,
    )
    return this.#doing(pool, planned)
  }

  async #lookAtControlPlane(cached: Shown): Promise<Pass> {
    const { controlPlane, pools } = this.#shown
    const { read } = aReader({ live: pools })
    const machines = cached.machines.filter(({ spec }) => !spec?.workerRef)
    const known = {
      ...{ controlPlane, machines, pools: cached.pools, all: cached.machines },
      ...{ bundle: undefined, isApiAnswering: true },
    }
    const planned = planControlPlane(
      controlPlane,
      aControlPlaneWorld({
        machines,
        api: { is: 'answering', version: KUBERNETES[1] },
        turns: { turns: turnsOf(controlPlane), gone: new Set() },
        kubernetes: await lookAtKubernetes(known, { nodes: NO_NODES, read }),
        kubelets: await lookAtKubelets(known, read),
      }),
      NOW,
    )
    return this.#doing(controlPlane, planned)
  }

  /** Does what was planned for a parent: annotations are written only over the version that was looked at. */
  #doing(
    looked: ControlPlane | Worker,
    { steps, conditions }: { steps: readonly ParentStep[]; conditions: Conditions },
  ): Pass {
    const { name, annotations: before } = looked.metadata
    const finish = () => {
      for (const step of steps) {
        if (step.do === 'tellTurn') {
          const told = { [TURN]: `${step.id}` }
          this.#changeMachine(step.machine, (now) => annotated(now, told))
          continue
        }
        const written = annotationsFor(step)
        this.#changeParent(name, (now) =>
          now.metadata.annotations === before ? annotated(now, written) : now,
        )
      }
      const status = saidIn(looked, conditions)
      this.#changeParent(name, (now) => ({ ...now, status: { ...now.status, ...status } }))
      return []
    }
    return { gives: [], finish }
  }

  #changeParent(name: string, change: <Of extends ControlPlane | Worker>(now: Of) => Of): void {
    const { controlPlane, pools } = this.#shown
    const isIt = ({ metadata }: ControlPlane | Worker) => metadata.name === name
    this.#set({
      controlPlane: isIt(controlPlane) ? change(controlPlane) : controlPlane,
      pools: pools.map((pool) => (isIt(pool) ? change(pool) : pool)),
    })
  }

  #changeMachine(name: string, change: (now: Machine) => Machine): void {
    this.#set({
      machines: this.#shown.machines.map((one) => (one.metadata.name === name ? change(one) : one)),
    })
  }

  #set(change: Partial<Shown>): void {
    this.#past.push(this.#shown)
    this.#shown = { ...this.#shown, ...change }
  }

  #objectOf(name: string): Machine {
    return found(this.#shown.machines.find(({ metadata }) => metadata.name === name))
  }

  #parentsOf({ spec }: Machine): { controlPlane: ControlPlane; worker: Worker | undefined } {
    const { controlPlane, pools } = this.#shown
    const worker = pools.find(({ metadata }) => metadata.name === spec?.workerRef?.name)
    return { controlPlane, worker }
  }
}

const found = <Of>(one: Of | undefined): Of => {
  if (one === undefined) throw new Error('there is none of that name')
  return one
}

const edited = <Of extends ControlPlane | Worker | Machine>(object: Of, spec: object): Of => ({
  ...object,
  metadata: { ...object.metadata, generation: (object.metadata.generation ?? 0) + 1 },
  spec: { ...object.spec, ...spec },
})

const annotated = <Of extends ControlPlane | Worker | Machine>(
  object: Of,
  annotations: Record<string, string | undefined>,
): Of => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } },
})

/** As the API has it: without what is not there. */
const asServed = (status: object): NonNullable<Machine['status']> =>
  JSON.parse(JSON.stringify(status))

/** What a pass says of an object that it looked at. */
const saidIn = ({ metadata }: ControlPlane | Worker | Machine, { Ready }: Conditions) => ({
  observedGeneration: metadata.generation,
  conditions: [
    condition('Reachable', { ok: true, reason: 'Answers', message: '' }),
    condition('Ready', Ready ?? { ok: true, reason: 'AsWanted', message: '' }),
  ],
})

const condition = (type: string, { ok, reason, message }: Verdict) => ({
  ...{ type, status: ok ? ('True' as const) : ('False' as const), reason, message },
  lastTransitionTime: NOW.toISOString(),
})

/** What a step of a control plane or a pool writes on it. */
function annotationsFor(step: ParentStep): Record<string, string | undefined> {
  switch (step.do) {
    case 'giveTurns':
    case 'endTurns':
      return { [TURNS]: turnsText(step.turns) }
    case 'moveKubelets':
      return { [KUBELETS]: step.phase }
    case 'moveKubernetes':
      return {
        [KUBE_VERSION]: step.kubeVersion,
        [KUBE_UPGRADE]: step.record && kubernetesText(step.record),
      }
    case 'syncManifests':
      return { [KUBE_VERSION]: step.record.target, [KUBE_UPGRADE]: kubernetesText(step.record) }
    default:
      throw new Error(`the model does not know how to ${step.do}`)
  }
}
