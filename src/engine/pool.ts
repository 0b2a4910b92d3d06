import { createHash } from 'node:crypto'
import type { Static } from 'typebox'
import { ControlPlane } from '#api/control-plane.ts'
import { makerLabelOf } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { machineSpec, metalSpec } from '#api/machine-pool.ts'
import { apiVersionOf, type Kind, type OwnerReference } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import type { Uncached } from '#kube/cache.ts'
import { canonicalAddress } from './pool-address.ts'

/** What has machines: a control plane or a pool of workers. */
export type Parent = ControlPlane | Worker

/** How a machine is installed and configured. */
export type MachineSpec = Static<typeof machineSpec>

/** One entry of `metalSpec.machines`. */
export type MachineEntry = NonNullable<Static<typeof metalSpec>['machines']>[number]

/** A TalosMachine as its parent wants it. */
export type MachineDraft = Omit<Machine, 'spec' | 'status'> & {
  spec: NonNullable<Machine['spec']>
} & Uncached

/** What a machine is named for: its address, or the object that knows it. */
export type NamedFor = { address: string } | { reference: string }

const LONGEST_NAME = 253
const LONGEST_LABEL_VALUE = 63
const HASH_LENGTH = 8
const SUBDOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/

/**
 * The name of the TalosMachine of a parent, the same for every spelling of an address. What would make no
 * name of an object is mended, and told apart by a hash.
 */
export function machineName(parent: string, namedFor: NamedFor): string {
  const wanted = `${parent}-${'address' in namedFor ? addressPart(namedFor.address) : namedFor.reference}`
  if (wanted.length <= LONGEST_NAME && SUBDOMAIN.test(wanted)) return wanted
  const hash = createHash('sha256').update(wanted).digest('hex').slice(0, HASH_LENGTH)
  const mended = wanted
    .toLowerCase()
    .replace(/[^a-z0-9.-]/g, '-')
    .replace(/-*\.[.-]*/g, '.')
    .slice(0, LONGEST_NAME - HASH_LENGTH - 1)
    .replace(/^[.-]+|[.-]+$/g, '')
  return mended === '' ? hash : `${mended}-${hash}`
}

function addressPart(address: string): string {
  const text = (canonicalAddress(address) ?? address).replaceAll(':', '-')
  // `fe80::` has to end in a letter or a digit, and no other address is written like this.
  return text.endsWith('-') ? `${text}0` : text
}

/**
 * What holds for all machines of a parent with what holds for this one alone: its image instead of theirs,
 * its patches and documents after theirs.
 */
export function mergedMachineSpec(
  all: MachineSpec | undefined,
  { image, configPatches = [], additionalConfig = [] }: MachineEntry,
): MachineSpec | undefined {
  if (image === undefined && configPatches.length + additionalConfig.length === 0) return all
  const base = all ?? UNASKED
  return {
    ...base,
    ...(image !== undefined && { image }),
    ...(configPatches.length > 0 && {
      configPatches: [...(base.configPatches ?? []), ...configPatches],
    }),
    ...(additionalConfig.length > 0 && {
      additionalConfig: [...(base.additionalConfig ?? []), ...additionalConfig],
    }),
  }
}

const UNASKED: MachineSpec = {
  wipe: false,
  airGap: false,
  imageCache: false,
  allowSchedulingOnControlPlanes: false,
}

/** Whether it is a control plane, and no pool of workers. */
export const isControlPlane = (parent: Parent): parent is ControlPlane =>
  parent.kind === ControlPlane.kind

/**
 * The TalosMachine of one entry at an address. It is the parent's: its owner, its versions, its policy. Undefined
 * while the parent has no spec. By address the address names it, by reference the object that is referred to.
 */
export function machineDraft(
  parent: Parent,
  entry: MachineEntry,
  address: string,
): MachineDraft | undefined {
  if (!parent.spec) return undefined
  const { metalSpec, configRef, deletionPolicy, version } = parent.spec
  const { name, namespace } = parent.metadata
  const merged = mergedMachineSpec(metalSpec?.machineSpec, entry)
  const kind = kindOf(parent)
  return {
    apiVersion: apiVersionOf(Machine),
    kind: Machine.kind,
    metadata: {
      name: machineName(name, namedFor(entry, address)),
      ...(namespace !== undefined && { namespace }),
      ...(name.length <= LONGEST_LABEL_VALUE && { labels: { [makerLabelOf(kind)]: name } }),
      ownerReferences: [ownerReference(parent, kind)],
    },
    spec: {
      endpoint: canonicalAddress(address) ?? address,
      ...(entry.uuid !== undefined && { uuid: entry.uuid }),
      version: entry.version ?? version,
      ...parentReference(parent, kind),
      ...(merged && { machineSpec: merged }),
      ...(configRef && { configRef }),
      deletionPolicy,
      ...(entry.pxeClientSpec && { pxeClientSpec: entry.pxeClientSpec }),
    },
  }
}

/** What the machine of an entry is named for. */
export function namedFor({ machineRef }: MachineEntry, address: string): NamedFor {
  return machineRef?.name ? { reference: machineRef.name } : { address }
}

const kindOf = (parent: Parent): Kind => (isControlPlane(parent) ? ControlPlane : Worker)

/** Who belongs to the parent says so in its spec, which outlives a move to another API. */
function parentReference({ metadata }: Parent, kind: Kind) {
  const { name, namespace } = metadata
  const reference = {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    name,
    ...(namespace !== undefined && { namespace }),
  }
  return kind.kind === ControlPlane.kind ? { controlPlaneRef: reference } : { workerRef: reference }
}

const ownerReference = ({ metadata }: Parent, kind: Kind): OwnerReference => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  name: metadata.name,
  uid: metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
})
