import { rootSchema } from '#api/crd.ts'
import type { Kind } from '#api/meta.ts'
import type { Rule, StructuralSchema } from '#api/schema.ts'
import type { KindCases, StatusCases } from './cases.ts'

/** The cases of a spec or of a status, in the same words. */
interface Table {
  accepted: { sent: unknown; becomes: unknown }[]
  refused: { at: string; says: string }[]
}

/** Something that a kind's schema says, and that a table of cases must therefore try. */
interface Demand {
  /** For the list of what is missing: `enum spec.mode: metal`. */
  what: string
  isMetBy(table: Table): boolean
}

/** Everything that the schema of a kind says and no case of its spec or status tries. Sorted. */
export const untried = (kind: Kind, cases: KindCases, status: StatusCases): string[] => {
  const { properties, ...root } = rootSchema(kind)
  return [
    ...unmet([...ofRoot(root), ...whole('spec', properties?.spec)], specTable(cases)),
    ...unmet(whole('status', properties?.status), statusTable(status)),
  ].sort()
}

const unmet = (demands: Demand[], table: Table): string[] =>
  demands.filter((demand) => !demand.isMetBy(table)).map(({ what }) => what)

const specTable = ({ accepted, refused }: KindCases): Table => ({
  accepted: accepted.map(({ spec, becomes }) => ({ sent: spec, becomes })),
  refused,
})

const statusTable = ({ accepted, refused }: StatusCases): Table => ({
  accepted: accepted.map(({ status, becomes = status }) => ({ sent: status, becomes })),
  refused,
})

const ofRoot = (root: StructuralSchema): Demand[] => [
  ...rules('', root),
  root.required?.includes('spec')
    ? refusal('required spec', 'spec', 'Required value')
    : {
        what: 'an object without a spec',
        isMetBy: ({ accepted }) => accepted.some(({ sent }) => sent === undefined),
      },
]

const whole = (path: string, schema: StructuralSchema = {}): Demand[] => [
  ...below(path, schema),
  ...fieldsBelow(path, schema).map((field) => ({
    what: `a value that is kept in ${field}`,
    isMetBy: ({ accepted }: Table) =>
      accepted.some(({ becomes }) => valuesAt(becomes, field).length > 0),
  })),
]

const fieldsBelow = (path: string, { properties = {}, items }: StructuralSchema): string[] => [
  ...Object.entries(properties).flatMap(([name, field]) => [
    `${path}.${name}`,
    ...fieldsBelow(`${path}.${name}`, field),
  ]),
  ...(items ? fieldsBelow(`${path}[]`, items) : []),
]

const below = (path: string, schema: StructuralSchema): Demand[] => [
  ...rules(path, schema),
  ...words(path, schema),
  ...bounds(path, schema),
  ...defaults(path, schema),
  ...(schema.required ?? []).map((name) =>
    refusal(`required ${path}.${name}`, `${path}.${name}`, 'Required value'),
  ),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    below(`${path}.${name}`, field),
  ),
  ...(schema.items ? below(`${path}[]`, schema.items) : []),
]

const rules = (path: string, schema: StructuralSchema): Demand[] => {
  const all = schema['x-kubernetes-validations'] ?? []
  const blamedBy = ({ fieldPath = '' }: Rule) => `${path}${fieldPath}`.replace(/^\./, '')
  const nameOf = (rule: Rule) => `rule ${blamedBy(rule)}: ${rule.message}`
  const names = all.map(nameOf)
  return all.map((rule, index) =>
    names.indexOf(nameOf(rule)) === index
      ? ruleDemand(nameOf(rule), blamedBy(rule), rule.message)
      : // A refusal could not tell which of the two it is of.
        { what: `another message for the second ${nameOf(rule)}`, isMetBy: () => false },
  )
}

const ruleDemand = (what: string, blamed: string, message: string): Demand => ({
  what,
  isMetBy: ({ refused }) =>
    refused.some(({ at, says }) => anyItem(at) === blamed && says === message),
})

const words = (path: string, schema: StructuralSchema): Demand[] =>
  (schema.enum ?? []).length === 0
    ? []
    : [
        refusal(`a word outside of the enum ${path}`, path, 'Unsupported value'),
        ...(schema.enum ?? []).map((word) => ({
          what: `enum ${path}: ${word}`,
          isMetBy: ({ accepted }: Table) =>
            accepted.some(({ sent }) => valuesAt(sent, path).includes(word)),
        })),
      ]

// How the API server words the refusal of a value that is out of bounds. The formats of integers are
// not here: it enforces them, but blames no field.
const BOUNDS: ((schema: StructuralSchema) => { keyword: string; bound: unknown; says: string })[] =
  [
    ({ pattern }) => ({ keyword: 'pattern', bound: pattern, says: 'should match' }),
    ({ minLength }) => ({
      keyword: 'minLength',
      bound: minLength,
      says: `should be at least ${minLength} chars long`,
    }),
    ({ maxLength }) => ({
      keyword: 'maxLength',
      bound: maxLength,
      says: `may not be more than ${maxLength} bytes`,
    }),
    ({ minimum }) => ({
      keyword: 'minimum',
      bound: minimum,
      says: `should be greater than or equal to ${minimum}`,
    }),
    ({ maximum }) => ({
      keyword: 'maximum',
      bound: maximum,
      says: `should be less than or equal to ${maximum}`,
    }),
    ({ maxItems }) => ({
      keyword: 'maxItems',
      bound: maxItems,
      says: `must have at most ${maxItems} items`,
    }),
    ({ format }) => ({
      keyword: 'format',
      bound: format === 'date-time' ? format : undefined,
      says: 'must be of type date-time',
    }),
  ]

const bounds = (path: string, schema: StructuralSchema): Demand[] => [
  ...BOUNDS.map((of) => of(schema))
    .filter(({ bound }) => bound !== undefined)
    .flatMap(({ keyword, says }) => [
      refusal(`${keyword} ${path}`, path, says),
      goodValue(`a good value for the ${keyword} of ${path}`, path),
    ]),
  ...(['map', 'set'].includes(schema['x-kubernetes-list-type'] ?? '')
    ? [refusal(`two of the same ${path}`, `${path}[]`, 'Duplicate value')]
    : []),
]

const goodValue = (what: string, path: string): Demand => ({
  what,
  isMetBy: ({ accepted }) => accepted.some(({ sent }) => valuesAt(sent, path).length > 0),
})

const defaults = (path: string, schema: StructuralSchema): Demand[] =>
  schema.default === undefined
    ? []
    : [
        {
          what: `default ${path}`,
          isMetBy: ({ accepted }) =>
            accepted.some(
              ({ sent, becomes }) =>
                valuesAt(sent, path).length === 0 &&
                valuesAt(becomes, path).some(
                  (value) => JSON.stringify(value) === JSON.stringify(schema.default),
                ),
            ),
        },
      ]

/** A refusal in the server's words; a number at their end has to be that number. */
const refusal = (what: string, path: string, says: string): Demand => {
  const wanted = new RegExp(`${says}\\b`)
  return {
    what,
    isMetBy: ({ refused }) =>
      refused.some((attempt) => anyItem(attempt.at) === path && wanted.test(attempt.says)),
  }
}

const anyItem = (path: string): string => path.replace(/\[\d+\]/g, '[]')

/** All values that a spec or status has at a path such as `spec.metalSpec.machines[].address`. */
function valuesAt(content: unknown, path: string): unknown[] {
  const keys = path.replaceAll('[]', '.[]').split('.').slice(1)
  return keys
    .reduce<unknown[]>((values, key) => values.flatMap((value) => step(value, key)), [content])
    .filter((value) => value !== undefined)
}

function step(value: unknown, key: string): unknown[] {
  if (key === '[]') return Array.isArray(value) ? value : []
  return value !== null && typeof value === 'object' ? [Reflect.get(value, key)] : []
}
