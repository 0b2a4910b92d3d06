import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BuiltinResource, builtinResources } from '#apiserver/builtin/resources.ts'
import { type Fields, fieldsAt, isFields, listAt, textAt } from '#apiserver/objects.ts'
import { decodeProtobuf, PROTOBUF } from '#apiserver/protobuf/decode.ts'
import { richObjects } from '#apiserver/protobuf/rich-objects.cases.ts'
import { atOnce } from '#apiserver/steps.ts'
import {
  type RealKubernetes,
  startKubernetes,
} from '#test/conformance/kubernetes/real-kubernetes.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'
import { readKubeconfig } from '#test/misbehaving/admin-kubeconfig.ts'
import { protobufMessagesFile, protoFiles } from './protobuf-sources.ts'

const protos = await protoFiles()
const resources = builtinResources().filter(({ verbs }) => verbs.includes('list'))

let kubernetes: RealKubernetes
let agent: Agent

beforeAll(async () => {
  kubernetes = await startKubernetes(await realPrograms(['etcd', 'kube-apiserver']))
  const { ca, certificate: cert, key } = await readKubeconfig(kubernetes.kubeconfig)
  agent = new Agent({ keepAlive: true, ca, cert, key })
})
afterAll(async () => {
  agent?.destroy()
  await kubernetes?.[Symbol.asyncDispose]()
})

test.runIf(protos)('the table of messages is as the protobuf sources have them', async () => {
  const { path, content } = protobufMessagesFile(protos ?? [])

  const committed = await readFile(join(import.meta.dirname, '../../..', path), 'utf8')
  expect(committed.split('\n')).toEqual(content.split('\n'))
})

test('what the real kube-apiserver answers in protobuf is what it answers in JSON', async () => {
  await createRichObjects()
  let compared = 0
  for (const resource of resources) {
    for (const item of await itemsOf(resource)) {
      const { json, protobuf } = await inBothForms(placeOf(resource, item))

      expect(atOnce(resource.decode(decodeProtobuf(protobuf, resource)))).toEqual({
        object: json,
        unknown: [],
      })
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(richObjects.length + 100)
}, 120_000)

async function createRichObjects(): Promise<void> {
  // There is no controller to make it, and no pod without it.
  await kubernetes.send({
    method: 'POST',
    path: '/api/v1/namespaces/default/serviceaccounts',
    body: { metadata: { name: 'default' } },
  })
  // The selector of a job is made of its uid, so it cannot be made again as it was.
  for (const { json } of richObjects.filter(({ kind }) => kind !== 'Job')) {
    const object: Fields = JSON.parse(json)
    const { resourceVersion, uid, creationTimestamp, deletionTimestamp, ...metadata } = fieldsAt(
      object,
      'metadata',
    )
    const given = {
      ...object,
      metadata: { ...metadata, ...(metadata.namespace !== undefined && { namespace: 'default' }) },
    }
    const resource = resources.find(
      (one) => one.kind === object.kind && apiVersionOf(one) === object.apiVersion,
    )
    if (!resource) throw new Error(`there is no resource for ${object.kind}`)
    const path = placeOf(resource, given).replace(/\/[^/]*$/, '')
    const { status, body } = await kubernetes.send({ method: 'POST', path, body: given })
    expect(status, JSON.stringify(body)).toBe(201)
  }
}

const apiVersionOf = ({ group, version }: BuiltinResource): string =>
  group === '' ? version : `${group}/${version}`

const rootOf = (resource: BuiltinResource): string =>
  `/${resource.group === '' ? 'api' : 'apis'}/${apiVersionOf(resource)}`

function placeOf(resource: BuiltinResource, object: Fields): string {
  const metadata = fieldsAt(object, 'metadata')
  const namespace = resource.namespaced ? `/namespaces/${textAt(metadata, 'namespace')}` : ''
  const name = encodeURIComponent(textAt(metadata, 'name') ?? '')
  return `${rootOf(resource)}${namespace}/${resource.plural}/${name}`
}

async function itemsOf(resource: BuiltinResource): Promise<Fields[]> {
  const list = await jsonOf(`${rootOf(resource)}/${resource.plural}`)
  return listAt(list, 'items').filter(isFields)
}

/** At the same version: the API server renews objects of its own. */
async function inBothForms(path: string): Promise<{ json: Fields; protobuf: Buffer }> {
  const before = await jsonOf(path)
  const protobuf = await protobufOf(path)
  const json = await jsonOf(path)
  return isDeepStrictEqual(before, json) ? { json, protobuf } : inBothForms(path)
}

async function jsonOf(path: string): Promise<Fields> {
  const { status, body } = await kubernetes.send({ method: 'GET', path })
  expect(status, path).toBe(200)
  return isFields(body) ? body : {}
}

async function protobufOf(path: string): Promise<Buffer> {
  const outgoing = request(new URL(path, kubernetes.url), { agent, headers: { accept: PROTOBUF } })
  outgoing.end()
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
  if (!incoming) throw new Error(`${path} was not answered`)
  const bytes = await buffer(incoming)
  expect(incoming.statusCode, path).toBe(200)
  return bytes
}
