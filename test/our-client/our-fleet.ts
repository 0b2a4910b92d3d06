// Machines of the simulator, and our own client that talks to them over sockets of this computer.

import { once } from 'node:events'
import { createServer } from 'node:net'
import { Secret } from '#base/secret.ts'
import { generateConfig } from '#machineconfig/generate/generate-config.ts'
import type { Role } from '#machineconfig/generate/options.ts'
import { adminCertificate } from '#machineconfig/secrets/certificates.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import type { FaultName } from '#simulator/faults/fault-kinds.ts'
import { parseFault } from '#simulator/faults/parse-fault.ts'
import type { SimulatedMachine } from '#simulator/machine/simulated-machine.ts'
import { startSimulation } from '#simulator/start-simulation.ts'
import { TalosClient } from '#talos/client.ts'
import type { TalosMachine } from '#talos/machine.ts'
import type { MachineTarget } from '#talos/machine-target.ts'
import { outcomeOf } from '#talos/outcome.ts'
import { quietLog } from '#test/quiet-log.ts'
import { until } from '#test/until.ts'

// Newer keys contain an RSA key, which takes seconds to make.
const CONTRACT = 'v1.6.0'

/** Who calls: somebody with a role in the cluster, the administrator of another one, or anyone. */
export type Who = 'admin' | 'operator' | 'reader' | 'etcd:backup' | 'other' | 'anyone'

export interface OurFleet extends AsyncDisposable {
  address(name: string): string
  target(name: string, who?: Who): MachineTarget
  /** The machine as our client has it. */
  machine(name: string, who?: Who): TalosMachine
  /** The same from within. */
  inside(name: string): SimulatedMachine
  /** The text of a configuration, of the cluster or of the other one. */
  config(role: Role, of?: 'one' | 'other'): string
  /** Gives waiting machines their configuration. */
  configure(role: Role, names: readonly string[], of?: 'one' | 'other'): Promise<void>
  /** Waits until a machine answers well. While it is not there, that is no answer. */
  answers<Seen>(
    what: string,
    ask: () => Promise<Seen>,
    isGood: (seen: Seen) => boolean,
  ): Promise<Seen>
  /** Waits until machines are running and ready. */
  ready(names: readonly string[], who?: Who): Promise<void>
  /** Waits until machines wait for a configuration. */
  waiting(names: readonly string[]): Promise<void>
  /** Configures and bootstraps, and waits until all are ready. */
  bringUp(controlPlanes: readonly string[], workers: readonly string[]): Promise<void>
  /** `slow`, `by=1s` for one machine. The answer ends it. */
  fault(kind: FaultName, name: string, ...options: string[]): () => void
}

/** Machines of these versions by name, in maintenance mode. They listen on the port, or on one that is free. */
export async function ourFleet(
  subnet: string,
  versions: Readonly<Record<string, string>>,
  listening: number | Promise<number> = freePort(`${subnet}.0`),
): Promise<OurFleet> {
  const names = Object.keys(versions)
  const address = (name: string) => `${subnet}.${names.indexOf(name) + 1}`
  const [port, one, other] = await Promise.all([listening, aCluster(), aCluster()])
  const simulation = await startSimulation({
    machines: Object.entries(versions).map(([name, talosVersion]) => ({
      address: address(name),
      talosVersion,
      schematic: SCHEMATIC,
    })),
    ...{ log: quietLog(), speed: Infinity, port, kubernetesPort: 0 },
    extensions: new Map([[SCHEMATIC, ['iscsi-tools']]]),
  })
  const client = new TalosClient()
  const accessOf = (who: Who): MachineTarget['access'] => {
    if (who === 'anyone') return { kind: 'maintenance' }
    return who === 'other' ? other.access.admin : one.access[who]
  }
  const target: OurFleet['target'] = (name, who = 'admin') => ({
    ...{ address: address(name), port, access: accessOf(who) },
  })
  const machine: OurFleet['machine'] = (name, who) => client.machine(target(name, who))
  const inside: OurFleet['inside'] = (name) => {
    const found = simulation.fleet.machine(address(name))
    if (!found) throw new Error(`there is no machine ${name}`)
    return found
  }
  const config: OurFleet['config'] = (role, of = 'one') =>
    (of === 'one' ? one : other).config(role, address(names[0] ?? ''))
  const stage = async (name: string, who: Who, wanted: string) => {
    await answers(
      `${name} to be ${wanted}`,
      () => machine(name, who).state.status(),
      (seen) => seen?.stage === wanted && seen.isReady,
    )
  }
  const configure: OurFleet['configure'] = async (role, some, of) => {
    const application = { configuration: new Secret(config(role, of)), mode: 'auto' } as const
    for (const name of some) await machine(name, 'anyone').configuration.apply(application)
  }
  const ready: OurFleet['ready'] = async (some, who = 'admin') => {
    for (const name of some) await stage(name, who, 'running')
  }
  const fleet: OurFleet = {
    ...{ address, target, machine, inside, config, configure, answers, ready },
    waiting: async (some) => {
      for (const name of some) await stage(name, 'anyone', 'maintenance')
    },
    bringUp: async (controlPlanes, workers) => {
      await configure('controlplane', controlPlanes)
      await configure('worker', workers)
      await bootstrapped(() => machine(controlPlanes[0] ?? '').bootstrap())
      await ready([...controlPlanes, ...workers])
    },
    fault: (kind, name, ...options) =>
      simulation.fleet.faults.add(parseFault([`${kind}:${address(name)}`, ...options].join(','))),
    [Symbol.asyncDispose]: async () => {
      client.close()
      await simulation[Symbol.asyncDispose]()
    },
  }
  await fleet.waiting(names)
  return fleet
}

/** Asks until a machine that is on its way takes it. */
export const bootstrapped = (bootstrap: () => Promise<void>): Promise<boolean> =>
  answers('bootstrap to be accepted', () => bootstrap().then(() => true), Boolean)

/** What the image factory calls the images of these machines. */
export const SCHEMATIC = 'a'.repeat(64)

/** Such an image. */
export const installer = (version: string): string =>
  `factory.talos.dev/metal-installer/${SCHEMATIC}:${version}`

const ON_ITS_WAY: readonly unknown[] = ['unreachable', 'wrong-identity', 'not-ready', 'lost']

async function answers<Seen>(
  what: string,
  ask: () => Promise<Seen>,
  isGood: (seen: Seen) => boolean,
): Promise<Seen> {
  const look = () =>
    ask().then(
      (seen) => ({ seen, isGood: isGood(seen) }),
      (error: unknown) => {
        if (!ON_ITS_WAY.includes(outcomeOf(error))) throw error
        return { error: String(error), isGood: false }
      },
    )
  const last = await until(what, look, (one) => one.isGood)
  if ('seen' in last) return last.seen
  throw new Error(last.error)
}

async function aCluster() {
  const now = new Date(Date.now() - 60_000)
  const secrets = await generateBundle({ talosVersion: CONTRACT, now })
  const as = async (role: string) => {
    const client = await adminCertificate({ ca: secrets.talos, roles: [`os:${role}`], now })
    const { certificate, key } = client
    const authority = secrets.talos.certificate
    return { kind: 'cluster', authority, certificate, key } as const
  }
  return {
    access: {
      admin: await as('admin'),
      operator: await as('operator'),
      reader: await as('reader'),
      'etcd:backup': await as('etcd:backup'),
    },
    config: (role: Role, first: string) =>
      writeConfig(
        generateConfig(role, {
          ...{ clusterName: 'one', endpoint: `https://${first}:6443`, secrets },
          ...{ talosVersion: CONTRACT, kubernetesVersion: '1.32.0' },
          install: { image: installer('v1.13.0') },
        }),
      ),
  }
}

/** One that nobody listens on, at an address that only these tests use. */
async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
