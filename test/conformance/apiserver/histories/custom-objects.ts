import type { Fields } from '#apiserver/objects.ts'
import { definitionOf } from '#test/conformance/apiserver/shared-kinds.ts'
import { few, oneOf, some, texts } from './parts.ts'
import type { Played } from './played.ts'

const GROUP = 'histories.example.com'

const text: Fields = { type: 'string' }
const integer: Fields = { type: 'integer' }
const object = (properties: Fields, rest: Fields = {}): Fields => ({
  type: 'object',
  properties,
  ...rest,
})
const mapOf = (additionalProperties: Fields): Fields => ({ type: 'object', additionalProperties })
const list = (items: Fields, type?: string): Fields => ({
  type: 'array',
  items,
  ...(type && { 'x-kubernetes-list-type': type }),
})
const keyed = (items: Fields, ...keys: string[]): Fields => ({
  ...list(items, 'map'),
  'x-kubernetes-list-map-keys': keys,
})
const defaulted = (schema: Fields, value: unknown): Fields => ({ ...schema, default: value })

const OPEN = { 'x-kubernetes-preserve-unknown-fields': true }
const ATOMIC = { 'x-kubernetes-map-type': 'atomic' }

const route = object(
  { path: text, kind: defaulted(text, 'Exact'), to: text, options: mapOf(text) },
  { required: ['path'] },
)
const port = object(
  {
    name: text,
    protocol: defaulted(text, 'TCP'),
    number: integer,
    weight: defaulted(integer, 1),
    hosts: list(text, 'set'),
    routes: keyed(route, 'path', 'kind'),
  },
  { required: ['name'] },
)

/** One field for each way in which a field can be owned. */
const specFields: Fields = {
  mode: defaulted(text, 'auto'),
  count: integer,
  ratio: { type: 'number' },
  size: { 'x-kubernetes-int-or-string': true },
  flag: { type: 'boolean' },
  perhaps: { ...text, nullable: true },
  maybe: object({ a: text, b: text }, { nullable: true }),
  labels: mapOf(text),
  nested: mapOf(object({ a: text, deep: mapOf(text), how: defaulted(text, 'slow') })),
  whole: object({ a: text, b: object({ c: text, d: defaulted(text, 'x') }) }, ATOMIC),
  open: { type: 'object', ...OPEN },
  partly: object({ known: object({ name: text }) }, OPEN),
  tags: list(text, 'set'),
  numbers: list(integer, 'set'),
  sizes: list({ 'x-kubernetes-int-or-string': true }, 'set'),
  steps: list(object({ run: text, how: defaulted(text, 'fast') }), 'atomic'),
  plain: list(object({ run: text, how: defaulted(text, 'fast') })),
  ports: keyed(port, 'name', 'protocol'),
  single: keyed(object({ name: text, inner: mapOf(text) }, { required: ['name'] }), 'name'),
  atoms: keyed(object({ name: text, value: text }, { required: ['name'], ...ATOMIC }), 'name'),
  embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, ...OPEN },
  filled: defaulted(
    object({
      colour: defaulted(text, 'red'),
      inner: defaulted(object({ size: defaulted(integer, 3), unit: text }), {}),
    }),
    {},
  ),
}

const condition = object(
  { type: text, status: text, reason: text },
  { required: ['type', 'status'] },
)
const statusFields: Fields = {
  phase: text,
  counts: mapOf(integer),
  conditions: keyed(condition, 'type'),
  seen: defaulted(text, 'never'),
}

const version = (name: string, rest: Fields): Fields => ({
  name,
  served: true,
  storage: name === 'v1',
  subresources: { status: {} },
  schema: {
    openAPIV3Schema: object({
      spec: object({ ...specFields, ...rest }),
      status: object(statusFields),
    }),
  },
})

/** Has every type of list and map, in two versions with other defaults. */
export const definition: Fields = definitionOf(GROUP, 'Thing', {
  versions: [version('v1', {}), version('v2', { mode: defaulted(text, 'manual') })],
})

const letter = oneOf('1', '2', '3')
const sizes = oneOf(1, 2, '1', '50%')

const routes = few(
  some({ kind: oneOf('Exact', 'Prefix'), to: letter, options: texts }, { path: oneOf('/', '/a') }),
  ['path', 'kind'],
)

export const things: Played = {
  kind: 'Thing',
  versions: [`${GROUP}/v1`, `${GROUP}/v2`],
  plural: 'things',
  base: {},
  part: some(
    {},
    {
      spec: some({
        mode: oneOf('auto', 'manual', 'other'),
        count: oneOf(1, 2),
        ratio: oneOf(1, 1.5, 2),
        size: sizes,
        flag: oneOf(true, false),
        perhaps: oneOf('x', 'y', null),
        maybe: oneOf({ a: '1' }, { b: '1' }, {}, null),
        labels: texts,
        nested: some({
          x: some({ a: letter, deep: texts, how: oneOf('slow', 'quick') }),
          y: some({ a: letter, deep: texts }),
        }),
        whole: some({ a: letter, b: some({ c: letter }) }),
        open: some({ a: letter, b: oneOf({ c: '1' }, { c: '2', d: [1] }, null), e: few(letter) }),
        partly: some({ known: some({ name: letter }), other: some({ a: letter, b: texts }) }),
        tags: few(letter),
        numbers: few(oneOf(1, 2, 3)),
        sizes: few(sizes),
        steps: few(some({ run: letter, how: oneOf('fast', 'slow') })),
        plain: few(some({ run: letter })),
        ports: few(
          some(
            {
              protocol: oneOf('TCP', 'UDP'),
              number: oneOf(1, 2),
              weight: oneOf(1, 2),
              hosts: few(letter),
              routes,
            },
            { name: oneOf('a', 'b') },
          ),
          ['name', 'protocol'],
        ),
        single: few(some({ inner: texts }, { name: oneOf('a', 'b', 'c') }), ['name']),
        atoms: few(some({ value: letter }, { name: oneOf('a', 'b', 'c') }), ['name']),
        embedded: some(
          { metadata: some({ labels: texts }), spec: some({ a: letter }) },
          { apiVersion: oneOf('v1'), kind: oneOf('Pod', 'Node') },
        ),
        filled: some({
          colour: oneOf('red', 'blue'),
          inner: some({ size: oneOf(3, 4), unit: letter }),
        }),
      }),
    },
  ),
  status: some({
    phase: letter,
    counts: some({ a: oneOf(1, 2), b: oneOf(1, 2) }),
    conditions: few(
      some({ reason: letter }, { type: oneOf('Ready', 'Other'), status: oneOf('True', 'False') }),
      ['type'],
    ),
    seen: oneOf('once', 'never'),
  }),
}
