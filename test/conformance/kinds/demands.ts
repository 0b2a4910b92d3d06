import { rootSchema } from '#api/crd.ts'
import type { Kind } from '#api/meta.ts'
import type { StructuralSchema } from '#api/schema.ts'
import type { Accepted, KindCases, Refused } from './cases.ts'

/** Something that a kind's schema says, and that a table of cases must therefore try. */
interface Demand {
  /** For the list of what is missing: `enum spec.mode: metal`. */
  what: string
  isMetBy(cases: KindCases): boolean
}

/** Everything that the schema of a kind's spec says and no case tries. Sorted. */
export const untried = (kind: Kind, cases: KindCases): string[] => {
  const { properties, ...root } = rootSchema(kind)
  const demands = [...rules('', root), ...below('spec', properties?.spec ?? {})]
  return demands
    .filter((demand) => !demand.isMetBy(cases))
    .map(({ what }) => what)
    .sort()
}

const below = (path: string, schema: StructuralSchema): Demand[] => [
  ...rules(path, schema),
  ...words(path, schema),
  ...bounds(path, schema),
  ...defaults(path, schema),
  ...(schema.required ?? []).map((name) => refusal(`required ${path}.${name}`, `${path}.${name}`)),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    below(`${path}.${name}`, field),
  ),
  ...(schema.items ? below(`${path}[]`, schema.items) : []),
]

const rules = (path: string, schema: StructuralSchema): Demand[] =>
  (schema['x-kubernetes-validations'] ?? []).map(({ message, fieldPath = '' }) => {
    const blamed = `${path}${fieldPath}`.replace(/^\./, '')
    return {
      what: `rule ${blamed}: ${message}`,
      isMetBy: ({ refused }) =>
        refused.some(({ at, says }) => anyItem(at) === blamed && says === message),
    }
  })

const words = (path: string, schema: StructuralSchema): Demand[] =>
  (schema.enum ?? []).length === 0
    ? []
    : [
        refusal(`a word outside of the enum ${path}`, path, 'Unsupported value'),
        ...(schema.enum ?? []).map((word) => ({
          what: `enum ${path}: ${word}`,
          isMetBy: ({ accepted }: KindCases) =>
            accepted.some(({ spec }) => valuesAt(spec, path).includes(word)),
        })),
      ]

const BOUNDS = ['pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'maxItems'] as const

const bounds = (path: string, schema: StructuralSchema): Demand[] => {
  const bound = BOUNDS.filter((keyword) => schema[keyword] !== undefined)
  return bound.flatMap((keyword) => [
    refusal(`${keyword} ${path}`, path),
    {
      what: `a good value for the ${keyword} of ${path}`,
      isMetBy: ({ accepted }) => accepted.some(({ spec }) => valuesAt(spec, path).length > 0),
    },
  ])
}

const defaults = (path: string, schema: StructuralSchema): Demand[] =>
  schema.default === undefined
    ? []
    : [
        {
          what: `default ${path}`,
          isMetBy: ({ accepted }) =>
            accepted.some((attempt) => showsDefault(attempt, path, schema)),
        },
      ]

const showsDefault = ({ spec, becomes }: Accepted, path: string, schema: StructuralSchema) =>
  valuesAt(spec, path).length === 0 &&
  valuesAt(becomes, path).some((value) => JSON.stringify(value) === JSON.stringify(schema.default))

const refusal = (what: string, path: string, says = ''): Demand => ({
  what,
  isMetBy: ({ refused }) =>
    refused.some((attempt: Refused) => anyItem(attempt.at) === path && attempt.says.includes(says)),
})

const anyItem = (path: string): string => path.replace(/\[\d+\]/g, '[]')

/** All values that a spec has at a path such as `spec.metalSpec.machines[].address`. */
function valuesAt(spec: unknown, path: string): unknown[] {
  const keys = path.replaceAll('[]', '.[]').split('.').slice(1)
  return keys
    .reduce<unknown[]>((values, key) => values.flatMap((value) => step(value, key)), [spec])
    .filter((value) => value !== undefined)
}

function step(value: unknown, key: string): unknown[] {
  if (key === '[]') return Array.isArray(value) ? value : []
  return value !== null && typeof value === 'object' ? [Reflect.get(value, key)] : []
}
