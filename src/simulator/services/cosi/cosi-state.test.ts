import { fromBinary, toJson } from '@bufbuild/protobuf'
import { BinaryReader } from '@bufbuild/protobuf/wire'
import { StructSchema } from '@bufbuild/protobuf/wkt'
import { beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { configText } from '#simulator/fleet/a-fleet.cases.ts'
import { allOf, answerOf, answersOf } from '#simulator/services/a-call.cases.ts'
import { aMachine, type TestMachine } from '#simulator/services/a-machine.cases.ts'
import {
  type EventType,
  LabelTerm_Operation,
  State,
  type WatchOptions,
} from '#talos/generated/cosi/resource_pb.ts'
import { MachineConfigSpecSchema } from '#talos/generated/resource/config_pb.ts'
import { FakeClock } from '#test/fake-clock.ts'

const { get, list, watch, create } = State.method
const SERVICES = { namespace: 'runtime', type: 'Services.v1alpha1.talos.dev' }

let clock: FakeClock
let machine: TestMachine

beforeEach(() => {
  clock = new FakeClock()
  machine = aMachine(clock)
  put('apid', true)
  put('etcd', false, { role: 'store' })
})

function put(id: string, healthy: boolean, labels: Record<string, string> = {}): void {
  const spec = { running: true, healthy, unknown: false }
  machine.resources.put({ ...SERVICES, id, spec, labels: new Map(Object.entries(labels)) })
}

const calling = (...roles: string[]) => ({
  machine,
  clock,
  roles: roles.length ? roles : ['os:admin'],
})

/** The objects of a manifest, which are messages with one field in messages with one field. */
function itemsIn(bytes: Uint8Array = new Uint8Array()): unknown[] {
  const reader = new BinaryReader(bytes)
  const items: unknown[] = []
  while (reader.pos < reader.len) {
    reader.tag()
    const item = new BinaryReader(reader.bytes())
    item.tag()
    items.push(toJson(StructSchema, fromBinary(StructSchema, item.bytes())))
  }
  return items
}

describe('get and list', () => {
  test('a resource comes with its metadata, and its spec as YAML and as protobuf', async () => {
    const { resource } = await answerOf(get, { ...SERVICES, id: 'apid' }, calling('os:reader'))

    expect(resource?.metadata).toMatchObject({
      ...SERVICES,
      id: 'apid',
      version: '1',
      phase: 'running',
    })
    expect(parse(resource?.spec?.yamlSpec ?? '')).toEqual({
      running: true,
      healthy: true,
      unknown: false,
    })
    expect(Buffer.from(resource?.spec?.protoSpec ?? []).toString('hex')).toBe('080110011800')
  })

  test('what is not there is told in the words of COSI', async () => {
    await expect(answerOf(get, { ...SERVICES, id: 'x' }, calling())).rejects.toThrow(
      "resource Services.v1alpha1.talos.dev(runtime/x@undefined) doesn't exist",
    )
    await expect(
      answerOf(get, { namespace: 'runtime', type: 'X.y', id: 'x' }, calling()),
    ).rejects.toThrow('resource type "X.y" is not supported')
    await expect(
      answerOf(get, { ...SERVICES, namespace: 'q', id: 'x' }, calling()),
    ).rejects.toThrow('namespace "q" is not supported')
  })

  test('a type that came with a later version is not supported before', async () => {
    machine.talosVersion = 'v1.9.6'
    const request = { namespace: 'runtime', type: 'Versions.runtime.talos.dev', id: 'version' }

    await expect(answerOf(get, request, calling())).rejects.toMatchObject({
      code: 'PermissionDenied',
    })
  })

  test('sensitive resources are for those who may do everything, and nobody writes', async () => {
    const request = { namespace: 'config', type: 'MachineConfigs.config.talos.dev', id: 'v1alpha1' }

    await expect(answerOf(get, request, calling('os:operator'))).rejects.toThrow('not authorized')
    await expect(answerOf(get, request, calling())).rejects.toMatchObject({ code: 'NotFound' })
    await expect(answerOf(create, {}, calling())).rejects.toThrow('write access is not allowed')
  })

  test.each([
    ['v1.11.6', 'a: 1\n---\nb: 2\n', {}],
    ['v1.12.0', '|\n    a: 1\n    ---\n    b: 2\n', { 'talos.dev/yaml-spec': '1' }],
  ])('the configuration on %s is shown as %j, marked by %j', async (...given) => {
    const [talosVersion, shown, annotations] = given
    machine.talosVersion = talosVersion
    const place = { namespace: 'config', type: 'MachineConfigs.config.talos.dev', id: 'v1alpha1' }
    machine.resources.put({ ...place, spec: 'a: 1\n---\nb: 2\n' })

    const { resource } = await answerOf(get, place, calling())

    expect(resource?.spec?.yamlSpec).toBe(shown)
    expect(resource?.metadata?.annotations).toEqual(annotations)
    const spec = fromBinary(MachineConfigSpecSchema, resource?.spec?.protoSpec ?? new Uint8Array())
    expect(Buffer.from(spec.yamlMarshalled).toString()).toBe('a: 1\n---\nb: 2\n')
  })

  test('manifests are lists of objects, with what the configuration says now', async () => {
    const text = configText('controlplane').replace('kube-proxy:v1.35.0', 'kube-proxy:v1.35.1')
    machine.type = 'controlplane'
    machine.config = readConfig(text, { talosVersion: 'v1.13.0' })
    const config = { namespace: 'config', type: 'MachineConfigs.config.talos.dev', id: 'v1alpha1' }
    machine.resources.put({ ...config, spec: text })
    const type = { namespace: 'controlplane', type: 'Manifests.kubernetes.talos.dev' }

    const all = await allOf(answersOf(list, type, calling('os:reader')))
    const { resource } = await answerOf(get, { ...type, id: '10-kube-proxy' }, calling())

    expect(all.map((one) => one.resource?.metadata?.id)).toContain('11-core-dns')
    const objects: object[] = parse(resource?.spec?.yamlSpec ?? '')
    const image = 'registry.k8s.io/kube-proxy:v1.35.1'
    expect(objects.at(-1)).toMatchObject({
      ...{ apiVersion: 'apps/v1', kind: 'DaemonSet' },
      metadata: { name: 'kube-proxy', namespace: 'kube-system' },
      spec: { template: { spec: { containers: [{ image }] } } },
    })
    expect(itemsIn(resource?.spec?.protoSpec)).toEqual(objects)
  })

  test.each([
    [{ idQuery: { regexp: '^et' } }, ['etcd']],
    [{ labelQuery: [{ terms: [{ key: 'role', op: LabelTerm_Operation.EXISTS }] }] }, ['etcd']],
    [{ labelQuery: [{ terms: [{ key: 'role', op: LabelTerm_Operation.NOT_EXISTS }] }] }, ['apid']],
    [
      {
        labelQuery: [
          { terms: [{ key: 'role', op: LabelTerm_Operation.IN, value: ['store', 'x'] }] },
        ],
      },
      ['etcd'],
    ],
    [{ labelQuery: [{ terms: [{ key: 'role', op: LabelTerm_Operation.LT, value: ['a'] }] }] }, []],
  ])('%j finds %j', async (options, ids) => {
    const found = await allOf(answersOf(list, { ...SERVICES, options }, calling()))

    expect(found.map(({ resource }) => resource?.metadata?.id)).toEqual(ids)
  })

  test('an expression that is none is refused', async () => {
    const options = { idQuery: { regexp: '(' } }

    await expect(allOf(answersOf(list, { ...SERVICES, options }, calling()))).rejects.toMatchObject(
      {
        code: 'InvalidArgument',
      },
    )
  })
})

describe('watch', () => {
  interface Watched {
    readonly options?: Partial<Omit<WatchOptions, '$typeName' | '$unknown'>>
    readonly id?: string
    readonly apiVersion?: number
  }

  /** What a watch says: first how it begins, then, after changes, the rest. */
  async function told({ options = {}, ...request }: Watched, change: () => void, count: number) {
    const stop = new AbortController()
    const stream = answersOf(
      watch,
      { ...SERVICES, apiVersion: 1, ...request, options },
      { ...calling(), signal: stop.signal },
    )
    const hello = await stream.next()
    expect(hello.value?.event).toEqual([])
    change()
    const batches = []
    while (batches.flat().length < count) {
      const { value, done } = await stream.next()
      if (done) break
      batches.push(
        value.event.map(({ eventType, resource, bookmark }: Seen) => ({
          what: `${eventType} ${resource?.metadata?.id}`,
          bookmark,
        })),
      )
    }
    stop.abort()
    await stream.return(undefined)
    return batches
  }

  interface Seen {
    eventType: EventType
    resource?: { metadata?: { id: string } | undefined } | undefined
    bookmark?: Uint8Array | undefined
  }

  const whats = (batches: { what: string }[][]) =>
    batches.map((batch) => batch.map(({ what }) => what))

  test('of one resource begins with what it is, or with its absence', async () => {
    expect(whats(await told({ id: 'apid' }, () => put('apid', false), 2))).toEqual([
      ['0 apid'],
      ['1 apid'],
    ])
    expect(whats(await told({ id: 'new' }, () => put('new', true), 2))).toEqual([
      ['2 new'],
      ['0 new'],
    ])
  })

  test('of all begins with all if it is asked to, and says when that is all', async () => {
    const options = { bootstrapContents: true }

    expect(whats(await told({ options }, () => {}, 3))).toEqual([['0 apid'], ['0 etcd'], ['3 ']])
    expect(whats(await told({ options: { ...options, aggregated: true } }, () => {}, 3))).toEqual([
      ['0 apid', '0 etcd', '3 '],
    ])
    expect(
      whats(await told({ options, apiVersion: 0 }, () => put('x', true), 3)).flat(),
    ).not.toContain('3 ')
  })

  test('goes on from a bookmark, and not from one that is too old or of nobody', async () => {
    const [[first] = []] = await told({}, () => put('kubelet', true), 1)
    put('trustd', true)
    const startFromBookmark = first?.bookmark ?? new Uint8Array()

    expect(whats(await told({ options: { startFromBookmark } }, () => {}, 1))).toEqual([
      ['0 trustd'],
    ])
    machine.resources.clear()
    for (const bytes of [startFromBookmark, new Uint8Array([1])]) {
      await expect(
        told({ options: { startFromBookmark: bytes } }, () => {}, 1),
      ).rejects.toMatchObject({
        code: 'FailedPrecondition',
      })
    }
  })

  test('tells the last changes', async () => {
    put('a', true)
    put('b', true)

    expect(whats(await told({ options: { tailEvents: 2 } }, () => {}, 2))).toEqual([
      ['0 a'],
      ['0 b'],
    ])
  })

  test('of some tells of those that begin to match, and of those that end to', async () => {
    const labelQuery = [{ terms: [{ key: 'role', op: LabelTerm_Operation.EXISTS }] }]
    const stream = told({ options: { labelQuery } as never }, change, 2) // the init shape of a query is not the message's

    expect(whats(await stream)).toEqual([['0 apid'], ['2 etcd']])

    function change() {
      put('apid', true, { role: 'api' })
      put('etcd', false)
    }
  })

  test('of one resource takes no queries', async () => {
    await expect(
      told({ id: 'apid', options: { bootstrapContents: true } }, () => {}, 1),
    ).rejects.toMatchObject({
      code: 'Unimplemented',
    })
  })
})
