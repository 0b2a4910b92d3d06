import type { Fields } from '#apiserver/objects.ts'
import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import { definitionOf } from '#test/conformance/apiserver/shared-kinds.ts'
import type { Answer, Stage } from '#test/conformance/apiserver/stage.ts'
import { at, listAt, textAt } from '#test/conformance/apiserver/values.ts'
import { JSON_PATCH, MERGE } from './objects.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const silent = { show: () => '' }

const groupOf = ({ id }: Stage): string => `${id}.example.org`
const definitionPath = (stage: Stage): string => `${CRDS}/things.${groupOf(stage)}`
const thingsOf = (stage: Stage, version: string): string =>
  `/apis/${groupOf(stage)}/${version}/namespaces/${stage.id}/things`

const version = (name: string, rest: Fields = {}): Fields => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: { type: 'object', description: 'as it was' } },
  ...rest,
})

/** Defines a kind in two versions, and waits until both are served. */
async function define(stage: Stage): Promise<void> {
  const versions = [version('v1', { storage: true }), version('v2')]
  const body = definitionOf(groupOf(stage), 'Thing', { spec: {}, versions })
  await stage.post(CRDS, body, silent)
  for (const name of ['v1', 'v2']) {
    await stage.until(thingsOf(stage, name), ({ status }) => status === 200, silent)
  }
}

const make = (stage: Stage, name: string) =>
  stage.post(
    thingsOf(stage, 'v1'),
    { apiVersion: `${groupOf(stage)}/v1`, kind: 'Thing', metadata: { name } },
    silent,
  )

const brief = (event: unknown): unknown => [
  textAt(event, 'type'),
  textAt(event, 'object', 'apiVersion'),
  textAt(event, 'object', 'metadata', 'name'),
]

/** Watches both versions while something happens to their definition, and as long as the server likes. */
const ending = (name: string, happens: (stage: Stage) => Promise<unknown>): Case =>
  asking(name, async (stage) => {
    await define(stage)
    await make(stage, 'a')
    const query = 'watch=true&timeoutSeconds=60'
    const first = await stage.watch(`${thingsOf(stage, 'v1')}?${query}`, { show: brief })
    const second = await stage.watch(`${thingsOf(stage, 'v2')}?${query}`, { show: brief })
    for (const watch of [first, second]) await watch.take(1)
    const before = performance.now()
    await happens(stage)
    for (const watch of [first, second]) await watch.toItsEnd()
    stage.note('the end came before its time', performance.now() - before < 30_000)
    await stage.delete(definitionPath(stage), undefined, silent)
  })

const patch = (stage: Stage, path: string, value: unknown) =>
  stage.patch(definitionPath(stage), [{ op: 'replace', path, value }], {
    contentType: JSON_PATCH,
    ...silent,
  })

const watches: Case[] = [
  ending('watches end with the definition of their kind', (stage) =>
    stage.delete(definitionPath(stage), undefined, silent),
  ),
  ending('watches end when a version is not served any more', (stage) =>
    patch(stage, '/spec/versions/1/served', false),
  ),
  ending('watches end when a schema changes', (stage) =>
    patch(stage, '/spec/versions/0/schema/openAPIV3Schema/description', 'otherwise'),
  ),
  asking('watches go on when nothing changes about the kind', async (stage) => {
    await define(stage)
    const watch = await stage.watch(`${thingsOf(stage, 'v2')}?watch=true`, { show: brief })
    const labels = { metadata: { labels: { a: 'b' } } }
    await stage.patch(definitionPath(stage), labels, { contentType: MERGE, ...silent })
    const status = { status: { storedVersions: ['v1'] } }
    await stage.patch(`${definitionPath(stage)}/status`, status, { contentType: MERGE, ...silent })
    await make(stage, 'b')
    await watch.take(1)
    await stage.delete(definitionPath(stage), undefined, silent)
  }),
]

const statusIn = (body: unknown): unknown =>
  at(body, 'kind') === 'Status' ? body : [at(body, 'status'), at(body, 'metadata', 'generation')]

/** Whether the server has no more to write into a definition. */
const isSettled = ({ body }: Answer): boolean =>
  listAt(body, 'status', 'conditions').some(
    (one) => at(one, 'type') === 'Established' && at(one, 'status') === 'True',
  )

/** Puts the status of a definition as it is told, with or without its resourceVersion. */
async function putStatus(stage: Stage, status: unknown, isUnconditional = false): Promise<void> {
  const path = definitionPath(stage)
  const there = await stage.until(path, isSettled, silent)
  const { resourceVersion, ...metadata } = Object(at(there.body, 'metadata'))
  const body = {
    ...Object(there.body),
    metadata: isUnconditional ? metadata : { ...metadata, resourceVersion },
    status,
  }
  await stage.put(`${path}/status`, body, { show: statusIn })
}

const statuses: Case[] = [
  asking('a status that is missing, empty or half empty', async (stage) => {
    await define(stage)
    await putStatus(stage, undefined)
    await putStatus(stage, null)
    await putStatus(stage, {})
    await putStatus(stage, { conditions: [] })
    await putStatus(stage, { storedVersions: ['v1'] })
    await putStatus(stage, { storedVersions: [] })
    await stage.delete(definitionPath(stage), undefined, silent)
  }),
  asking('a status that is nonsense', async (stage) => {
    await define(stage)
    await putStatus(stage, { acceptedNames: { plural: 'Bad Name', kind: '9' } })
    await putStatus(stage, { storedVersions: 'v1' })
    await putStatus(stage, {}, true)
    await stage.delete(definitionPath(stage), undefined, silent)
  }),
  asking('a definition that is put without its resourceVersion', async (stage) => {
    const versions = [version('v1', { storage: true })]
    const body = definitionOf(groupOf(stage), 'Thing', { spec: {}, versions })
    await stage.post(CRDS, body, silent)
    await stage.put(definitionPath(stage), body)
    await stage.delete(definitionPath(stage), undefined, silent)
  }),
]

export const changedDefinitionsCases: Subject = {
  subject: 'changed definitions',
  cases: [...watches, ...statuses],
}
