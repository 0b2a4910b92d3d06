import { decodeOptions } from '#apiserver/builtin/decode.ts'
import { DELETE_OPTIONS } from '#apiserver/builtin/schemas.ts'
import { invalid } from '#apiserver/failure.ts'
import { invalidField, notSupported } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, isFields, listAt } from '#apiserver/objects.ts'
import { numberIn } from '#apiserver/read/selection.ts'

const OPTIONS = { group: 'meta.k8s.io', kind: 'DeleteOptions' }
const POLICIES = ['Foreground', 'Background', 'Orphan'] as const

/** How something is to be deleted. */
export interface RemoveOptions {
  propagation?: (typeof POLICIES)[number]
  gracePeriodSeconds?: number
  preconditions?: { uid?: unknown; resourceVersion?: unknown }
  dryRun?: boolean
  /** The older way to say it, which is answered with another code. */
  orphanDependents?: boolean
}

/** From the body of the request, or, if it has none, from its query. */
export function removeOptionsOf(body: Fields | undefined, query: URLSearchParams): RemoveOptions {
  const given = body ? decodeOptions(body, DELETE_OPTIONS) : fromQuery(query)
  const { propagationPolicy, orphanDependents, gracePeriodSeconds } = given
  demandKnownDryRun(listAt(given, 'dryRun'))
  if (propagationPolicy !== undefined && orphanDependents !== undefined)
    throw twoPolicies(propagationPolicy)
  const policy = policyOf(propagationPolicy, orphanDependents)
  return {
    ...(policy && { propagation: policy }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds: Number(gracePeriodSeconds) }),
    ...(isFields(given.preconditions) && { preconditions: fieldsAt(given, 'preconditions') }),
    ...(listAt(given, 'dryRun').length > 0 && { dryRun: true }),
    ...(typeof orphanDependents === 'boolean' && { orphanDependents }),
  }
}

function demandKnownDryRun(stated: readonly unknown[]): void {
  if (stated.every((one) => one === 'All')) return
  throw invalid(OPTIONS, [notSupported('dryRun', stated, ['All'])])
}

const twoPolicies = (policy: unknown) =>
  invalid(OPTIONS, [
    invalidField(
      'propagationPolicy',
      policy,
      'orphanDependents and deletionPropagation cannot be both set',
    ),
  ])

function fromQuery(query: URLSearchParams): Fields {
  const seconds = query.get('gracePeriodSeconds')
  const orphan = query.get('orphanDependents')
  return {
    propagationPolicy: query.get('propagationPolicy') || undefined,
    dryRun: query.getAll('dryRun'),
    ...(seconds !== null && { gracePeriodSeconds: numberIn(query, 'gracePeriodSeconds') }),
    ...(orphan !== null && { orphanDependents: !/^(?:0|false)$/i.test(orphan) }),
  }
}

function policyOf(stated: unknown, orphan: unknown): RemoveOptions['propagation'] {
  if (stated === undefined) {
    if (typeof orphan !== 'boolean') return undefined
    return orphan ? 'Orphan' : 'Background'
  }
  const policy = POLICIES.find((one) => one === stated)
  if (policy) return policy
  throw invalid(OPTIONS, [notSupported('propagationPolicy', stated, [...POLICIES, 'nil'])])
}
