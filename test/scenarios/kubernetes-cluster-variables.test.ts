import { afterEach, expect, test } from 'vitest'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { apiVersionOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { sleep } from '#base/clock.ts'
import { controllersWith } from '#operator/controllers.ts'
import type { Ports } from '#operator/ports.ts'
import type { Controller } from '#runtime/controller.ts'
import { conditionOf } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000
const CLUSTERS = 8
const LOOK_MS = 2_000

let world: World
afterEach(() => world[Symbol.asyncDispose]())

const shaped = (name: string) => ({
  apiVersion: apiVersionOf(KubernetesCluster),
  kind: KubernetesCluster.kind,
  metadata: { name },
  spec: {
    ...{ kubernetesVersion: 'v1.29.7', talosVersion: 'v1.6.7' },
    ...{ clusterEndpoint: `https://${name}.example.com`, controlPlane: { replicas: 1 } },
  },
})

/** Counts the passes of KubernetesClusters that are made at the same time. */
class AtOnce {
  readonly #keys: string[] = []
  most = 0
  hasTwoOfOne = false

  of(controller: Controller): Controller {
    if (controller.kind !== KubernetesCluster) return controller
    return {
      ...controller,
      pass: (request) => this.#during(request.key, () => controller.pass(request)),
    }
  }

  async #during<Result>(key: string, pass: () => Promise<Result>): Promise<Result> {
    this.hasTwoOfOne ||= this.#keys.includes(key)
    this.#keys.push(key)
    this.most = Math.max(this.most, this.#keys.length)
    try {
      return await pass()
    } finally {
      this.#keys.splice(this.#keys.indexOf(key), 1)
    }
  }
}

/** To look into the results folder takes seconds, so that passes could be made at the same time. */
function slowly(ports: Ports): Ports {
  const { results } = ports.provided
  const look: typeof results.look = async (...given) => {
    await sleep(ports.clock, LOOK_MS)
    return results.look(...given)
  }
  return { ...ports, provided: { ...ports.provided, results: { ...results, look } } }
}

test.each([
  { what: 'one', env: {}, most: 1 },
  { what: 'four', env: { MAX_CONCURRENT_RECONCILES: '4' }, most: 4 },
])(
  'R28, R59: $what of many clusters is worked on at once, and none twice, as MAX_CONCURRENT_RECONCILES says',
  {
    timeout: LONG,
  },
  async ({ env, most }) => {
    const atOnce = new AtOnce()
    world = await aWorld({
      ...{ subnet: '127.80.65', machines: 0, env },
      controllers: (ports) => controllersWith(slowly(ports)).map((one) => atOnce.of(one)),
    })
    const names = Array.from({ length: CLUSTERS }, (_, at) => `c${at}`)

    for (const name of names) await world.objects.apply(shaped(name))
    await world.until('all Machines', async () => {
      return (await world.objects.list(ProvidedMachine)).length === CLUSTERS
    })
    // A change of what is worked on at the moment comes on top.
    for (const name of names)
      await world.objects.annotate(KubernetesCluster, name, { edited: 'yes' })
    await world.pass(2)

    expect(atOnce.most).toBe(most)
    expect(atOnce.hasTwoOfOne).toBe(false)
  },
)

test.each([
  { what: '30 s', env: {}, passes: 20 },
  { what: '5 minutes', env: { RECONCILE_INTERVAL: '5m' }, passes: 2 },
])(
  'R27, R60: a cluster that nobody touches is looked at every $what, as RECONCILE_INTERVAL says',
  {
    timeout: LONG,
  },
  async ({ env, passes }) => {
    world = await aWorld({ subnet: '127.80.65', machines: 0, env })
    await world.objects.apply(shaped('quiet'))
    await world.until('its files', async () => {
      return (
        (await conditionOf(world, [KubernetesCluster, 'quiet'], 'FilesGenerated')) !== undefined
      )
    })
    await world.pass(10)
    const before = passesIn(world)

    await world.pass(10)

    expect(passesIn(world) - before).toBe(passes)
  },
)

const passesIn = ({ log }: World): number =>
  log.filter((line) => line.includes('"pass done"') && line.includes('"KubernetesCluster"')).length
