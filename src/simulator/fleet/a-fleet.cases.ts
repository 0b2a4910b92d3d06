// A fleet on a clock that tests drive, and configurations for its machines.

import type { Clock } from '#base/clock.ts'
import { generateConfig } from '#machineconfig/generate/generate-config.ts'
import type { ClusterOptions, Role } from '#machineconfig/generate/options.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import type { ApplyRequest, ResetRequest, UpgradeRequest } from '#simulator/machine/machine.ts'
import type { SimulatedMachine } from '#simulator/machine/simulated-machine.ts'
import { Refusal } from '#simulator/refusal.ts'
import { Fleet, type FleetOptions, type NewMachine } from './fleet.ts'
import { PretendKubernetes } from './pretend-kubernetes.cases.ts'

const VERSION = 'v1.13.0'

/** A clock that tests move. */
interface DrivenClock extends Clock {
  advance(ms: number): Promise<void>
}

export interface AFleet {
  readonly fleet: Fleet
  /** All Kubernetes that were made, in order. */
  readonly kubernetes: PretendKubernetes[]
  /** Machines at the first addresses, in maintenance mode a while later. */
  boot(count: number, machine?: Partial<NewMachine>): Promise<SimulatedMachine[]>
  seconds(count: number): Promise<void>
  /** A cluster that runs: control planes first, then workers. */
  cluster(
    controlPlanes: number,
    workers: number,
    options?: Parameters<typeof configText>[1],
  ): Promise<SimulatedMachine[]>
}

export function aFleet(clock: DrivenClock, options: Partial<FleetOptions> = {}): AFleet {
  const kubernetes: PretendKubernetes[] = []
  const fleet: Fleet = new Fleet({
    clock,
    kubernetesOf: () => {
      const one = new PretendKubernetes(fleet.clock)
      kubernetes.push(one)
      return one
    },
    ...options,
  })
  const seconds = async (count: number) => {
    // What was just asked for has to get as far as its first timer.
    await clock.advance(0)
    await clock.advance(count * 1000)
  }
  const boot: AFleet['boot'] = async (count, machine = {}) => {
    const first = fleet.machines.length + 1
    const made = Array.from({ length: count }, (_, index) =>
      fleet.add({ address: `10.0.0.${first + index}`, talosVersion: VERSION, ...machine }),
    )
    await seconds(40)
    return made
  }
  const cluster: AFleet['cluster'] = async (controlPlanes, workers, own = {}) => {
    const { talosVersion = VERSION } = own
    const machines = await boot(controlPlanes + workers, { talosVersion })
    for (const [index, machine] of machines.entries()) {
      const role = index < controlPlanes ? 'controlplane' : 'worker'
      machine.applyConfiguration(applying(configText(role, own)))
    }
    await seconds(90)
    machines[0]?.bootstrap(BOOTSTRAP)
    await seconds(30 + 30 * controlPlanes)
    return machines
  }
  return { fleet, kubernetes, seconds, boot, cluster }
}

/** The stages that a machine went through, in order. */
export const stagesOf = ({ history }: Fleet, address: string): string[] =>
  history
    .of(address)
    .filter(({ what }) => what.startsWith('stage '))
    .map(({ what }) => what.replace('stage ', ''))

/** What a call throws: its code and its words. */
export function refusalOf(call: () => unknown): string {
  try {
    call()
  } catch (error) {
    return refusalText(error)
  }
  return 'was not refused'
}

export function refusalText(error: unknown): string {
  if (error instanceof Refusal) return `${error.code}: ${error.message}`
  throw error
}

const bundle = await generateBundle({
  talosVersion: VERSION,
  now: new Date('2029-12-01T00:00:00Z'),
})
const otherBundle = await generateBundle({
  talosVersion: VERSION,
  now: new Date('2029-12-01T00:00:00Z'),
})

/** The text of a configuration, of one of two clusters. */
export const configText = (
  role: Role,
  options: Partial<ClusterOptions> & { isOther?: boolean } = {},
): string => {
  const { isOther = false, ...own } = options
  return writeConfig(
    generateConfig(role, {
      clusterName: isOther ? 'other' : 'one',
      endpoint: 'https://10.0.0.1:6443',
      secrets: isOther ? otherBundle : bundle,
      talosVersion: VERSION,
      kubernetesVersion: '1.35.0',
      ...own,
    }),
  )
}

export const applying = (text: string, own: Partial<ApplyRequest> = {}): ApplyRequest => ({
  text,
  mode: 'AUTO',
  dryRun: false,
  tryTimeoutMs: undefined,
  ...own,
})

export const resetting = (own: Partial<ResetRequest> = {}): ResetRequest => ({
  graceful: true,
  reboot: true,
  partitions: [],
  userDisks: [],
  mode: 'ALL',
  ...own,
})

export const upgrading = (version: string, own: Partial<UpgradeRequest> = {}): UpgradeRequest => ({
  image: `ghcr.io/siderolabs/installer:${version}`,
  preserve: false,
  stage: false,
  force: false,
  rebootMode: 'DEFAULT',
  ...own,
})

export const BOOTSTRAP = { recoverEtcd: false, skipHashCheck: false }
