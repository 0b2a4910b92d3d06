import type { Fields } from '#apiserver/objects.ts'
import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import { definitionOf } from '#test/conformance/apiserver/shared-kinds.ts'
import type { Answer, Stage } from '#test/conformance/apiserver/stage.ts'
import { at, listAt, textAt } from '#test/conformance/apiserver/values.ts'
import { MERGE } from './objects.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const silent = { show: () => '' }

const groupOf = ({ id }: Stage): string => `${id}.example.org`
const crdOf = (stage: Stage): string => `${CRDS}/things.${groupOf(stage)}`
const thingsOf = (stage: Stage, name = '', version = 'v1'): string =>
  `/apis/${groupOf(stage)}/${version}/namespaces/${stage.id}/things${name && `/${name}`}`

const thing = (stage: Stage, spec: Fields, version = 'v1'): Fields => ({
  apiVersion: `${groupOf(stage)}/${version}`,
  kind: 'Thing',
  metadata: { name: 'a' },
  spec,
})

const object = (properties: Fields, rest: Fields = {}): Fields => ({
  type: 'object',
  properties,
  ...rest,
})
const specOf = (properties: Fields): Fields => object({ spec: object(properties) })

const TRIES = 200

/** Tries to create an object, in a dry run, until that is answered as wanted. */
async function settle(
  stage: Stage,
  spec: Fields,
  wanted: (answer: Answer) => boolean,
): Promise<void> {
  const body = { ...thing(stage, spec), metadata: { name: 'probe' } }
  for (let count = 0; count < TRIES; count += 1) {
    const path = `${thingsOf(stage)}?dryRun=All`
    if (wanted(await stage.quietly({ method: 'POST', path, body }))) return
  }
  throw new Error('the definition had no effect')
}

async function define(stage: Stage, rest: Fields): Promise<Answer> {
  const made = await stage.post(CRDS, definitionOf(groupOf(stage), 'Thing', rest), silent)
  await stage.until(thingsOf(stage), ({ status }) => status === 200, silent)
  // A kind that is new can be listed a moment before it can be written.
  await settle(stage, {}, ({ status }) => status === 201)
  return made
}

const changeSchema = (stage: Stage, schema: Fields) =>
  stage.patch(
    crdOf(stage),
    [{ op: 'replace', path: '/spec/versions/0/schema/openAPIV3Schema', value: schema }],
    {
      contentType: 'application/json-patch+json',
      ...silent,
    },
  )

const undefine = (stage: Stage) => stage.delete(crdOf(stage), undefined, silent)

const living: Case[] = [
  asking('a definition becomes established', async (stage) => {
    await stage.post(CRDS, definitionOf(groupOf(stage), 'Thing', { spec: object({}) }))
    const established = ({ body }: Answer) =>
      listAt(body, 'status', 'conditions').some(
        (one) => at(one, 'type') === 'Established' && at(one, 'status') === 'True',
      )
    await stage.until(crdOf(stage), established)
    await stage.until(`/apis/${groupOf(stage)}/v1`, ({ status }) => status === 200)
    await stage.until(`/apis/${groupOf(stage)}`, ({ status }) => status === 200)
    await undefine(stage)
  }),
  asking('deleting a definition deletes its objects', async (stage) => {
    await define(stage, { spec: specOf({}) })
    await stage.post(thingsOf(stage), thing(stage, {}), silent)
    await stage.delete(crdOf(stage))
    await stage.until(crdOf(stage), ({ status }) => status === 404)
    await stage.until(
      thingsOf(stage, 'a'),
      ({ status, body }) => status === 404 && typeof body === 'string',
    )
  }),
  asking('a definition waits for the finalizers of its objects', async (stage) => {
    await define(stage, { spec: specOf({}) })
    const body = thing(stage, {})
    await stage.post(
      thingsOf(stage),
      { ...body, metadata: { name: 'a', finalizers: ['example.com/a'] } },
      silent,
    )
    await stage.delete(crdOf(stage), undefined, silent)
    await stage.until(
      thingsOf(stage, 'a'),
      (answer) => textAt(answer.body, 'metadata', 'deletionTimestamp') !== '',
    )
    await stage.post(thingsOf(stage), { ...body, metadata: { name: 'b' } })
    await stage.patch(
      thingsOf(stage, 'a'),
      { metadata: { finalizers: null } },
      { contentType: MERGE, ...silent },
    )
    await stage.until(crdOf(stage), ({ status }) => status === 404)
  }),
  asking('names that are taken are not accepted', async (stage) => {
    await define(stage, { spec: object({}) })
    const names = { plural: 'others', singular: 'other', kind: 'Thing', listKind: 'OtherList' }
    const other = definitionOf(groupOf(stage), 'Other', { names, spec: object({}) })
    await stage.post(CRDS, other, silent)
    const path = `${CRDS}/others.${groupOf(stage)}`
    await stage.until(path, ({ body }) => listAt(body, 'status', 'conditions').length > 0, {
      show: (body) => [at(body, 'status', 'conditions'), at(body, 'status', 'acceptedNames')],
    })
    await stage.delete(path, undefined, silent)
    await undefine(stage)
  }),
  asking('some of a definition cannot change', async (stage) => {
    await define(stage, { spec: object({}) })
    for (const spec of [
      { group: 'other.example.org' },
      { scope: 'Cluster' },
      { names: { kind: 'Other' } },
      { names: { plural: 'others' } },
    ]) {
      await stage.patch(crdOf(stage), { spec }, { contentType: MERGE })
    }
    await undefine(stage)
  }),
  asking('a version that is stored cannot go', async (stage) => {
    const version = (name: string, storage: boolean) => ({
      name,
      served: true,
      storage,
      schema: { openAPIV3Schema: object({}) },
    })
    await define(stage, { versions: [version('v1', true), version('v2', false)] })
    await stage.patch(
      crdOf(stage),
      { spec: { versions: [version('v1', false), version('v2', true)] } },
      { contentType: MERGE, show: (body) => at(body, 'status', 'storedVersions') ?? body },
    )
    await stage.patch(
      crdOf(stage),
      { spec: { versions: [version('v2', true)] } },
      { contentType: MERGE },
    )
    await stage.patch(
      `${crdOf(stage)}/status`,
      { status: { storedVersions: ['v2'] } },
      { contentType: MERGE, show: (body) => at(body, 'status', 'storedVersions') ?? body },
    )
    await stage.patch(
      crdOf(stage),
      { spec: { versions: [version('v2', true)] } },
      { contentType: MERGE, show: (body) => at(body, 'spec', 'versions') ?? body },
    )
    await undefine(stage)
  }),
]

const versions: Case[] = [
  asking('an object is served in each version', async (stage) => {
    const version = (name: string, storage: boolean, properties: Fields) => ({
      name,
      served: true,
      storage,
      schema: { openAPIV3Schema: specOf(properties) },
    })
    await define(stage, {
      versions: [
        version('v1', true, { a: { type: 'string' } }),
        version('v2', false, { a: { type: 'string' }, b: { type: 'string', default: 'x' } }),
      ],
    })
    await stage.until(thingsOf(stage, '', 'v2'), ({ status }) => status === 200, silent)
    await stage.post(thingsOf(stage, '', 'v2'), thing(stage, { a: '1', b: '2' }, 'v2'))
    await stage.get(thingsOf(stage, 'a', 'v1'))
    await stage.get(thingsOf(stage, 'a', 'v2'))
    await stage.get(thingsOf(stage, '', 'v2'))
    await undefine(stage)
  }),
  asking('a deprecated version warns', async (stage) => {
    const path = `/apis/${stage.group}/v1beta1/gadgets`
    const body = {
      apiVersion: `${stage.group}/v1beta1`,
      kind: 'Gadget',
      metadata: { name: stage.id },
    }
    await stage.post(path, body)
    await stage.get(`${path}/${stage.id}`)
    await stage.get(`${path}?fieldSelector=metadata.name%3D${stage.id}`)
    await stage.delete(`${path}/${stage.id}`)
  }),
  asking('a version that is not served is not found', async (stage) => {
    const version = (name: string, storage: boolean, served: boolean) => ({
      name,
      served,
      storage,
      schema: { openAPIV3Schema: object({}) },
    })
    await define(stage, { versions: [version('v1', true, true), version('v2', false, false)] })
    await stage.get(thingsOf(stage, '', 'v2'))
    await undefine(stage)
  }),
]

const ratcheting: Case[] = [
  asking('what was invalid before may stay as it is', async (stage) => {
    await define(stage, { spec: specOf({ a: { type: 'string' }, b: { type: 'string' } }) })
    await stage.post(thingsOf(stage), thing(stage, { a: 'long enough', b: '1' }), silent)
    await changeSchema(
      stage,
      specOf({ a: { type: 'string', maxLength: 3 }, b: { type: 'string' } }),
    )
    await settle(stage, { a: 'long enough' }, ({ status }) => status === 422)
    await stage.patch(thingsOf(stage, 'a'), { spec: { b: '2' } }, { contentType: MERGE })
    await stage.patch(thingsOf(stage, 'a'), { spec: { a: 'longer yet' } }, { contentType: MERGE })
    await stage.patch(thingsOf(stage, 'a'), { spec: { a: 'ok' } }, { contentType: MERGE })
    await undefine(stage)
  }),
  asking('a rule that was broken before may stay so', async (stage) => {
    const schema = (rule: string) =>
      specOf({
        a: { type: 'string', maxLength: 9, 'x-kubernetes-validations': [{ rule }] },
        b: { type: 'string' },
      })
    await define(stage, { spec: schema('true') })
    await stage.post(thingsOf(stage), thing(stage, { a: 'bad', b: '1' }), silent)
    await changeSchema(stage, schema("self != 'bad'"))
    await settle(stage, { a: 'bad' }, ({ status }) => status === 422)
    await stage.patch(thingsOf(stage, 'a'), { spec: { b: '2' } }, { contentType: MERGE })
    await undefine(stage)
  }),
  asking('defaults are filled in when an object is read', async (stage) => {
    await define(stage, { spec: specOf({ a: { type: 'string' } }) })
    await stage.post(thingsOf(stage), thing(stage, { a: '1' }), silent)
    await changeSchema(
      stage,
      specOf({ a: { type: 'string' }, b: { type: 'string', default: 'new' } }),
    )
    await settle(stage, {}, ({ body }) => at(body, 'spec', 'b') === 'new')
    await stage.get(thingsOf(stage, 'a'))
    await undefine(stage)
  }),
  asking('fields that a schema drops are gone when an object is read', async (stage) => {
    await define(stage, { spec: specOf({ a: { type: 'string' }, b: { type: 'string' } }) })
    await stage.post(thingsOf(stage), thing(stage, { a: '1', b: '2' }), silent)
    await changeSchema(stage, specOf({ a: { type: 'string' } }))
    await settle(stage, { b: '1' }, ({ body }) => at(body, 'spec', 'b') === undefined)
    await stage.get(thingsOf(stage, 'a'))
    await undefine(stage)
  }),
]

export const definedKindsCases: Subject = {
  subject: 'defined kinds',
  cases: [...living, ...versions, ...ratcheting],
}
