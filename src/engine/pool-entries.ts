import { apiVersionOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { ApiError } from '#kube/api-error.ts'
import { machineReference, referencedAddress } from './machine-reference.ts'
import { firstAt } from './machine-reference-path.ts'
import type { MachineEntry, Parent } from './pool.ts'
import type { ResolvedEntry } from './pool-plan.ts'

/** Asks for an object of whatever kind a user names, in the parent's namespace or in none. */
export type Fetch = (ref: {
  apiVersion: string
  kind: string
  name: string
}) => Promise<
  | { is: 'found'; object: object }
  | { is: 'absent' }
  | { is: 'forbidden'; rule: string; role: string }
  | { is: 'noSuchKind' }
  | { is: 'refused'; why: string }
>

interface Problem {
  reason: string
  message: string
}

/** The entries of a parent with the addresses that they have or lead to. */
export interface ResolvedEntries {
  entries: ResolvedEntry[]
  /** Why some lead nowhere, in their order. */
  problems: Problem[]
}

/**
 * Finds the addresses of a parent's machines. Each reference is asked for once, and one that nobody can read is its own
 * problem alone. For a parent that goes nobody is asked: that must not hang on what belongs to others.
 */
export async function resolveEntries(parent: Parent, fetch: Fetch): Promise<ResolvedEntries> {
  const { machines = [] } = parent.spec?.metalSpec ?? {}
  if (parent.metadata.deletionTimestamp !== undefined)
    return { entries: machines.map(asWritten), problems: [] }
  const found = await Promise.all(machines.map((entry) => addressOf(entry, parent, fetch)))
  return {
    entries: machines.map((entry, at) => {
      const one = found[at]
      return { entry, ...(one && 'address' in one && { address: one.address }) }
    }),
    problems: found.flatMap((one) => ('problem' in one ? [one.problem] : [])),
  }
}

const asWritten = (entry: MachineEntry): ResolvedEntry => ({
  entry,
  ...(entry.address !== undefined && { address: entry.address }),
})

/** An object that an address is in, and the place of the address in it. */
interface ReferencedObject {
  apiVersion: string
  kind: string
  name: string
  part: (object: object) => unknown
}

/** The objects that a parent's machines have their addresses from, as far as the references can be read. */
export const referencedObjects = ({ spec, metadata }: Parent): ReferencedObject[] =>
  (spec?.metalSpec?.machines ?? []).flatMap(({ machineRef }) => {
    const reference = machineRef && machineReference(machineRef, metadata.namespace ?? '')
    if (!reference || 'problem' in reference) return []
    const { apiVersion, kind, name, fieldPath } = reference
    return [{ apiVersion, kind, name, part: (object: object) => firstAt(object, fieldPath) }]
  })

/**
 * Whether any address is that of an object which the operator may be allowed to read and not to watch, so that nobody tells of a
 * change. Machines of providers it always watches: a KubernetesCluster is made of them.
 */
export const hasUnwatched = ({ spec }: Parent): boolean =>
  (spec?.metalSpec?.machines ?? []).some(({ machineRef }) => machineRef && !isProvided(machineRef))

const isProvided = ({ apiVersion, kind }: NonNullable<MachineEntry['machineRef']>): boolean =>
  apiVersion === apiVersionOf(ProvidedMachine) && kind === ProvidedMachine.kind

async function addressOf(
  { address, machineRef }: MachineEntry,
  { metadata }: Parent,
  fetch: Fetch,
): Promise<{ address: string } | { problem: Problem }> {
  if (address !== undefined) return { address }
  const reference = machineReference(machineRef ?? {}, metadata.namespace ?? '')
  if ('problem' in reference) return reference
  const { apiVersion, kind, name } = reference
  const answer = await fetch({ apiVersion, kind, name }).catch(unreadable)
  if (answer.is === 'found') return referencedAddress(reference, answer.object)
  const start = `machineRef to ${kind} ${name}:`
  switch (answer.is) {
    case 'unreadable':
      return problem(
        'MachineRefUnreadable',
        `${start} the API does not give it to the operator: ${answer.why}. It is asked again and again, and machines that are known stay where they were. See what serves ${apiVersion} ${kind}, a conversion webhook say, or give the address itself.`,
      )
    case 'absent':
      return problem(
        'WaitingForAddress',
        `${start} there is no such object. Create it, or correct the reference.`,
      )
    case 'noSuchKind':
      return problem(
        'MachineRefInvalid',
        `${start} the API serves no such kind as ${apiVersion} ${kind}. Correct the reference, or install its definition.`,
      )
    case 'forbidden':
      return problem(
        'MachineRefForbidden',
        `${start} the operator may not read it. Add this rule to its ${answer.role}: ${answer.rule} (the setting machineRefKinds with ${apiVersion}/${kind} in it yields the rule).`,
      )
    case 'refused':
      return problem('MachineRefInvalid', `${start} ${answer.why}.`)
  }
}

// Longer ones are pages of a proxy.
const LONGEST_WHY = 300

/** What an API server says of its own trouble, or of that of somebody whom it asks. */
function unreadable(error: unknown): { is: 'unreadable'; why: string } {
  if (!(error instanceof ApiError)) throw error
  // The port of a connection is another one each time.
  const why = error.message.replace(/\S+:\d+->/g, '').slice(0, LONGEST_WHY)
  return { is: 'unreadable', why: why.replace(/\.$/, '') }
}

const problem = (reason: string, message: string) => ({ problem: { reason, message } })
