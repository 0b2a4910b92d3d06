import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RunningApi } from '#test/conformance/apis.ts'
import type { Answer } from '#test/conformance/kubernetes/https-json.ts'
import { GADGETS, gadgetApis } from './gadgets.ts'
import { callRaw } from './raw-client.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const CONFLICT =
  'the object has been modified; please apply your changes to the latest version and try again'

interface Metadata {
  name: string
  uid: string
  resourceVersion: string
  generation: number
}

const gadget = (name: string, fields: object = {}, metadata: object = {}) => ({
  apiVersion: 'tests.example/v1',
  kind: 'Gadget',
  metadata: { name, ...metadata },
  ...fields,
})

const metadataOf = ({ body }: Answer): Metadata => {
  const { metadata } = body as { metadata: Metadata } // the API's words
  return metadata
}

const status = (code: number, reason: string, rest: object) => ({
  ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason },
  ...rest,
})

describe.each(gadgetApis)('$name', ({ start }) => {
  let api: RunningApi

  beforeAll(async () => {
    api = await start()
  })
  afterAll(() => api?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    await api.send({ method: 'DELETE', path: GADGETS })
    await api.send({ method: 'DELETE', path: MAPS })
  })

  const get = (path: string) => api.send({ method: 'GET', path })
  const post = (path: string, body: object) => api.send({ method: 'POST', path, body })
  const put = (path: string, body: object) => api.send({ method: 'PUT', path, body })
  const remove = (path: string) => api.send({ method: 'DELETE', path })
  const removeIf = async (path: string, preconditions: object) => {
    const call = { method: 'DELETE', path, body: { preconditions } }
    const answer = await callRaw(api.kubeconfig, call)
    await answer.ended
    return { status: answer.status, body: JSON.parse(answer.text) }
  }
  const patch = (type: string, path: string, body: object) =>
    api.send({ method: 'PATCH', path, body, contentType: `application/${type}` })
  const merge = (name: string, body: object) =>
    patch('merge-patch+json', `${GADGETS}/${name}`, body)
  const apply = (who: string, name: string, fields: object) =>
    patch('apply-patch+yaml', `${GADGETS}/${name}?fieldManager=${who}`, {
      ...gadget(name.replace('/status', '')),
      ...fields,
    })

  describe('discovery', () => {
    test('tells the groups, their versions and their resources', async () => {
      const groupVersion = { groupVersion: 'tests.example/v1', version: 'v1' }
      const group = {
        name: 'tests.example',
        versions: [groupVersion],
        preferredVersion: groupVersion,
      }
      expect((await get('/apis/tests.example')).body).toMatchObject({ kind: 'APIGroup', ...group })
      expect((await get('/apis')).body).toMatchObject({
        kind: 'APIGroupList',
        groups: expect.arrayContaining([group]),
      })
      expect((await get('/api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] })
      expect((await get('/apis/tests.example/v1')).body).toMatchObject({
        kind: 'APIResourceList',
        groupVersion: 'tests.example/v1',
        resources: [
          { name: 'gadgets', singularName: 'gadget', namespaced: true, kind: 'Gadget' },
          { name: 'gadgets/status', kind: 'Gadget', verbs: ['get', 'patch', 'update'] },
          { name: 'gadgets/scale', kind: 'Scale', group: 'autoscaling', version: 'v1' },
        ],
      })
      expect((await get('/api/v1')).body).toMatchObject({
        resources: expect.arrayContaining([
          expect.objectContaining({ name: 'configmaps', kind: 'ConfigMap', namespaced: true }),
          expect.objectContaining({ name: 'namespaces', kind: 'Namespace', namespaced: false }),
        ]),
      })
      expect((await get('/version')).body).toMatchObject({ major: '1', minor: '36' })
      expect(await get('/readyz')).toMatchObject({ status: 200, body: 'ok' })
    })

    test('knows nothing of what is not served', async () => {
      for (const path of ['/nope', '/apis/nope', '/apis/tests.example/v2']) {
        expect(await get(path)).toMatchObject({ status: 404, body: '404 page not found\n' })
      }
      expect(await get('/api/v1/namespaces/default/nopes')).toMatchObject({
        status: 404,
        body: status(404, 'NotFound', { details: {} }),
      })
    })
  })

  describe('creating', () => {
    test('an object gets what the server decides, and no status', async () => {
      const sent = gadget('one', { spec: { a: 1 }, status: { b: 2 } }, { labels: { l: 'm' } })
      const answer = await post(GADGETS, sent)

      expect(answer.status).toBe(201)
      expect(answer.body).toEqual({
        ...gadget('one', { spec: { a: 1 } }),
        metadata: {
          name: 'one',
          namespace: 'default',
          labels: { l: 'm' },
          generation: 1,
          uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          resourceVersion: expect.stringMatching(/^\d+$/),
          creationTimestamp: expect.stringMatching(/^[\d-]{10}T[\d:]{8}Z$/),
          managedFields: [expect.objectContaining({ operation: 'Update', manager: 'unknown' })],
        },
      })
      expect((await get(`${GADGETS}/one`)).body).toEqual(answer.body)
    })

    test('a name is taken once, and missed where it is not', async () => {
      await post(GADGETS, gadget('one'))

      const about = { name: 'one', group: 'tests.example', kind: 'gadgets' }
      expect((await post(GADGETS, gadget('one'))).body).toEqual(
        status(409, 'AlreadyExists', {
          message: 'gadgets.tests.example "one" already exists',
          details: about,
        }),
      )
      expect((await get(`${GADGETS}/two`)).body).toEqual(
        status(404, 'NotFound', {
          message: 'gadgets.tests.example "two" not found',
          details: { ...about, name: 'two' },
        }),
      )
      expect((await get(`${MAPS}/two`)).body).toEqual(
        status(404, 'NotFound', {
          message: 'configmaps "two" not found',
          details: { name: 'two', kind: 'configmaps' },
        }),
      )
    })

    test('a name can be left to the server', async () => {
      const map = { metadata: { generateName: 'some-' } }
      const [one, two] = [await post(MAPS, map), await post(MAPS, map)]

      expect(metadataOf(one)).toMatchObject({
        name: expect.stringMatching(/^some-\w+$/),
        generateName: 'some-',
      })
      expect(metadataOf(one).name).not.toBe(metadataOf(two).name)
    })

    test.each([
      { what: 'without a name', metadata: {}, reason: 'Invalid' },
      { what: 'with a bad name', metadata: { name: 'Bad_Name' }, reason: 'Invalid' },
      { what: 'of another namespace', metadata: { namespace: 'b' }, reason: 'BadRequest' },
    ])('an object $what is refused', async ({ metadata, reason }) => {
      const { status: code, body } = await post(GADGETS, { ...gadget(''), metadata })

      expect(body).toMatchObject({ kind: 'Status', status: 'Failure', code, reason })
    })

    test('an object of another kind, in no known namespace, or too large is refused', async () => {
      const elsewhere = GADGETS.replace('default', 'nowhere')
      const isMissing = { reason: 'NotFound', details: { name: 'nowhere', kind: 'namespaces' } }
      expect((await post(MAPS, gadget('one'))).body).toMatchObject({ reason: 'BadRequest' })
      expect((await post(elsewhere, gadget('one'))).body).toMatchObject(isMissing)
      const tooLarge = await api.send({ method: 'POST', path: MAPS, body: 'x'.repeat(4_000_000) })
      expect(tooLarge.status).toBe(413)
    })
  })

  describe('updating', () => {
    test('needs the latest version, if it names one', async () => {
      const { resourceVersion } = metadataOf(await post(GADGETS, gadget('one')))
      await merge('one', { spec: { a: 1 } })

      const stale = gadget('one', { spec: {} }, { resourceVersion })
      const details = { name: 'one', group: 'tests.example', kind: 'gadgets' }
      const message = `Operation cannot be fulfilled on gadgets.tests.example "one": ${CONFLICT}`
      const refused = status(409, 'Conflict', { message, details })
      expect((await put(`${GADGETS}/one`, stale)).body).toEqual(refused)
      expect((await merge('one', stale)).body).toEqual(refused)
    })

    test('needs a version for custom kinds, and none for those of Kubernetes', async () => {
      await post(GADGETS, gadget('one'))
      await post(MAPS, { metadata: { name: 'one' } })

      const message = 'Invalid value: 0: must be specified for an update'
      const cause = { reason: 'FieldValueInvalid', message, field: 'metadata.resourceVersion' }
      expect((await put(`${GADGETS}/one`, gadget('one'))).body).toMatchObject({
        reason: 'Invalid',
        details: { causes: [cause] },
      })
      const map = { metadata: { name: 'one' }, data: { a: 'b' } }
      expect(await put(`${MAPS}/one`, map)).toMatchObject({ status: 200, body: { data: map.data } })
    })

    test('refuses another name or uid, and an object that is not there', async () => {
      const { resourceVersion } = metadataOf(await post(GADGETS, gadget('one')))
      const path = `${GADGETS}/one`

      expect((await put(path, gadget('two', {}, { resourceVersion }))).status).toBe(400)
      const other = gadget('one', {}, { resourceVersion, uid: 'other' })
      expect(await put(path, other)).toMatchObject({ status: 409, body: { reason: 'Conflict' } })
      expect((await put(`${GADGETS}/two`, gadget('two'))).status).toBe(404)
      expect((await merge('two', {})).status).toBe(404)
    })

    test('the object counts generations of its spec, and leaves its status alone', async () => {
      await post(GADGETS, gadget('one', { spec: { a: 1 } }))

      const labelled = await merge('one', { metadata: { labels: { a: 'b' } } })
      const changed = await merge('one', { spec: { a: 2 }, status: { x: 1 } })

      expect(metadataOf(labelled)).toMatchObject({ generation: 1, labels: { a: 'b' } })
      expect(changed.body).toMatchObject({ spec: { a: 2 }, metadata: { generation: 2 } })
      expect(changed.body).not.toHaveProperty('status')
    })

    test('the status leaves everything else alone', async () => {
      const { resourceVersion } = metadataOf(await post(GADGETS, gadget('one', { spec: { a: 1 } })))

      const sent = gadget(
        'one',
        { spec: { a: 2 }, status: { x: 1 } },
        { resourceVersion, labels: { a: 'b' } },
      )
      const answer = await put(`${GADGETS}/one/status`, sent)

      expect(answer.body).toMatchObject({ spec: { a: 1 }, status: { x: 1 } })
      expect(metadataOf(answer)).toMatchObject({ generation: 1 })
      expect(metadataOf(answer)).not.toHaveProperty('labels')
      expect(await get(`${GADGETS}/one/status`)).toMatchObject({ body: answer.body })
    })

    test('that changes nothing makes no new version', async () => {
      const created = await post(GADGETS, gadget('one', { spec: { a: 1 } }))

      expect((await merge('one', { spec: { a: 1 } })).body).toEqual(created.body)
    })

    test('by JSON patch does all steps or none', async () => {
      await post(GADGETS, gadget('one', { spec: { list: [1, 2], 'a/b': 1 } }))
      const path = `${GADGETS}/one`

      const steps = [
        { op: 'test', path: '/spec/list/0', value: 1 },
        { op: 'add', path: '/spec/list/1', value: 9 },
        { op: 'add', path: '/spec/list/-', value: 3 },
        { op: 'replace', path: '/spec/a~1b', value: 2 },
        { op: 'remove', path: '/spec/list/0' },
      ]
      const done = await patch('json-patch+json', path, steps)
      expect(done.body).toMatchObject({ spec: { list: [9, 2, 3], 'a/b': 2 } })

      const isWrong = [
        { op: 'remove', path: '/spec/a~1b' },
        { op: 'test', path: '/spec/list/0', value: 8 },
      ]
      const refused = await patch('json-patch+json', path, isWrong)
      expect(refused).toMatchObject({ status: 422, body: { reason: 'Invalid' } })
      expect((await get(path)).body).toEqual(done.body)
    })

    test('by strategic merge is for the kinds of Kubernetes only', async () => {
      await post(MAPS, { metadata: { name: 'one' } })
      await post(GADGETS, gadget('one'))
      const type = 'strategic-merge-patch+json'

      const map = await patch(type, `${MAPS}/one`, { data: { a: 'b' } })
      expect(map).toMatchObject({ status: 200, body: { data: { a: 'b' } } })
      expect(await patch(type, `${GADGETS}/one`, {})).toMatchObject({ status: 415 })
    })

    test('the scale is a view of spec.replicas', async () => {
      const spec = { replicas: 1, other: true }
      const { uid } = metadataOf(await post(GADGETS, gadget('one', { spec })))
      await patch('merge-patch+json', `${GADGETS}/one/status`, {
        status: { replicas: 3, selector: 'a=b' },
      })

      const path = `${GADGETS}/one/scale`
      const scaled = await patch('merge-patch+json', path, { spec: { replicas: 5 } })
      expect(scaled.body).toMatchObject({
        kind: 'Scale',
        apiVersion: 'autoscaling/v1',
        metadata: { name: 'one', namespace: 'default', uid },
        spec: { replicas: 5 },
        status: { replicas: 3, selector: 'a=b' },
      })
      const now = { spec: { ...spec, replicas: 5 }, metadata: { generation: 2 } }
      expect((await get(`${GADGETS}/one`)).body).toMatchObject(now)
    })
  })

  describe('applying', () => {
    test('creates, changes, and takes away what the same manager leaves out', async () => {
      const labels = { metadata: { name: 'one', labels: { l: 'm' } } }
      const created = await apply('me', 'one', {
        ...labels,
        spec: { a: 1, list: [1], m: { x: 1 } },
      })
      expect(created.status).toBe(201)

      await merge('one', { spec: { by: 'another' } })
      const changed = await apply('me', 'one', { spec: { a: 2, m: { y: 1 } } })

      expect(changed.body).toMatchObject({ metadata: { generation: 3 } })
      expect(changed.body).toHaveProperty('spec', { a: 2, m: { y: 1 }, by: 'another' })
      expect(metadataOf(changed)).not.toHaveProperty('labels')
    })

    test('the same again makes no new version, whoever applied last', async () => {
      await apply('one', 'it', { spec: { a: 1, m: {} } })
      const { body } = await apply('two', 'it', { spec: { b: 1 } })

      expect(await apply('one', 'it', { spec: { a: 1, m: {} } })).toMatchObject({
        status: 200,
        body,
      })
      expect((await apply('two', 'it', { spec: { b: 1 } })).body).toEqual(body)
    })

    test('leaves a field that two managers own until both leave it out', async () => {
      await apply('one', 'it', { spec: { a: 1, b: 1 } })
      await apply('two', 'it', { spec: { a: 1, c: 1 } })

      const still = await apply('one', 'it', { spec: { b: 1 } })
      expect(still.body).toHaveProperty('spec', { a: 1, b: 1, c: 1 })
      const gone = await apply('two', 'it', { spec: { c: 1 } })
      expect(gone.body).toHaveProperty('spec', { b: 1, c: 1 })
    })

    test('stops where another manager owns a field, unless it is forced', async () => {
      await apply('one', 'it', { spec: { a: 1, b: 1, c: 1 } })
      await merge('it', { spec: { b: 2 } })

      const refused = await apply('two', 'it', { spec: { a: 2, b: 2, c: 1 } })
      expect(refused.body).toEqual(
        status(409, 'Conflict', {
          message: 'Apply failed with 1 conflict: conflict with "one": .spec.a',
          details: {
            causes: [
              {
                reason: 'FieldManagerConflict',
                message: 'conflict with "one"',
                field: '.spec.a',
              },
            ],
          },
        }),
      )
      const byUpdate = await apply('one', 'it', { spec: { a: 1, b: 1, c: 1 } })
      expect(byUpdate.body).toMatchObject({
        message:
          'Apply failed with 1 conflict: conflict with "unknown" using tests.example/v1: .spec.b',
      })
      const forced = await apply('two&force=true', 'it', { spec: { a: 2, b: 3 } })
      expect(forced.body).toHaveProperty('spec', { a: 2, b: 3, c: 1 })
      const rest = await apply('one', 'it', { spec: { c: 1 } })
      expect(rest.body).toHaveProperty('spec', { a: 2, b: 3, c: 1 })
    })

    test('managers share finalizers and conditions item by item', async () => {
      const holds = (finalizer: string) => ({ metadata: { name: 'it', finalizers: [finalizer] } })
      await apply('one', 'it', holds('tests.example/one'))
      const both = await apply('two', 'it', holds('tests.example/two'))
      expect(metadataOf(both)).toMatchObject({
        finalizers: ['tests.example/one', 'tests.example/two'],
      })
      const [ready, synced] = [{ type: 'Ready', status: 'True' }, { type: 'Synced' }]
      await apply('one', 'it/status', { status: { conditions: [ready] } })
      const two = await apply('two', 'it/status', { status: { conditions: [synced] } })
      expect(two.body).toMatchObject({ status: { conditions: [ready, synced] } })

      await apply('one', 'it', {})
      const last = await apply('one', 'it/status', { status: {} })
      expect(last.body).toMatchObject({
        metadata: { finalizers: ['tests.example/two'] },
        status: { conditions: [synced] },
      })
      await apply('two', 'it', {})
    })

    test('needs a manager, and an object whose status is applied', async () => {
      const path = `${GADGETS}/one`
      const nobody = await patch('apply-patch+yaml', path, gadget('one'))
      expect(nobody).toMatchObject({
        status: 422,
        body: { details: { causes: [{ field: 'fieldManager' }] } },
      })
      expect((await apply('me', 'one/status', { status: { a: 1 } })).status).toBe(404)
    })
  })

  describe('deleting', () => {
    test('answers with what is gone, and demands what it is told to demand', async () => {
      const { uid } = metadataOf(await post(GADGETS, gadget('one')))
      const path = `${GADGETS}/one`
      const isConflict = { status: 409, body: { reason: 'Conflict', details: { name: 'one' } } }

      for (const preconditions of [{ uid: 'other' }, { resourceVersion: '1' }]) {
        expect(await removeIf(path, preconditions)).toMatchObject(isConflict)
      }
      expect((await removeIf(path, { uid })).body).toEqual({
        ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' },
        details: { name: 'one', group: 'tests.example', kind: 'gadgets', uid },
      })
      expect((await remove(path)).status).toBe(404)
    })

    test('waits for finalizers, and takes no new ones', async () => {
      await post(GADGETS, gadget('one', {}, { finalizers: ['tests.example/hold'] }))
      const marked = await remove(`${GADGETS}/one`)
      expect(metadataOf(marked)).toMatchObject({
        generation: 2,
        deletionTimestamp: expect.any(String),
        deletionGracePeriodSeconds: 0,
      })
      expect((await remove(`${GADGETS}/one`)).body).toEqual(marked.body)

      const more = ['tests.example/hold', 'tests.example/more']
      const refused = await merge('one', { metadata: { finalizers: more } })
      expect(refused).toMatchObject({ status: 422, body: { reason: 'Invalid' } })
      const released = await merge('one', { metadata: { finalizers: null } })
      expect(released).toMatchObject({ status: 200, body: { metadata: { name: 'one' } } })
      expect((await get(`${GADGETS}/one`)).status).toBe(404)
    })

    test('a collection deletes what is selected', async () => {
      for (const name of ['a', 'b', 'c']) {
        await post(GADGETS, gadget(name, {}, { labels: { is: name } }))
      }
      const { body } = await remove(`${GADGETS}?labelSelector=is+in+(a,b)`)

      expect(body).toMatchObject({
        items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }],
      })
      const { body: rest } = await get(GADGETS)
      expect(rest).toMatchObject({ items: [{ metadata: { name: 'c' } }] })
    })
  })

  test('what is only tried leaves no trace', async () => {
    const { body } = await post(GADGETS, gadget('one', { spec: { a: 1 } }))
    const path = `${GADGETS}/one?dryRun=All`

    expect((await post(`${GADGETS}?dryRun=All`, gadget('two'))).status).toBe(201)
    const tried = await patch('merge-patch+json', path, { spec: { a: 2 } })
    expect(tried.body).toMatchObject({ spec: { a: 2 }, metadata: { generation: 2 } })
    expect((await remove(path)).status).toBe(200)
    expect((await get(`${GADGETS}/one`)).body).toEqual(body)
    expect((await get(`${GADGETS}/two`)).status).toBe(404)
  })
})
