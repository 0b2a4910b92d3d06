import { ConfigMap } from '#api/foreign.ts'
import { RECONCILE_MODE } from '#api/labels.ts'
import { Secret } from '#base/secret.ts'
import { unlessFailed } from '#engine/machine-identity.ts'
import type { TalosMachines } from '#engine/talos-machines.ts'
import { generateConfig } from '#machineconfig/generate/generate-config.ts'
import type { Role } from '#machineconfig/generate/options.ts'
import { applyPatches } from '#machineconfig/patch/apply-patches.ts'
import { loadPatch } from '#machineconfig/patch/load-patch.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { adminCertificate } from '#machineconfig/secrets/certificates.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import type { ClusterAccess } from '#talos/machine-target.ts'
import { GIVEN } from './invariants.ts'
import { QUICK } from './manifests.ts'
import type { World } from './world.ts'

interface Shape {
  controlPlanes: readonly number[]
  workers?: readonly number[]
}

/** What the configuration of a part of a cluster that somebody else made is kept in. */
export const CONFIG_REFS = {
  controlPlane: { name: 'elsewhere', key: 'controlplane.yaml' },
  worker: { name: 'elsewhere', key: 'worker.yaml' },
}

/** Makes a cluster as `talosctl` would, without the operator, and puts its configurations into a ConfigMap. */
export async function aForeignCluster(
  world: World,
  { controlPlanes, workers = [] }: Shape,
): Promise<ForeignCluster> {
  const bundle = await generateBundle({ talosVersion: 'v1.6.0', now: world.clock.now() })
  const cluster = new ForeignCluster(world, bundle, world.cluster('one', controlPlanes, []))
  using machines = world.machinesOfSomebodyElse()
  for (const number of controlPlanes) await cluster.install(machines, number, 'controlplane')
  for (const number of workers) await cluster.install(machines, number, 'worker')
  const [first = 0] = controlPlanes
  const access = await cluster.access()
  const begin = async () => {
    await machines.machine({ address: world.address(first), access }).bootstrap({})
    return true
  }
  await world.until('a machine to begin', async () => (await unlessFailed(begin())) === true)
  const all = [...controlPlanes, ...workers]
  await world.until('a cluster to run', () => all.every((number) => isUp(world, number)))
  await cluster.give()
  return cluster
}

/** A cluster that the operator did not make. */
export class ForeignCluster {
  readonly #world: World
  readonly #bundle: SecretsBundle
  readonly #texts: Record<Role, string>

  constructor(world: World, bundle: SecretsBundle, { spec }: ReturnType<World['cluster']>) {
    this.#world = world
    this.#bundle = bundle
    const options = {
      ...{ clusterName: 'elsewhere', endpoint: spec.controlPlane.endpoint, secrets: bundle },
      ...{ talosVersion: QUICK.talos, kubernetesVersion: QUICK.kubernetes },
    }
    this.#texts = {
      controlplane: writeConfig(generateConfig('controlplane', options)),
      worker: writeConfig(generateConfig('worker', options)),
    }
  }

  /** Gives a machine that waits its configuration. */
  async install(machines: TalosMachines, number: number, role: Role): Promise<void> {
    const world = this.#world
    await world.until('a machine that waits', () => stageOf(world, number) === 'maintenance')
    const machine = machines.machine({
      ...{ address: world.address(number), access: { kind: 'maintenance' as const } },
    })
    const configuration = new Secret(this.#texts[role])
    await machine.configuration.apply({ configuration, mode: 'auto' })
  }

  /** Changes one of its machines by hand, while it runs. */
  async change(number: number, patch: object): Promise<void> {
    const address = this.#world.address(number)
    const config = this.#world.fleet.machine(address)?.config
    if (!config) throw new Error(`${address} has no configuration`)
    const patches = [loadPatch({ name: 'by hand', value: patch })]
    const configuration = new Secret(writeConfig(applyPatches(config, patches)))
    using machines = this.#world.machinesOfSomebodyElse()
    const machine = machines.machine({ address, access: await this.access() })
    await machine.configuration.apply({ configuration, mode: 'no-reboot' })
  }

  async access(): Promise<ClusterAccess> {
    const { talos } = this.#bundle
    const client = await adminCertificate({
      ...{ ca: talos, roles: ['os:admin'], now: this.#world.clock.now() },
    })
    return { kind: 'cluster', authority: talos.certificate, ...client }
  }

  /** Puts its configurations where an import finds them. */
  async give(): Promise<void> {
    await this.#world.objects.create(ConfigMap, {
      metadata: { name: CONFIG_REFS.controlPlane.name, labels: { [GIVEN]: 'true' } },
      data: {
        [CONFIG_REFS.controlPlane.key]: this.#texts.controlplane,
        [CONFIG_REFS.worker.key]: this.#texts.worker,
      },
    })
  }
}

/** The TalosCluster that describes such a cluster, to be imported. */
export function importedCluster(world: World, { controlPlanes, workers = [] }: Shape) {
  const { spec, metadata, ...cluster } = world.cluster('one', controlPlanes, workers)
  return {
    ...cluster,
    metadata: { ...metadata, annotations: { [RECONCILE_MODE]: 'import' } },
    spec: {
      controlPlane: { ...spec.controlPlane, configRef: CONFIG_REFS.controlPlane },
      ...(spec.worker && { worker: { ...spec.worker, configRef: CONFIG_REFS.worker } }),
    },
  }
}

const stageOf = (world: World, number: number) => world.fleet.machine(world.address(number))?.stage

const isUp = (world: World, number: number): boolean =>
  world.fleet.machine(world.address(number))?.isReady === true
