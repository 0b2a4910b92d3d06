import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { invalid } from '#apiserver/failure.ts'
import {
  keepServerMetadata,
  validateMetadata,
  validateMetadataUpdate,
} from '#apiserver/metadata/validate-metadata.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import type { Behaviour, WriteContext } from '#apiserver/resource.ts'
import { atOnce } from '#apiserver/steps.ts'
import { kindErrors } from '#apiserver/write/kind-errors.ts'
import { behavioursIn } from './behaviours.ts'
import { ClusterAddresses } from './cluster-addresses.ts'

const UID = '8f2c'
const NOW = '2026-11-16T04:00:00Z'

// What was recorded is without the volumes in which pods find the tokens of their accounts.
const account = { automountServiceAccountToken: false }

const behaviourOf = behavioursIn({
  clusterObjects: () => [],
  namespacedObject: () => account,
  addresses: new ClusterAddresses(),
})

const casesIn = (file: string): Fields[] =>
  readFileSync(new URL(`./golden/${file}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const titleOf = (given: Fields): string => `${given.kind} ${JSON.stringify(given.spec ?? given)}`

const contextOf = (subresource?: string): WriteContext => ({
  user: { name: 'someone', groups: [] },
  now: NOW,
  dryRun: false,
  warn: () => {},
  ...(subresource && { subresource }),
})

const fillDefaults = (behaviour: Behaviour, object: Fields): void => {
  if (behaviour.fillDefaults) atOnce(behaviour.fillDefaults(object))
  else behaviour.setDefaults?.(object)
}

const kindAt = (path: string) => {
  const [, group = '', namespace, plural = ''] =
    /^\/(?:api|apis\/([^/]+))\/v\d(?:\/namespaces\/([^/]+))?\/([^/]+)$/.exec(path) ?? []
  const behaviour = behaviourOf(group, plural)
  const { nameRule = 'subdomain' } = behaviour
  return {
    group,
    namespace,
    behaviour,
    rules: { namespaced: namespace !== undefined, nameRule, takesAnyFinalizer: false },
  }
}

const create = (path: string, given: Fields) => {
  const { group, namespace, behaviour, rules } = kindAt(path)
  const object = structuredClone(given)
  fillDefaults(behaviour, object)
  Object.assign(fieldsAt(object, 'metadata'), {
    uid: UID,
    creationTimestamp: NOW,
    ...(namespace && { namespace }),
    ...(behaviour.hasGeneration && { generation: 1 }),
  })
  behaviour.prepareCreate?.(object, contextOf())
  const errors = [
    ...validateMetadata(fieldsAt(object, 'metadata'), rules),
    ...atOnce(kindErrors(behaviour, { object, old: undefined }, contextOf())),
  ]
  const name = textAt(fieldsAt(object, 'metadata'), 'name') ?? ''
  return { object, message: messageOf(group, given, errors, name) }
}

const messageOf = (
  ...[group, { kind }, errors, name]: [string, Fields, never[] | Errors, string]
) => (errors.length > 0 ? invalid({ group, kind: String(kind), name }, errors).message : undefined)

type Errors = Parameters<typeof invalid>[1]

/** Addresses and ports are the server's choice. */
const withoutChoices = (object: unknown): unknown =>
  JSON.parse(
    JSON.stringify(object)
      .replace(/"10\.96\.\d+\.\d+"/g, '"address"')
      .replace(/ode[pP]ort":3\d{4}/g, 'odePort":0'),
  )

test.each(casesIn('creates').map((one) => ({ ...one, title: titleOf(fieldsAt(one, 'given')) })))(
  'makes the same of a new $title as Kubernetes',
  ({ path, given, made }: Fields) => {
    const { object, message } = create(String(path), fieldsAt({ given }, 'given'))

    expect(message).toBeUndefined()
    expect(withoutChoices(object)).toEqual(withoutChoices(made))
  },
)

test.each(casesIn('creates').map((one) => ({ ...one, title: titleOf(fieldsAt(one, 'given')) })))(
  'has nothing to add to what it made of a new $title',
  ({ path, made }: Fields) => {
    const object = structuredClone(fieldsAt({ made }, 'made'))
    kindAt(String(path)).behaviour.setDefaults?.(object)

    expect(object).toEqual(made)
  },
)

test.each(casesIn('refusals').map((one) => ({ ...one, title: titleOf(fieldsAt(one, 'given')) })))(
  'refuses $title in the words of Kubernetes',
  ({ path, given, message }: Fields) => {
    expect(create(String(path), fieldsAt({ given }, 'given')).message).toBe(message)
  },
)

test.each(casesIn('updates').map((one) => ({ ...one, kind: fieldsAt(one, 'given').kind })))(
  'makes the same of a changed $kind as Kubernetes: $title',
  (one: Fields) => {
    const { group, behaviour, rules } = kindAt(String(one.path))
    const before = fieldsAt(one, 'before')
    const object = structuredClone(fieldsAt(one, 'given'))
    const untouched = structuredClone(before)
    const context = contextOf(textAt(one, 'subresource'))

    fillDefaults(behaviour, object)
    behaviour.prepareUpdate?.(object, before, context)
    const metadata = fieldsAt(object, 'metadata')
    keepServerMetadata(metadata, fieldsAt(before, 'metadata'))
    const counts = behaviour.hasGeneration && context.subresource !== 'status'
    if (counts && behaviour.countsAsChange(object, before))
      metadata.generation = Number(fieldsAt(before, 'metadata').generation) + 1
    const errors = [
      ...validateMetadataUpdate(metadata, fieldsAt(before, 'metadata'), rules),
      ...atOnce(kindErrors(behaviour, { object, old: before }, context)),
    ]

    const message = messageOf(group, object, errors, textAt(metadata, 'name') ?? '')
    expect(message).toBe(one.message)
    if (!message) expect(object).toEqual(one.after)
    expect(before).toEqual(untouched)
  },
)

test.each(casesIn('tables'))('prints $plural as Kubernetes does: $cells', (one: Fields) => {
  const { printer } = behaviourOf(String(one.group), String(one.plural))

  expect(printer?.cells(fieldsAt(one, 'object'), new Date(String(one.now)))).toEqual(one.cells)
  expect(printer?.columns).toHaveLength(Array.isArray(one.cells) ? one.cells.length : 0)
})

test('a kind without a behaviour of its own has a name and a time of creation', () => {
  const { printer } = behaviourOf('apiextensions.k8s.io', 'customresourcedefinitions')
  const object = { metadata: { name: 'a', creationTimestamp: NOW } }

  expect(printer?.columns.map(({ name }) => name)).toEqual(['Name', 'Created At'])
  expect(printer?.cells(object, new Date(NOW))).toEqual(['a', NOW])
})
