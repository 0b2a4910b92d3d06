import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kinds } from '#api/kinds.ts'
import type { Api, RunningApi } from '#test/conformance/apis.ts'
import type { Answer } from '#test/conformance/kubernetes/https-json.ts'
import { allCases } from './all-cases.ts'
import { attempt, type Subject, subjectOf, writeStatus } from './attempt.ts'
import { allRows } from './columns.cases.ts'
import { standardStatus } from './conditions.cases.ts'
import { type Installed, installKinds, pathOf } from './install.ts'

const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1'

/** What every API does with our kinds, case by case. */
export const kindsContract = ({ name, start }: Api) =>
  describe(`the kinds on ${name}`, () => {
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
      const { body } = await api.send({ method: 'GET', path: pathOf(kind), accept: TABLE })

      const columns = kind.columns.map(({ name, type, description }) => ({
        name,
        type,
        description,
      }))
      expect(body).toMatchObject({ columnDefinitions: [{ name: 'Name' }, ...columns] })
    })

    test.each(allRows)(
      'kubectl get shows an object of $kind.kind in its columns',
      async ({ kind, spec, status, cells }) => {
        const subject = await subjectOf(api.send, kind, { title: 'a row', spec })
        const answer = await writeStatus(api.send, kind, { subject, status })
        expect(answer.body).toHaveProperty('status', status)

        const path = pathOf(kind, subject.metadata.name)
        const { body } = await api.send({ method: 'GET', path, accept: TABLE })

        expect(shownIn(body)).toEqual({ Name: subject.metadata.name, ...cells })
      },
    )

    describe.each(allCases)('$kind.kind', ({ kind, cases: { accepted, refused }, status }) => {
      // Any will do: what may be written into a status does not depend on the spec.
      const spec = accepted.find((one) => one.spec && !one.from)?.spec ?? {}

      test.each(accepted)('takes: $title', async ({ becomes, drops, ...sent }) => {
        const answer = await attempt(api.send, kind, sent)

        expect(answer.body).toMatchObject({ kind: kind.kind, ...(becomes && { spec: becomes }) })
        expect(answer.status).toBe(sent.from ? 200 : 201)
        for (const path of drops ?? []) expect(answer.body).not.toHaveProperty(`spec.${path}`)
      })

      test.each(refused)('refuses: $title', async ({ at, says, ...sent }) => {
        expectRefusal(await attempt(api.send, kind, sent), { at, says })
      })

      test('status is written on its own: spec and generation stay as they are', async () => {
        const subject = await subjectOf(api.send, kind, { title: 'status on its own', spec })
        const answer = await writeStatus(api.send, kind, { subject, status: standardStatus })

        expect(answer.body).toMatchObject({
          metadata: { generation: subject.metadata.generation },
          status: standardStatus,
        })
        expect(answer.body).toHaveProperty('spec', subject.spec)
      })

      test.each(status.accepted)('keeps of status: $title', async ({ title, ...tried }) => {
        const subject = await subjectOf(api.send, kind, { title, spec })
        const answer = await writeStatus(api.send, kind, { subject, status: tried.status })

        expect(answer.body).toHaveProperty('status', tried.becomes ?? tried.status)
        expect(answer.status).toBe(200)
      })

      describe('a status that is refused leaves the object as it is', () => {
        let subject: Subject
        beforeAll(async () => {
          subject = await subjectOf(api.send, kind, { title: 'refusals of status', spec })
        })

        test.each(status.refused)('refuses of status: $title', async ({ at, says, ...tried }) => {
          const answer = await writeStatus(api.send, kind, { subject, status: tried.status })

          expectRefusal(answer, { at, says })
        })

        test('nothing of what was refused is there', async () => {
          const path = pathOf(kind, subject.metadata.name)
          const { body } = await api.send({ method: 'GET', path })

          expect(body).toEqual(subject)
        })
      })
    })
  })

function expectRefusal({ status, body }: Answer, { at, says }: { at: string; says: string }) {
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
}

/** The only row of a table, by the names of its columns. */
function shownIn(table: unknown): Record<string, unknown> {
  const { columnDefinitions, rows } = table as {
    columnDefinitions: { name: string }[]
    rows: { cells: unknown[] }[]
  } // the API's words
  return Object.fromEntries(columnDefinitions.map(({ name }, at) => [name, rows[0]?.cells[at]]))
}
