import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import { approvalOf } from './approval.ts'
import { conditionsOf, type Names, namesIn } from './definition.ts'
import { same } from './same.ts'

/** The names that are taken in a group by other CRDs and by built-in kinds. */
export interface TakenNames {
  resources: ReadonlySet<string>
  kinds: ReadonlySet<string>
}

/** The names that a CRD has been given, as another one of its group must see them. */
export function takenBy(crds: readonly Fields[], group: string): TakenNames {
  const given = crds
    .filter((crd) => fieldsAt(crd, 'spec').group === group)
    .map((crd) => namesIn(fieldsAt(fieldsAt(crd, 'status'), 'acceptedNames')))
  return {
    resources: new Set(given.flatMap((one) => [one.plural, one.singular, ...one.shortNames])),
    kinds: new Set(given.flatMap((one) => [one.kind, one.listKind])),
  }
}

/**
 * The status of a CRD as its names, those of others and its annotations make it: conditions and
 * accepted names. Hand in the names of all others of its group; undefined if nothing changes.
 */
export function establishedStatus(crd: Fields, taken: TakenNames, now: string): Fields | undefined {
  const before = fieldsAt(crd, 'status')
  const wanted = namesIn(fieldsAt(fieldsAt(crd, 'spec'), 'names'))
  const had = namesIn(fieldsAt(before, 'acceptedNames'))
  const { names, conflict } = acceptNames(wanted, had, taken)
  const accepted: Condition = conflict ?? {
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  }
  let conditions = withCondition(conditionsOf(crd), accepted, now)
  conditions = withCondition(conditions, establishment(crd, !conflict), now)
  const approval = approvalCondition(crd)
  if (approval) conditions = withCondition(conditions, approval, now)
  const status = { ...before, conditions, acceptedNames: namesFields(names) }
  return same(status, before) ? undefined : status
}

interface Condition {
  type: string
  status: 'True' | 'False'
  reason: string
  message: string
}

interface Accepted {
  names: Names
  conflict: Condition | undefined
}

/** Takes over every name that is free; the last that is not is told. */
function acceptNames(wanted: Names, had: Names, { resources, kinds }: TakenNames): Accepted {
  let names: Names = { ...had, categories: wanted.categories }
  let conflict: Condition | undefined
  const refuse = (reason: string, message: string): void => {
    conflict = { type: 'NamesAccepted', status: 'False', reason, message }
  }
  const one = (
    key: 'plural' | 'singular' | 'kind' | 'listKind',
    used: ReadonlySet<string>,
  ): void => {
    if (wanted[key] !== had[key] && used.has(wanted[key])) {
      refuse(`${key[0]?.toUpperCase()}${key.slice(1)}Conflict`, inUse(wanted[key]))
    } else names = { ...names, [key]: wanted[key] }
  }
  one('plural', resources)
  one('singular', resources)
  const clashes = wanted.shortNames.filter(
    (name) => !had.shortNames.includes(name) && resources.has(name),
  )
  if (clashes.length > 0) refuse('ShortNamesConflict', together(clashes.map(inUse)))
  else names = { ...names, shortNames: wanted.shortNames }
  one('kind', kinds)
  one('listKind', kinds)
  return { names, conflict }
}

const inUse = (name: string): string => `"${name}" is already in use`

function together(problems: readonly string[]): string {
  const [only = '', ...more] = new Set(problems)
  return more.length === 0 ? only : `[${[only, ...more].join(', ')}]`
}

/** Once established, a CRD stays so, whatever becomes of its names. */
function establishment(crd: Fields, isAccepted: boolean): Condition {
  const old = conditionsOf(crd).find(({ type }) => type === 'Established')
  if (isAccepted || old?.status === 'True') {
    return {
      type: 'Established',
      status: 'True',
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    }
  }
  return {
    type: 'Established',
    status: 'False',
    reason: textAt(old ?? {}, 'reason') ?? 'NotAccepted',
    message: textAt(old ?? {}, 'message') ?? 'not all names are accepted',
  }
}

const approvals = {
  invalid: ['False', 'InvalidAnnotation'],
  missing: ['False', 'MissingAnnotation'],
  approved: ['True', 'ApprovedAnnotation'],
  bypassed: ['False', 'UnapprovedAnnotation'],
} as const

function approvalCondition(crd: Fields): Condition | undefined {
  const approval = approvalOf(crd)
  if (!approval) return undefined
  const [status, reason] = approvals[approval.state]
  const type = 'KubernetesAPIApprovalPolicyConformant'
  return { type, status, reason, message: approval.reason }
}

/** Sets a condition; its time changes with its status only. */
function withCondition(conditions: readonly Fields[], next: Condition, now: string): Fields[] {
  const old = conditions.find(({ type }) => type === next.type)
  if (!old) return [...conditions, { ...next, lastTransitionTime: now }]
  const lastTransitionTime = old.status === next.status ? (old.lastTransitionTime ?? now) : now
  return conditions.map((one) => (one === old ? { ...one, ...next, lastTransitionTime } : one))
}

const namesFields = ({ shortNames, categories, ...names }: Names): Fields => ({
  plural: names.plural,
  ...(names.singular && { singular: names.singular }),
  ...(shortNames.length > 0 && { shortNames }),
  kind: names.kind,
  ...(names.listKind && { listKind: names.listKind }),
  ...(categories.length > 0 && { categories }),
})
