import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { AClient, AMachine, aCluster, serveOne } from '#talos/a-machine.cases.ts'
import { EventType, type ResourceSchema, State } from '#talos/generated/cosi/resource_pb.ts'
import { MachineConfigSpecSchema } from '#talos/generated/resource/config_pb.ts'
import type { TalosMachine } from '#talos/machine.ts'
import { status } from '#talos/status.ts'
import { machineStatuses } from './machine-kinds.ts'
import { isBookmarkTooOld, type ResourceEvent } from './watch.ts'

const cluster = aCluster()

type Init = MessageInitShape<typeof ResourceSchema>

const resource = (id: string, yamlSpec: string): Init => ({
  metadata: { namespace: 'n', type: 't', id, version: '7', phase: 'running' },
  spec: { yamlSpec },
})

async function asking<Result>(
  serve: ReturnType<typeof serveOne>,
  ask: (machine: TalosMachine) => Promise<Result>,
): Promise<Result> {
  await using server = await AMachine.start({ of: cluster, serve })
  using client = new AClient()
  return await ask(client.machine(server.target(cluster.access)))
}

const got = (found: Init) => serveOne(State.method.get, { messages: [{ resource: found }] })
const listed = (...found: Init[]) =>
  serveOne(State.method.list, { messages: found.map((one) => ({ resource: one })) })

const config: Init = {
  metadata: { id: 'v1alpha1', version: '3' },
  spec: {
    protoSpec: toBinary(
      MachineConfigSpecSchema,
      create(MachineConfigSpecSchema, { yamlMarshalled: Buffer.from('version: v1alpha1\n') }),
    ),
    yamlSpec: '|\n  version: v1alpha1\n',
  },
}

interface Reading {
  name: string
  serve: ReturnType<typeof serveOne>
  read: (machine: TalosMachine) => Promise<unknown>
  result: unknown
}

const readings: Reading[] = [
  {
    name: 'state.status',
    serve: got(
      resource(
        'machine',
        'stage: booting\nstatus:\n    ready: false\n    unmetConditions:\n        - name: services\n          reason: etcd\n',
      ),
    ),
    read: ({ state }) => state.status(),
    result: {
      stage: 'booting',
      isReady: false,
      unmetConditions: [{ name: 'services', reason: 'etcd' }],
    },
  },
  {
    name: 'state.configuration',
    serve: got(config),
    read: async ({ state }) => {
      const found = await state.configuration('persistent')
      return [found?.text.open(), found?.version]
    },
    result: ['version: v1alpha1\n', '3'],
  },
  {
    name: 'state.machineType',
    serve: got(resource('machine-type', 'controlplane\n')),
    read: ({ state }) => state.machineType(),
    result: 'controlplane',
  },
  {
    name: 'state.version',
    serve: got(resource('version', 'version: v1.13.0\n')),
    read: ({ state }) => state.version(),
    result: 'v1.13.0',
  },
  {
    name: 'state.extensions',
    serve: listed(
      resource('0', 'image: a\nmetadata:\n    name: gvisor\n    version: "1"\n'),
      resource('1', 'metadata:\n    name: schematic\n    version: abc\n'),
    ),
    read: ({ state }) => state.extensions(),
    result: [{ name: 'gvisor', version: '1' }],
  },
  {
    name: 'state.schematic',
    serve: listed(resource('1', 'metadata:\n    name: schematic\n    version: abc\n')),
    read: ({ state }) => state.schematic(),
    result: 'abc',
  },
  {
    name: 'state.systemInformation',
    serve: got(resource('systeminformation', 'manufacturer: QEMU\nuuid: 1-2\n')),
    read: ({ state }) => state.systemInformation(),
    result: { manufacturer: 'QEMU', uuid: '1-2' },
  },
  {
    name: 'state.disks',
    serve: listed(resource('sda', 'dev_path: /dev/sda\nsize: 10737418240\nsymlinks: null\n')),
    read: ({ state }) => state.disks(),
    result: [{ id: 'sda', dev_path: '/dev/sda', size: 10_737_418_240, symlinks: null }],
  },
  {
    name: 'state.systemDisk',
    serve: got(resource('system-disk', 'diskID: sda\ndevPath: /dev/sda\n')),
    read: ({ state }) => state.systemDisk(),
    result: { diskID: 'sda', devPath: '/dev/sda' },
  },
  {
    name: 'state.service',
    serve: got(resource('etcd', 'running: true\nhealthy: true\nunknown: false\n')),
    read: ({ state }) => state.service('etcd'),
    result: { running: true, healthy: true, unknown: false },
  },
  {
    name: 'state.diagnostics',
    serve: listed(resource('a', 'message: hot\ndetails:\n    - very\n')),
    read: ({ state }) => state.diagnostics(),
    result: [{ id: 'a', message: 'hot', details: ['very'] }],
  },
  {
    name: 'state.timeStatus',
    serve: got(resource('node', 'synced: true\nepoch: 1\nsyncDisabled: false\n')),
    read: ({ state }) => state.timeStatus(),
    result: { synced: true, epoch: 1, syncDisabled: false },
  },
  {
    name: 'state.securityState',
    serve: got(resource('securitystate', 'secureBoot: true\n')),
    read: ({ state }) => state.securityState(),
    result: { secureBoot: true },
  },
  {
    name: 'state.platformMetadata',
    serve: got(resource('platformmetadata', 'platform: metal\nspot: false\n')),
    read: ({ state }) => state.platformMetadata(),
    result: { platform: 'metal', spot: false },
  },
  {
    name: 'state.unattendedInstallStatus',
    serve: got(resource('unattended-install', 'phase: failed\nerror: no disk\n')),
    read: ({ state }) => state.unattendedInstallStatus(),
    result: { phase: 'failed', error: 'no disk' },
  },
  {
    name: 'state.isRebootRequested',
    serve: got(resource('reboot-request', '{}\n')),
    read: ({ state }) => state.isRebootRequested(),
    result: true,
  },
  {
    name: 'state.metaKey',
    serve: got(resource('0x0a', 'value: x\n')),
    read: ({ state }) => state.metaKey(10),
    result: 'x',
  },
  {
    name: 'cluster.members',
    serve: listed(resource('cp-1', 'nodeId: n\naddresses:\n    - 10.0.0.2\nhostname: cp-1\n')),
    read: (machine) => machine.cluster.members(),
    result: [{ id: 'cp-1', nodeId: 'n', addresses: ['10.0.0.2'], hostname: 'cp-1' }],
  },
  {
    name: 'cluster.nodeAddresses',
    serve: got(resource('current', 'addresses:\n    - 10.0.0.2/24\n')),
    read: (machine) => machine.cluster.nodeAddresses(),
    result: ['10.0.0.2/24'],
  },
  {
    name: 'cluster.hostname',
    serve: got(resource('hostname', 'hostname: cp-1\ndomainname: ""\n')),
    read: (machine) => machine.cluster.hostname(),
    result: { hostname: 'cp-1', domainname: '' },
  },
  {
    name: 'cluster.etcdMemberId',
    serve: got(resource('local', 'memberID: f000000000000001\n')),
    read: (machine) => machine.cluster.etcdMemberId(),
    result: 0xf000000000000001n,
  },
  {
    name: 'cluster.nodename',
    serve: got(resource('nodename', 'nodename: cp-1\n')),
    read: (machine) => machine.cluster.nodename(),
    result: 'cp-1',
  },
  {
    name: 'cluster.nodeStatus',
    serve: got(resource('cp-1', 'nodename: cp-1\nnodeReady: true\nunschedulable: false\n')),
    read: (machine) => machine.cluster.nodeStatus('cp-1'),
    result: { nodename: 'cp-1', nodeReady: true, unschedulable: false },
  },
  {
    name: 'cluster.staticPods',
    serve: listed(
      resource(
        'kube-system/a',
        'phase: Running\nconditions:\n    - type: Ready\n      status: "True"\n',
      ),
    ),
    read: (machine) => machine.cluster.staticPods(),
    result: [
      { id: 'kube-system/a', phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    ],
  },
  {
    name: 'cluster.component',
    serve: got(resource('kube-apiserver', 'image: i:v1\nextraArgs: {}\n')),
    read: (machine) => machine.cluster.component('kube-apiserver'),
    result: { image: 'i:v1', version: '7' },
  },
  {
    name: 'cluster.manifests',
    serve: listed(
      resource('11-core-dns', 'null\n'),
      resource(
        '05-flannel',
        '- apiVersion: v1\n  kind: Namespace\n  metadata:\n    creationTimestamp: null\n    name: one\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: two\n    namespace: one\n  data:\n    port: "1"\n',
      ),
      resource('10-kube-proxy', '[]\n'),
    ),
    read: (machine) => machine.cluster.manifests(),
    result: [
      {
        id: '05-flannel',
        objects: [
          {
            apiVersion: 'v1',
            kind: 'Namespace',
            metadata: { name: 'one', creationTimestamp: null },
          },
          {
            ...{ apiVersion: 'v1', kind: 'ConfigMap', data: { port: '1' } },
            metadata: { name: 'two', namespace: 'one' },
          },
        ],
      },
      { id: '10-kube-proxy', objects: [] },
      { id: '11-core-dns', objects: [] },
    ],
  },
]

test.each(readings)('$name reads what the machine has', async ({ serve, read, result }) => {
  expect(await asking(serve, read)).toEqual(result)
})

test('every reading is in the table', async () => {
  using client = new AClient()
  const machine = client.machine({ address: '127.0.0.1', access: { kind: 'maintenance' } })

  const names = [
    ...Object.keys(machine.state).map((name) => `state.${name}`),
    ...Object.keys(machine.cluster).map((name) => `cluster.${name}`),
  ]
  expect(readings.map(({ name }) => name).sort()).toEqual(names.sort())
})

test.each(readings)('$name of a machine that is too old is not supported', async ({ read }) => {
  const error = {
    code: status.PERMISSION_DENIED,
    details: 'resource type "X.talos.dev" is not supported',
  }
  const serve = (on: Parameters<ReturnType<typeof serveOne>>[0]) => {
    serveOne(State.method.get, { error })(on)
    serveOne(State.method.list, { error })(on)
  }

  await expect(asking(serve, read)).rejects.toMatchObject({ outcome: 'not-supported' })
})

test('what is not there is undefined', async () => {
  const error = { code: status.NOT_FOUND, details: 'resource does not exist' }

  const found = await asking(serveOne(State.method.get, { error }), ({ state }) => state.status())

  expect(found).toBeUndefined()
})

test('a list that is too large to be kept is refused', async () => {
  const kind = { type: 't', namespace: 'n', decode: () => undefined }
  const spec = { protoSpec: Buffer.alloc(16 * 1024 * 1024) }
  const large = Array.from({ length: 5 }, () => ({ spec }))

  await expect(
    asking(listed(...large), ({ resources }) => resources.list(kind)),
  ).rejects.toMatchObject({ outcome: 'refused' })
})

const anObject = (name: string) =>
  `- apiVersion: v1\n  kind: Secret\n  metadata:\n    name: ${name}\n  data:\n    token: hidden\n`

test.each([
  ['objects', Array.from({ length: 2 }, (_, i) => resource(`${i}`, anObject('a').repeat(251)))],
  ['resources', Array.from({ length: 501 }, (_, i) => resource(`${i}`, '[]\n'))],
  [
    'bytes',
    Array.from({ length: 9 }, (_, i) => ({ ...resource(`${i}`, `# ${'x'.repeat(1 << 20)}`) })),
  ],
])('manifests of more %s than anybody has are refused', async (_what, found) => {
  const failure = asking(listed(...found), (machine) => machine.cluster.manifests())

  await expect(failure).rejects.toMatchObject({ outcome: 'refused' })
})

test.each([
  ['no objects', 'token: hidden\n', 'at its root'],
  ['an object without a name', '- apiVersion: v1\n  kind: Secret\n  data: hidden\n', 'at '],
])('manifests with %s are told, and not shown', async (_what, yaml, why) => {
  const failure = await asking(listed(resource('05-flannel', yaml)), (machine) =>
    machine.cluster.manifests().catch((error: unknown) => error),
  )

  expect(failure).toMatchObject({ outcome: 'lost', message: expect.stringContaining(why) })
  expect(String(failure)).not.toContain('hidden')
})

test('a resource is asked for by its namespace, type and id', async () => {
  const asked: unknown[] = []
  const serve = serveOne(State.method.get, { messages: [{}] }, asked)

  await asking(serve, ({ state }) => state.status())

  expect(asked).toMatchObject([
    { namespace: 'runtime', type: 'MachineStatuses.runtime.talos.dev', id: 'machine' },
  ])
})

test.each([
  ['another form', 'stage: 5\nstatus:\n    ready: true\nhidden: x\n', 'at /stage'],
  ['no YAML', 'stage: [hidden\n', 'while parsing a flow sequence at line 1'],
  ['too long a text', `stage: "${'x'.repeat(5 * 1024 * 1024)}"`, 'longer than 4 MiB'],
])('a resource of %s is told, and not shown', async (_what, yaml, why) => {
  const failure = await asking(got(resource('machine', yaml)), ({ state }) =>
    state.status().catch((error: unknown) => error),
  )

  expect(failure).toMatchObject({ outcome: 'lost', message: expect.stringContaining(why) })
  expect(String(failure)).not.toContain('hidden')
})

const watched = (machine: TalosMachine, from = {}) =>
  machine.resources.watch(machineStatuses, from)[Symbol.asyncIterator]()

const state = (stage: string) => resource('machine', `stage: ${stage}\nstatus:\n    ready: true\n`)

test('a watch tells each change, with a bookmark, after it was told that it is watched', async () => {
  const asked: unknown[] = []
  const bookmark = Buffer.from('b')
  const serve = serveOne(
    State.method.watch,
    {
      messages: [
        {},
        {
          event: [
            { eventType: EventType.CREATED, resource: state('booting') },
            { eventType: EventType.BOOTSTRAPPED },
          ],
        },
        { event: [{ eventType: EventType.UPDATED, resource: state('running'), bookmark }] },
        { event: [{ eventType: EventType.NOOP, bookmark }] },
        { event: [{ eventType: EventType.DESTROYED, resource: { metadata: { id: 'machine' } } }] },
      ],
    },
    asked,
  )

  const events = await asking(serve, async (machine) => {
    const seen: ResourceEvent<unknown>[] = []
    const from = { contents: true, bookmark: Buffer.from('a') }
    for await (const event of machine.resources.watch(machineStatuses, from)) seen.push(event)
    return seen
  })

  expect(events).toMatchObject([
    { kind: 'created', resource: { id: 'machine', spec: { stage: 'booting' } } },
    { kind: 'bootstrapped' },
    { kind: 'updated', resource: { spec: { stage: 'running' } }, bookmark },
    { kind: 'unchanged', bookmark },
    { kind: 'destroyed', resource: { id: 'machine' } },
  ])
  expect(asked).toMatchObject([
    {
      namespace: 'runtime',
      apiVersion: 1,
      options: { bootstrapContents: true, startFromBookmark: Buffer.from('a') },
    },
  ])
})

test('a watch that fails inside the machine ends with its words', async () => {
  const error = 'buffer overrun'
  const serve = serveOne(State.method.watch, {
    messages: [{ event: [{ eventType: EventType.ERRORED, error }] }],
  })

  const failure = asking(serve, (machine) => watched(machine, { id: 'machine' }).next())

  await expect(failure).rejects.toMatchObject({
    outcome: 'lost',
    message: expect.stringContaining(error),
  })
})

test('a bookmark that is too old is told from other refusals', async () => {
  const refused = (code: number) =>
    asking(serveOne(State.method.watch, { error: { code, details: 'no' } }), (machine) =>
      watched(machine)
        .next()
        .catch((error: unknown) => error),
    )

  expect(isBookmarkTooOld(await refused(status.FAILED_PRECONDITION))).toBe(true)
  expect(isBookmarkTooOld(await refused(status.INTERNAL))).toBe(false)
})
