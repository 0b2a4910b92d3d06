import type { Static } from 'typebox'
import type { objectReference } from '#api/shapes.ts'
import { type FieldPath, firstAt, parseFieldPath } from './machine-reference-path.ts'
import { addressProblem, canonicalAddress } from './pool-address.ts'

/** An object that knows the address of a machine, and where in it. */
export interface MachineReference {
  /** `v1` if the user names none. */
  apiVersion: string
  kind: string
  name: string
  /** That of the machine's parent. Not for kinds that are in no namespace. */
  namespace: string
  fieldPath: FieldPath
}

/** Why a machine's address is not known: a reason for programs, and a sentence that says what to do. */
export interface ReferenceProblem {
  /** Only `WaitingForAddress` can go away without the spec being changed. */
  reason: 'MachineRefInvalid' | 'WaitingForAddress' | 'AddressInvalid'
  message: string
}

const LONGEST_SHOWN = 80

/** Reads a `machineRef` of an object in `namespace`. One to another namespace is refused. */
export function machineReference(
  reference: Static<ReturnType<typeof objectReference>>,
  namespace: string,
): MachineReference | { problem: ReferenceProblem } {
  const { apiVersion = '', kind = '', name = '', fieldPath = '' } = reference
  const wrong = (why: string) => invalid(`${shownAs({ kind, name })} ${why}`)
  if (kind === '' || name === '') return invalid('machineRef needs a kind and a name.')
  if (reference.namespace && reference.namespace !== namespace) {
    return wrong(
      `is in namespace ${shown(reference.namespace)}: only objects of the same namespace (${namespace}) and of cluster-scoped kinds can be referred to. Remove machineRef.namespace, or move the object.`,
    )
  }
  if (fieldPath.trim() === '') {
    return wrong('needs a fieldPath that says where the address is, like `.status.addresses[0]`.')
  }
  const path = parseFieldPath(fieldPath)
  if (typeof path === 'string') {
    return wrong(`has a fieldPath that is none: ${path}. Write it like \`.status.addresses[0]\`.`)
  }
  return { apiVersion: apiVersion || 'v1', kind, name, namespace, fieldPath: path }
}

/**
 * The address that an object has at the place that is meant, in its one spelling. What is found and is no address
 * is not told: a reference can lead anywhere.
 */
export function referencedAddress(
  reference: MachineReference,
  object: unknown,
): { address: string } | { problem: ReferenceProblem } {
  const found = firstAt(object, reference.fieldPath)
  const start = `${shownAs(reference)}: could not determine the address of the machine:`
  if (found === undefined || found === '') {
    return {
      problem: {
        reason: 'WaitingForAddress',
        message: `${start} there is nothing at its fieldPath yet. It is looked at again when the object changes; correct fieldPath if the address is elsewhere.`,
      },
    }
  }
  const address = typeof found === 'string' ? canonicalAddress(found) : undefined
  if (address !== undefined && addressProblem(address) === undefined) return { address }
  return {
    problem: {
      reason: 'AddressInvalid',
      message: `${start} what is at its fieldPath is no IP address of a machine. Correct fieldPath, or the object.`,
    },
  }
}

const invalid = (message: string): { problem: ReferenceProblem } => ({
  problem: { reason: 'MachineRefInvalid', message },
})

const shownAs = ({ kind, name }: { kind: string; name: string }): string =>
  `machineRef to ${shown(kind)} ${shown(name)}`

const shown = (text: string): string => text.slice(0, LONGEST_SHOWN)
