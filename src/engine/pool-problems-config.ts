// What is wrong with the configurations that a pool's machines would get.

import { fingerprint } from '#base/fingerprint.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { ConfigPlace } from '#machineconfig/secrets/config-place.ts'
import { type MachineDraft, machineDraft } from './pool.ts'
import { canonicalAddress } from './pool-address.ts'
import {
  firstOf,
  type PlacedEntry,
  type PoolInput,
  type PoolProblem,
  parentOf,
  placedEntries,
} from './pool-input.ts'
import {
  familiesProblem,
  overlapProblem,
  type PlacedRange,
  rangeAround,
} from './pool-problems-network.ts'
import { type PlaceNames, wantedConfig } from './wanted-config.ts'

const LONGEST_MESSAGE = 2000
const CORRECT_IT = 'Correct it, or take it out.'
const WHAT_A_PATCH_IS =
  'a patch begins with `machine` or `cluster`, or is a document with `apiVersion` and `kind`'
// Which disk and which address a machine has is found out later, and says nothing of the spec.
const SOME_DISK = '/dev/sda'
const SOME_ADDRESS = '192.0.2.1'

/** A whole configuration that is referred to and not there. */
export function configRefProblem(pool: PoolInput): PoolProblem | undefined {
  const { configRef } = parentOf(pool).spec ?? {}
  if (!configRef || configRef.optional || pool.configText !== undefined) return undefined
  const { name, key } = configRef
  return {
    reason: 'ConfigRefMissing',
    message: `spec.configRef: there is no ConfigMap ${name} with a key ${key} in this namespace. Create it, or take configRef out.`,
  }
}

/** A configuration that cannot be made or that Talos would refuse, and networks that machines are cut off by. */
export function configProblem(pool: PoolInput): PoolProblem | undefined {
  const { bundle } = pool
  if (!bundle) return undefined
  const tried = new Map<string, MachineConfig | PoolProblem>()
  return firstOf(placedEntries(pool), (placed) => {
    const draft = machineDraft(parentOf(pool), placed.entry, placed.address ?? SOME_ADDRESS)
    if (!draft) return undefined
    // Most machines differ in nothing but their address.
    const key = fingerprint([draft.spec.version, draft.spec.machineSpec])
    const config = tried.get(key) ?? attempt({ ...pool, bundle }, placed, draft)
    tried.set(key, config)
    return 'reason' in config ? config : networkProblem(config, placed, pool)
  })
}

function attempt(
  pool: PoolInput & { bundle: SecretsBundle },
  placed: PlacedEntry,
  machine: MachineDraft,
): MachineConfig | PoolProblem {
  const { controlPlane, worker, bundle, configText } = pool
  try {
    return wantedConfig(
      {
        controlPlane,
        ...(worker && { worker }),
        machine,
        bundle,
        ...(configText !== undefined && { configText }),
        installDisk: SOME_DISK,
      },
      namesFor(pool, placed),
    )
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return configText === undefined
      ? { reason: 'ConfigInvalid', message: withRemedy(oneLine(error), placed) }
      : { reason: 'ConfigRefInvalid', message: `spec.${oneLine(error)}. ${CORRECT_IT}` }
  }
}

/** Of a whole that Talos would refuse nobody knows which part of the spec made it so. */
function withRemedy(message: string, { place }: PlacedEntry): string {
  if (!message.startsWith('spec.')) {
    return `${place}: ${message}. Correct what the spec, or a patch in it, says of this.`
  }
  // All that Talos says of a misspelt `machine`.
  const hint = message.endsWith('missing kind') ? `: ${WHAT_A_PATCH_IS}` : ''
  return `${message}${hint}. ${CORRECT_IT}`
}

/** The machine has all patches in one list; the user wrote two. */
function namesFor(pool: PoolInput, { place }: PlacedEntry): PlaceNames {
  const { configPatches = [], additionalConfig = [] } =
    parentOf(pool).spec?.metalSpec?.machineSpec ?? {}
  const named = (field: string, shared: number) => (at: number) =>
    at < shared ? `spec.metalSpec.machineSpec.${field}[${at}]` : `${place}.${field}[${at - shared}]`
  return {
    configPatch: named('configPatches', configPatches.length),
    additionalDocument: named('additionalConfig', additionalConfig.length),
  }
}

/**
 * Talos takes the addresses of a machine that lie in the ranges of pods and Services for those of Kubernetes: it offers
 * them to nobody, and the kubelet waits for another one.
 */
function networkProblem(
  config: MachineConfig,
  placed: PlacedEntry,
  { worker }: PoolInput,
): PoolProblem | undefined {
  const { pods, services } = rangesIn(config)
  const ranges = [...pods, ...services]
  // What is wrong with the ranges themselves is the control plane's to say.
  const wrong = worker ? undefined : (overlapProblem(ranges) ?? familiesProblem(pods, services))
  if (wrong) return wrong
  const address = canonicalAddress(placed.address ?? '')
  const around = address === undefined ? undefined : rangeAround(address, ranges)
  return (
    around && {
      reason: 'AddressInClusterNetwork',
      message: `${placed.place}: ${address} lies in ${around.text}, which is ${around.place} of the cluster. Choose another range (spec.podCIDR and spec.serviceCIDR of the TalosControlPlane), or another address.`,
    }
  )
}

function rangesIn(config: MachineConfig): { pods: PlacedRange[]; services: PlacedRange[] } {
  const network = new ConfigPlace(config.legacy?.fields).at('cluster', 'network')
  const textsAt = (field: string, place: string) =>
    network.at(field).items.map((item) => ({ place, text: item.text() }))
  return {
    pods: textsAt('podSubnets', 'the range of pods'),
    services: textsAt('serviceSubnets', 'the range of Services'),
  }
}

/** As a condition shows it best: without the lines of Talos, and not without end. */
function oneLine({ message }: ConfigError): string {
  const line = message.replaceAll(/\s*\n\s*/g, ' ')
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE)}…` : line
}
