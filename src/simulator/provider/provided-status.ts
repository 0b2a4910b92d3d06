import type { ProvidedMachine } from '#api/provided-machine.ts'
import { sameJson } from '#base/same-json.ts'
import type { Hardware } from '#simulator/machine/hardware.ts'
import type { Refusal } from './wanted-machine.ts'

export type ProvidedStatus = NonNullable<ProvidedMachine['status']>
type Condition = NonNullable<ProvidedStatus['conditions']>[number]

/** A machine as its provider sees it from outside. */
export interface SeenMachine {
  readonly hardware: Hardware
  readonly isOn: boolean
  /** Undefined until it is known. */
  readonly address: string | undefined
  /** What the disks are called, by their paths. */
  readonly diskNames: ReadonlyMap<string, string>
}

/** Where a Machine is in its life. */
export type Standing =
  /** Nothing can be made of it now; that may change. */
  | { readonly is: 'waiting'; readonly why: Refusal }
  | { readonly is: 'creating' }
  | { readonly is: 'failed'; readonly why: Refusal }
  | { readonly is: 'made' }
  | { readonly is: 'leaving' }

interface Judged {
  readonly object: ProvidedMachine
  readonly provider: string
  readonly standing: Standing
  readonly machine: SeenMachine | undefined
  readonly now: Date
}

/** The status of a Machine, but for the time at which it was written. */
export function providedStatus(judged: Judged): ProvidedStatus {
  const { object, provider, standing, machine, now } = judged
  const { phase, ready } = verdictOn(standing, machine)
  const { status = {}, spec = {}, metadata } = object
  return {
    phase,
    state: stateOf(machine),
    message: ready.message,
    ...(standing.is === 'failed' && {
      failureReason: standing.why.reason,
      failureMessage: standing.why.message,
    }),
    provider,
    hostname: spec.name || metadata.name,
    architecture: spec.os?.architecture ?? 'amd64',
    operatingSystem: 'talos',
    ...(machine ? partsOf(machine, provider) : formerPartsOf(object, standing)),
    ...(machine && { creationTime: status.creationTime ?? inSeconds(now) }),
    conditions: conditionsOf(judged, ready),
  }
}

const stateOf = (machine: SeenMachine | undefined): string => {
  if (!machine) return 'Pending'
  return machine.isOn ? 'Running' : 'Stopped'
}

interface Verdict {
  readonly phase: string
  readonly ready: Refusal & { readonly ok: boolean }
}

function verdictOn(standing: Standing, machine: SeenMachine | undefined): Verdict {
  if (standing.is === 'waiting') return not('Pending', standing.why)
  if (standing.is === 'failed') return not('Failed', standing.why)
  if (standing.is === 'leaving') {
    return not('Terminating', { reason: 'Deleting', message: 'the machine is taken away' })
  }
  if (standing.is === 'creating' || !machine) {
    return not('Creating', { reason: 'Creating', message: 'the machine is being made' })
  }
  if (!machine.isOn) {
    return not('Stopped', { reason: 'PoweredOff', message: 'the machine is switched off' })
  }
  if (machine.address === undefined) {
    return not('Running', { reason: 'WaitingForAddress', message: 'its address is not known yet' })
  }
  return {
    phase: 'Running',
    ready: { ok: true, reason: 'Running', message: `the machine runs at ${machine.address}` },
  }
}

const not = (phase: string, why: Refusal): Verdict => ({ phase, ready: { ok: false, ...why } })

/** What a machine is made of. All addresses are the same one: the machine has one link, which everybody can reach. */
function partsOf(machine: SeenMachine, provider: string): ProvidedStatus {
  const { hardware, address, diskNames } = machine
  const addresses = address === undefined ? {} : { ipAddresses: [address] }
  return {
    providerID: `${provider}://${hardware.uuid}`,
    machineID: hardware.uuid,
    cpus: hardware.cpus,
    memory: hardware.memoryMiB * 1024 ** 2,
    disks: hardware.disks.map(({ path, bytes, serial, type }) => ({
      ...(diskNames.has(path) && { name: diskNames.get(path) ?? '' }),
      ...{ device: path, size: bytes, type, serialNumber: serial },
    })),
    ...addresses,
    ...(address !== undefined && {
      publicIPAddresses: [address],
      privateIPAddresses: [address],
    }),
    networkInterfaces: [
      { name: 'eth0', macAddress: hardware.macAddress, ...addresses, state: 'up', type: 'domain' },
    ],
  }
}

/** A machine that is made anew, as all are after a restart of the simulation, gets its address again. */
function formerPartsOf({ status = {} }: ProvidedMachine, { is }: Standing): ProvidedStatus {
  const { ipAddresses, publicIPAddresses, privateIPAddresses } = status
  if (is !== 'creating' || !ipAddresses) return {}
  return {
    ipAddresses,
    ...(publicIPAddresses && { publicIPAddresses }),
    ...(privateIPAddresses && { privateIPAddresses }),
  }
}

function conditionsOf(
  { object, machine, now }: Judged,
  { ok, reason, message }: Verdict['ready'],
): Condition[] {
  const hasAddress = machine?.address !== undefined
  const stated = [
    { type: 'Ready', ok, reason, message },
    machine
      ? { type: 'InfrastructureReady', ok: true, reason: 'Made', message: 'the machine is there' }
      : { type: 'InfrastructureReady', ok: false, reason: 'NotMade', message: 'there is none' },
    hasAddress
      ? { type: 'NetworkReady', ok: true, reason: 'AddressKnown', message: 'it has an address' }
      : { type: 'NetworkReady', ok: false, reason: 'NoAddress', message: 'it has no address' },
  ]
  const before = object.status?.conditions ?? []
  return stated.map((condition) => {
    const status = condition.ok ? 'True' : 'False'
    const known = before.find(({ type }) => type === condition.type)
    const since = known?.status === status ? known.lastTransitionTime : undefined
    return {
      ...{ type: condition.type, status, reason: condition.reason, message: condition.message },
      lastTransitionTime: since ?? inSeconds(now),
    }
  })
}

// All that is ours to write, the time apart. What others add to a status is theirs.
const OURS = [
  ...(['phase', 'state', 'message', 'failureReason', 'failureMessage', 'provider'] as const),
  ...(['providerID', 'machineID', 'hostname', 'architecture', 'operatingSystem'] as const),
  ...(['ipAddresses', 'publicIPAddresses', 'privateIPAddresses', 'networkInterfaces'] as const),
  ...(['cpus', 'memory', 'disks', 'creationTime', 'conditions'] as const),
]

/**
 * The merge patch that makes the one status of the other; undefined if it is that already. So `lastUpdated` changes
 * only together with something else.
 */
export function changesOf(
  before: ProvidedStatus,
  after: ProvidedStatus,
  now: Date,
): Record<string, unknown> | undefined {
  const changed = OURS.filter((field) => !sameJson(before[field], after[field]))
  if (changed.length === 0) return undefined
  const fields = changed.map((field): [string, unknown] => [field, after[field] ?? null])
  return { ...Object.fromEntries(fields), lastUpdated: inSeconds(now) }
}

/** As Kubernetes writes times: `2030-01-01T00:00:00Z`. */
const inSeconds = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`
