import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kinds } from '#api/kinds.ts'
import { apis, type RunningApi } from '#test/conformance/apis.ts'
import { allCases } from './all-cases.ts'
import { attempt } from './attempt.ts'
import { type Installed, installKinds, pathOf } from './install.ts'

const aCondition = {
  type: 'Ready',
  status: 'False',
  reason: 'Waiting',
  message: 'waiting for a machine',
  lastTransitionTime: '2030-01-01T00:00:00Z',
}

describe.each(apis)('the kinds on $name', ({ start }) => {
  let api: RunningApi
  let installed: Installed[]

  beforeAll(async () => {
    api = await start()
    installed = await installKinds(api.send, kinds)
  })
  afterAll(() => api?.[Symbol.asyncDispose]())

  test.each(kinds)('the CRD of $kind is established, with no warning', (kind) => {
    const crd = installed.find((one) => one.kind === kind)

    expect(crd?.created).toMatchObject({ status: 201, warnings: [] })
    expect(crd?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Established', status: 'True' }),
    )
    expect(crd?.conditions.filter(({ type }) => type === 'NonStructuralSchema')).toEqual([])
  })

  test.each(kinds)('kubectl get shows the columns of $kind', async (kind) => {
    const table = 'application/json;as=Table;g=meta.k8s.io;v=v1'
    const { body } = await api.send({ method: 'GET', path: pathOf(kind), accept: table })

    const columns = kind.columns.map(({ name, type, description }) => ({ name, type, description }))
    expect(body).toMatchObject({ columnDefinitions: [{ name: 'Name' }, ...columns] })
  })

  describe.each(allCases)('$kind.kind', ({ kind, cases: { accepted, refused } }) => {
    test.each(accepted)('takes: $title', async ({ becomes, drops, ...sent }) => {
      const { status, body } = await attempt(api.send, kind, sent)

      expect(body).toMatchObject({ kind: kind.kind, ...(becomes && { spec: becomes }) })
      expect(status).toBe(sent.from ? 200 : 201)
      for (const path of drops ?? []) expect(body).not.toHaveProperty(`spec.${path}`)
    })

    test.each(refused)('refuses: $title', async ({ at, says, ...sent }) => {
      const { status, body } = await attempt(api.send, kind, sent)

      expect(body).toMatchObject({
        kind: 'Status',
        reason: 'Invalid',
        details: {
          causes: expect.arrayContaining([
            expect.objectContaining({ field: at, message: expect.stringContaining(says) }),
          ]),
        },
      })
      expect(status).toBe(422)
    })

    test('status is written on its own: spec and generation stay as they are', async () => {
      const example = accepted.find(({ spec, from }) => spec && !from)
      const { body } = await attempt(api.send, kind, example ?? {})
      const created = body as { metadata: { name: string; generation: number }; spec: object } // the API's words
      const status = { conditions: [aCondition] }

      const answer = await api.send({
        method: 'PUT',
        path: `${pathOf(kind, created.metadata.name)}/status`,
        body: { ...created, spec: {}, status },
      })

      expect(answer.body).toMatchObject({
        metadata: { generation: created.metadata.generation },
        status,
      })
      expect(answer.body).toHaveProperty('spec', created.spec)
    })
  })
})
