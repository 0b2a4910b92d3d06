import { regexOf } from '#base/regex/regex.ts'
import { Refusal } from '#simulator/refusal.ts'
import type { MachineResource } from '#simulator/resources/resource-store.ts'
import {
  type IDQuery,
  type LabelQuery,
  type LabelTerm,
  LabelTerm_Operation,
} from '#talos/generated/cosi/resource_pb.ts'

/** Whether a resource is wanted. */
export type Matches = (resource: MachineResource) => boolean

/** What a list or a watch asks for: any of the label queries, and the expression for ids. Refuses what is no query. */
export function queryOf(labels: readonly LabelQuery[], id: IDQuery | undefined): Matches {
  const hasId = idTest(id)
  const queries = labels.map(({ terms }) => terms.map(termTest))
  const hasLabels = (resource: MachineResource) =>
    queries.length === 0 || queries.some((terms) => terms.every((matches) => matches(resource)))
  return (resource) => hasId(resource) && hasLabels(resource)
}

function idTest(query: IDQuery | undefined): Matches {
  if (!query || query.regexp === '') return () => true
  const regex = regexOf(query.regexp)
  if (typeof regex === 'string') {
    throw new Refusal('InvalidArgument', `failed to compile regexp: ${regex}`)
  }
  // Ids are short, so it does not matter what it takes to look at one.
  return ({ id }) => regex.test(id, () => {})
}

function termTest({ key, op, value: wanted, invert }: LabelTerm): Matches {
  if (!COMPARISONS.has(op) && !PRESENCE.has(op)) {
    throw new Refusal('Unimplemented', `unsupported label query operator: ${op}`)
  }
  const isInverted = invert || op === LabelTerm_Operation.NOT_EXISTS
  return ({ labels }) => {
    const found = compared(labels.get(key), op, wanted)
    return found !== undefined && found !== isInverted
  }
}

type Operation = LabelTerm['op']

const PRESENCE: ReadonlySet<Operation> = new Set([
  LabelTerm_Operation.EXISTS,
  LabelTerm_Operation.NOT_EXISTS,
  LabelTerm_Operation.EQUAL,
  LabelTerm_Operation.IN,
])

type Compare = (value: string, wanted: string) => boolean | undefined

const COMPARISONS: ReadonlyMap<Operation, Compare> = new Map<Operation, Compare>([
  [LabelTerm_Operation.LT, (value, wanted) => value < wanted],
  [LabelTerm_Operation.LTE, (value, wanted) => value <= wanted],
  [LabelTerm_Operation.LT_NUMERIC, numeric((value, wanted) => value < wanted)],
  [LabelTerm_Operation.LTE_NUMERIC, numeric((value, wanted) => value <= wanted)],
])

/** Undefined when they cannot be compared: then neither the term nor its opposite holds. */
function compared(
  value: string | undefined,
  op: Operation,
  wanted: readonly string[],
): boolean | undefined {
  const compare = COMPARISONS.get(op)
  if (value === undefined) return compare ? undefined : false
  if (op === LabelTerm_Operation.EXISTS || op === LabelTerm_Operation.NOT_EXISTS) return true
  const [first] = wanted
  if (first === undefined) return false
  if (op === LabelTerm_Operation.EQUAL) return value === first
  if (op === LabelTerm_Operation.IN) return wanted.includes(value)
  return compare?.(value, first)
}

function numeric(compare: (value: number, wanted: number) => boolean): Compare {
  return (value, wanted) => {
    const [one, other] = [wholeNumber(value), wholeNumber(wanted)]
    return one === undefined || other === undefined ? undefined : compare(one, other)
  }
}

const wholeNumber = (text: string): number | undefined =>
  /^\s*-?\d{1,15}\s*$/.test(text) ? Number(text) : undefined
