import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtinResources } from '#apiserver/builtin/resources.ts'
import { AGGREGATED, aggregatedCore, aggregatedGroups } from '#apiserver/discovery/aggregated.ts'
import { groupVersionOf } from '#apiserver/discovery/groups.ts'
import type { Fields } from '#apiserver/objects.ts'
import { atOnce } from '#apiserver/steps.ts'
import { builtinKindsFile } from '#scripts/generate/builtin-kinds.ts'
import {
  type RealKubernetes,
  startKubernetes,
} from '#test/conformance/kubernetes/real-kubernetes.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'
import { builtinSources } from './builtin-sources.ts'

const resources = builtinResources()
let kubernetes: RealKubernetes

beforeAll(async () => {
  kubernetes = await startKubernetes(await realPrograms(['etcd', 'kube-apiserver']))
})
afterAll(() => kubernetes?.[Symbol.asyncDispose]())

test('the table of built-in kinds is as the real kube-apiserver has them', async () => {
  const { path, content } = builtinKindsFile(await builtinSources(kubernetes.send))

  const committed = await readFile(join(import.meta.dirname, '../../..', path), 'utf8')
  expect(committed.split('\n')).toEqual(content.split('\n'))
})

test.each([
  ['/api', aggregatedCore(resources)],
  ['/apis', aggregatedGroups(resources)],
])('discovery of what we serve at %s is as the real one', async (path, ours) => {
  const { body } = await kubernetes.send({ method: 'GET', path, accept: AGGREGATED })

  expect(servedOf(body as Aggregated, ours as unknown as Aggregated)).toEqual(ours) // documents of one form
})

describe('what the real kube-apiserver answers is read as it is', () => {
  test.each(resources.filter(({ verbs }) => verbs.includes('list')))(
    '$group $version $plural',
    async ({ group, version, plural, kind, decode }) => {
      const apiVersion = groupVersionOf(group, version)
      const path = `/${group === '' ? 'api' : 'apis'}/${apiVersion}/${plural}`
      const { body } = await kubernetes.send({ method: 'GET', path })

      const { items } = body as { items: Fields[] | null } // the real API's words
      for (const item of items ?? []) {
        const object = { ...item, kind, apiVersion }
        expect(atOnce(decode(object))).toEqual({ object, unknown: [] })
      }
    },
  )
})

interface Aggregated {
  items: {
    metadata: { name?: string }
    versions: { version: string; resources: Resource[] }[]
  }[]
}

interface Resource {
  resource: string
  subresources?: { subresource: string }[]
}

/** Those groups, resources and subresources of a document that another has as well. */
function servedOf(real: Aggregated, ours: Aggregated): unknown {
  const known = new Set(ours.items.flatMap(namesIn))
  return {
    ...real,
    items: real.items
      .filter(({ metadata }) => known.has(`${metadata.name}`))
      .map(({ metadata, versions }) => ({
        metadata,
        versions: versions.map((one) => ({
          ...one,
          resources: one.resources
            .filter(({ resource }) => known.has(`${metadata.name} ${one.version} ${resource}`))
            .map((resource) => withoutUnknown(resource, known)),
        })),
      })),
  }
}

const namesIn = ({ metadata, versions }: Aggregated['items'][number]): string[] => [
  `${metadata.name}`,
  ...versions.flatMap(({ version, resources }) =>
    resources.flatMap(({ resource, subresources = [] }) => [
      `${metadata.name} ${version} ${resource}`,
      ...subresources.map(({ subresource }) => `${resource}/${subresource}`),
    ]),
  ),
]

function withoutUnknown({ subresources = [], ...rest }: Resource, known: Set<string>): Resource {
  const kept = subresources.filter((one) => known.has(`${rest.resource}/${one.subresource}`))
  return kept.length > 0 ? { ...rest, subresources: kept } : rest
}
