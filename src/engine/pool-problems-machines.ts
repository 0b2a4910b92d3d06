// What is wrong with the list of machines.

import { metaNetwork } from './meta-network.ts'
import { machineName, namedFor } from './pool.ts'
import { addressProblem, canonicalAddress } from './pool-address.ts'
import {
  entriesOf,
  firstOf,
  type PlacedEntry,
  type PoolInput,
  type PoolProblem,
  parentOf,
  placedEntries,
} from './pool-input.ts'

const LONGEST_SHOWN = 80

/** A control plane needs a machine; a pool of workers may be empty. */
export function noMachines(pool: PoolInput): PoolProblem | undefined {
  if (pool.worker || entriesOf(pool).length > 0) return undefined
  return {
    reason: 'NoMachines',
    message:
      'spec.metalSpec.machines is empty: a control plane needs at least one machine. Add one.',
  }
}

/** Addresses that are none, or that two entries have. */
export function addressesProblem(pool: PoolInput): PoolProblem | undefined {
  const known = new Map<string, string>()
  return firstOf(placedEntries(pool), ({ address, place }) => {
    if (address === undefined) return undefined
    const why = addressProblem(address)
    if (why !== undefined) {
      return {
        reason: 'AddressInvalid',
        message: `${place}: ${shown(address)} ${why}. Write the IP address of the machine.`,
      }
    }
    const canonical = canonicalAddress(address) ?? address
    const other = known.get(canonical)
    known.set(canonical, place)
    return other === undefined ? undefined : duplicate({ other, place, canonical })
  })
}

/** A machine that two entries name. */
export function uuidsProblem(pool: PoolInput): PoolProblem | undefined {
  const known = new Map<string, string>()
  return firstOf(placedEntries(pool), ({ entry, place }) => {
    const uuid = entry.uuid?.toLowerCase()
    if (uuid === undefined) return undefined
    const other = known.get(uuid)
    known.set(uuid, place)
    return other === undefined ? undefined : duplicateUuid({ other, place, uuid })
  })
}

/** A machine is one of the control plane or a worker, and only its first configuration would tell which. */
export function sharedMachineProblem(pool: PoolInput): PoolProblem | undefined {
  const { addresses, uuids } = writtenElsewhere(pool)
  return firstOf(placedEntries(pool), ({ entry, address, place }) => {
    const canonical = canonicalAddress(address ?? '') ?? ''
    const there = addresses.get(canonical)
    if (there !== undefined) return duplicate({ other: there, place, canonical })
    const uuid = entry.uuid?.toLowerCase() ?? ''
    const other = uuids.get(uuid)
    return other === undefined ? undefined : duplicateUuid({ other, place, uuid })
  })
}

/** What the others of the cluster wrote down; what they refer to is compared by who answers there. */
function writtenElsewhere({ controlPlane, worker, workers = [] }: PoolInput) {
  const others = worker ? [controlPlane] : workers
  const written = others.flatMap(({ kind, metadata, spec }) =>
    (spec?.metalSpec?.machines ?? []).map(({ address = '', uuid = '' }, at) => ({
      ...{ address: canonicalAddress(address) ?? '', uuid: uuid.toLowerCase() },
      place: `spec.metalSpec.machines[${at}] of ${kind} ${metadata.name}`,
    })),
  )
  const by = (what: 'address' | 'uuid') =>
    new Map(written.filter((one) => one[what] !== '').map((one) => [one[what], one.place]))
  return { addresses: by('address'), uuids: by('uuid') }
}

const duplicateUuid = (found: { other: string; place: string; uuid: string }): PoolProblem => ({
  reason: 'UuidDuplicate',
  message: `${found.other} and ${found.place} are the same machine, uuid ${found.uuid}. Remove one of them, or correct its uuid.`,
})

const duplicate = (found: { other: string; place: string; canonical: string }): PoolProblem => ({
  reason: 'AddressDuplicate',
  message: `${found.other} and ${found.place} are the same machine, ${found.canonical}. Remove one of them.`,
})

/** Two references whose objects are called the same. */
export function namesProblem(pool: PoolInput): PoolProblem | undefined {
  const parent = parentOf(pool).metadata.name
  const known = new Map<string, string>()
  return firstOf(placedEntries(pool), (placed) => {
    const name = nameOf(parent, placed)
    const other = name === undefined ? undefined : known.get(name)
    if (name !== undefined) known.set(name, placed.place)
    return other === undefined
      ? undefined
      : {
          reason: 'MachineNameDuplicate',
          message: `${other} and ${placed.place} would both be the TalosMachine ${name}. Refer to objects with different names, or write one of the two by its address.`,
        }
  })
}

function nameOf(parent: string, { entry, address }: PlacedEntry): string | undefined {
  if (address === undefined && !entry.machineRef?.name) return undefined
  return machineName(parent, namedFor(entry, address ?? ''))
}

/** META is the same for all machines of a pool, and two nodes of one name are one node. */
export function hostnameProblem(pool: PoolInput): PoolProblem | undefined {
  const hostname = metaOf(pool)?.hostname
  if (hostname === undefined || entriesOf(pool).length < 2) return undefined
  return {
    reason: 'HostnameShared',
    message:
      'spec.metalSpec.machineSpec.meta.hostname would be the name of every machine of the pool. Remove it, and name each machine with an entry of its own configPatches.',
  }
}

/** Network settings that no machine could be reached with. */
export function metaProblem(pool: PoolInput): PoolProblem | undefined {
  const meta = metaOf(pool)
  if (!meta) return undefined
  return firstOf(placedEntries(pool), ({ address, place }) => {
    const network = address === undefined ? undefined : metaNetwork(meta, address)
    if (!network || !('problem' in network)) return undefined
    const { reason, message } = network.problem
    return { reason, message: `${place}: ${message}` }
  })
}

const metaOf = (pool: PoolInput) =>
  pool.isMetaWritten === false ? undefined : parentOf(pool).spec?.metalSpec?.machineSpec?.meta

const shown = (text: string): string => JSON.stringify(text.slice(0, LONGEST_SHOWN))
