import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { wordsFor } from './boundary.ts'
import { QUICK } from './manifests.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { conditionOf } from './verdicts.ts'
import { type Workloads, workloadsOf } from './workloads.ts'
import { aWorld, type World } from './world.ts'

/** How it is drained, as users write it. */
interface Policy {
  timeoutSeconds?: number
  afterTimeout?: 'Stop' | 'Delete' | 'Skip'
}

const ALL = [2, 3, 4]

/** A control plane on the first of four machines, a pool of workers on the others, and what runs there. */
export class DrainedPool implements AsyncDisposable {
  readonly world: World
  readonly workloads: Workloads

  constructor(world: World, workloads: Workloads) {
    this.world = world
    this.workloads = workloads
  }

  /** Has these workers, and no others, from now on. */
  apply(machines: readonly number[], drain?: Policy): Promise<void> {
    return this.world.objects.apply(poolIn(this.world, machines, drain))
  }

  untilReady(machines: readonly number[]): Promise<void> {
    return untilReady(this.world, machines)
  }

  nodeOf(machine: number): string {
    return this.world.fleet.machine(this.world.address(machine))?.hostname ?? ''
  }

  objectOf(machine: number) {
    return [Machine, `pool-${this.world.address(machine)}`] as const
  }

  /** Has so many pods of a name on the last machine, all of them. */
  async crowd(...[name, replicas, shape]: Parameters<Workloads['deploy']>): Promise<void> {
    const others = [2, 3].map((machine) => this.nodeOf(machine))
    for (const node of others) await this.workloads.cordon(node, true)
    await this.workloads.deploy(name, replicas, shape)
    await this.untilUp(name, replicas)
    for (const node of others) await this.workloads.cordon(node, false)
  }

  /** Until so many pods of a name are ready, wherever. */
  untilUp(name: string, replicas: number): Promise<void> {
    return this.world.until(
      `${replicas} of ${name}`,
      async () => (await this.workloads.nodesOf(name)).length === replicas,
    )
  }

  /** The calls since then that begin so. */
  callsSince(since: number, start: string): string[] {
    return this.world.history
      .slice(since)
      .map((call) => wordsFor(call).replace(/^(\d+\.|–) /, ''))
      .filter((point) => point.startsWith(start))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.workloads[Symbol.dispose]()
    await this.world[Symbol.asyncDispose]()
  }
}

function poolIn(world: World, machines: readonly number[], drain?: Policy) {
  const { spec, ...rest } = workerIn(world, { name: 'pool', joins: 'one', machines })
  return { ...rest, spec: { ...spec, ...(drain && { rolloutStrategy: { drain } }) } }
}

const untilReady = (world: World, machines: readonly number[]): Promise<void> =>
  world.until(`${machines.join(', ')} to be Ready, and no others to be there`, async () => {
    const ready = await conditionOf(world, [Worker, 'pool'], 'Ready')
    const found = (await world.objects.list(Machine)).filter(({ spec }) => spec?.workerRef)
    const addresses = found.map(({ spec }) => spec?.endpoint).sort()
    const wanted = machines.map((machine) => world.address(machine))
    return ready?.status === 'True' && addresses.join() === wanted.join()
  })

export async function aDrainedPool(subnet: string): Promise<DrainedPool> {
  const world = await aWorld({ subnet, machines: 4, versions: QUICK })
  await world.objects.apply(controlPlaneIn(world, 'one', [1]))
  await world.objects.apply(poolIn(world, ALL))
  await untilReady(world, ALL)
  return new DrainedPool(world, await workloadsOf(world, 'one'))
}
