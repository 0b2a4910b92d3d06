import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigMap } from '#api/foreign.ts'
import { apiVersionOf } from '#api/meta.ts'
import { exitCodeFor, type MachineDiff, type Report, summaryOf } from '#cli/diff-report.ts'
import { reportOn } from '#cli/diff-report-on.ts'
import { diffJson, diffText } from '#cli/diff-text.ts'
import { deedsSince } from './a-control-plane.ts'
import { QUICK } from './manifests.ts'
import type { Manifest } from './objects.ts'
import { endedWithoutDeeds, type Onlooker } from './onlooker.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { secretTexts } from './secret-texts.ts'
import { untilReady } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 240_000

let world: World
let onlooker: Onlooker
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.90', machines: 6, versions: QUICK })
  await world.objects.apply(world.cluster('one', [1], [2, 3]))
  await untilReady(world, 'one')
  onlooker = await world.onlooker()
}, LONG)
afterAll(() => endedWithoutDeeds(onlooker, world))

type Given = Parameters<typeof reportOn>[0][number] & { spec?: object }

const diff = (...objects: Given[]): Promise<Report> =>
  reportOn(objects, { ...onlooker, isMetaWritten: false })

type Part = 'controlPlane' | 'worker'

/** The cluster that is there, with something else in the spec of one of its parts. */
function edited(part: Part, change: object) {
  const { spec, ...cluster } = world.cluster('one', [1], [2, 3])
  return { ...cluster, spec: { ...spec, [part]: { ...spec[part], ...change } } }
}

/** With patches for all machines of a part. */
function patched(part: Part, ...configPatches: object[]) {
  const { metalSpec } = world.cluster('one', [1], [2, 3]).spec[part] ?? {}
  return edited(part, { metalSpec: { ...metalSpec, machineSpec: { configPatches } } })
}

const onMachine = (number: number) => ({ machines: [{ address: world.address(number) }] })

const machinesIn = ({ objects }: Report): MachineDiff[] =>
  objects.flatMap(({ machines }) => machines)
const namesIn = (report: Report): string[] => machinesIn(report).map(({ name }) => name)
const named = (...numbers: number[]): string[] => numbers.map((at) => `one-${world.address(at)}`)

test('nothing would change by what is there', async () => {
  const report = await diff(world.cluster('one', [1], [2, 3]))

  expect(diffText(report)).toBe(
    [
      'TalosCluster default/one stays as it is\n',
      'TalosControlPlane default/one stays as it is\n',
      'TalosWorker default/one stays as it is\n',
      'no machine changes\n',
    ].join('\n'),
  )
  expect(exitCodeFor(report)).toBe(0)
})

describe('of a machine that runs', () => {
  test('a label is changed as it runs', async () => {
    const report = await diff(patched('worker', { machine: { nodeLabels: { tier: 'web' } } }))

    expect(diffText(report)).toBe(
      [
        'TalosCluster default/one changes: spec.worker.metalSpec.machineSpec',
        '',
        'TalosControlPlane default/one stays as it is',
        '',
        'TalosWorker default/one changes: spec.metalSpec.machineSpec',
        '  one machine at a time:',
        `  1. one-${world.address(2)} at ${world.address(2)} is changed as it runs`,
        '       v1alpha1',
        '         + machine.nodeLabels:',
        '         +   tier: web',
        `  2. one-${world.address(3)} at ${world.address(3)} is changed as it runs`,
        `     the same changes as of one-${world.address(2)}`,
        '',
        '2 machines change\n',
      ].join('\n'),
    )
    expect(exitCodeFor(report)).toBe(1)
  })

  test('what needs a reboot is told apart from the rest', async () => {
    const kernel = { modules: [{ name: 'nbd' }] }
    const install = { extraKernelArgs: ['quiet'] }
    const udev = { rules: ['a'] }
    const text = diffText(
      await diff(patched('controlPlane', { machine: { kernel, install, udev } })),
    )

    expect(text).toContain(`one-${world.address(1)} at ${world.address(1)} is changed, and reboots`)
    expect(text).toContain('the reboot is for machine.udev\n')
    expect(text).toContain('with the next installation or upgrade: machine.install.extraKernelArgs')
    expect(text).toMatch(/\n1 machine changes \(1 reboot\)\n$/)
  })

  test('what its control plane says of the cluster changes a worker, too', async () => {
    const report = await diff(edited('controlPlane', { podCIDR: ['10.9.0.0/16'] }))

    expect(namesIn(report)).toEqual(named(1, 2, 3))
    expect(diffText(report)).toContain('"10.9.0.0/16"')
  })

  test('another Talos is an upgrade, the control plane first', async () => {
    const { spec, ...cluster } = edited('controlPlane', { version: 'v1.7.0' })
    const worker = { ...spec.worker, version: 'v1.7.0' }
    const report = await diff({ ...cluster, spec: { ...spec, worker } })

    const machines = machinesIn(report)
    expect(machines.map(({ name }) => name)).toEqual(named(1, 2, 3))
    expect(machines).toMatchObject(
      machines.map(() => ({ effort: 'upgrade', upgrade: { from: QUICK.talos, to: 'v1.7.0' } })),
    )
    expect(summaryOf(report)).toMatchObject({ changed: 3, reboots: 3 })
  })

  test.each([
    ['v1.6.0', 'DowngradeRefused'],
    ['v1.10.0', 'UpgradePathUnsupported'],
  ])('Talos %s is not for it: %s', async (version, reason) => {
    const report = await diff(edited('controlPlane', { version }))

    expect(machinesIn(report)).toMatchObject([{ name: named(1)[0], problem: { reason } }])
    expect(exitCodeFor(report)).toBe(2)
  })

  test('another Kubernetes is an upgrade, which its machines follow step by step', async () => {
    const report = await diff(edited('controlPlane', { kubeVersion: 'v1.29.8' }))

    expect(machinesIn(report)).toEqual([])
    expect(report.objects.flatMap(({ notes }) => notes)).toEqual([
      {
        reason: 'KubernetesUpgrade',
        message: expect.stringMatching(
          /^from v1\.29\.7 to v1\.29\.8, without a reboot .*step by step/,
        ),
      },
    ])
    expect(exitCodeFor(report)).toBe(1)
  })

  test('one that is silent is compared with what it should have', { timeout: LONG }, async () => {
    const heard = world.fault('unreachable', 2)
    const report = await diff(patched('worker', { machine: { nodeLabels: { tier: 'web' } } }))
    heard()

    expect(machinesIn(report)).toMatchObject([
      {
        comparedWith: 'objects',
        unseen: expect.stringContaining(world.address(2)),
        effort: 'live',
      },
      { comparedWith: 'machine', effort: 'live' },
    ])
    expect(diffText(report)).toContain('it did not say what it has, so this is compared with')
  })
})

test('a new cluster is added machine by machine', async () => {
  const report = await diff(world.cluster('two', [4], [5]))

  expect(machinesIn(report)).toMatchObject([
    { do: 'add', name: `two-${world.address(4)}`, role: 'control plane', version: QUICK.talos },
    { do: 'add', name: `two-${world.address(5)}`, role: 'worker' },
  ])
  expect(report.objects.map(({ change }) => change)).toEqual(['created', 'created', 'created'])
  expect(diffText(report)).toMatch(
    /on a disk that is picked when it answers\n\n2 machines are added\n$/,
  )
})

test('a worker that goes with its pool, which a cluster does not want any more', async () => {
  const report = await diff(world.cluster('one', [1], []))

  expect(report.objects.map(({ change }) => change)).toEqual(['changed', 'none', 'removed'])
  expect(machinesIn(report)).toMatchObject(named(2, 3).map((name) => ({ do: 'remove', name })))
})

test('whom the endpoint leads to does not go, whoever comes', async () => {
  const report = await diff(edited('controlPlane', { metalSpec: onMachine(4) }))

  expect(machinesIn(report)).toMatchObject([
    { do: 'add', address: world.address(4) },
    { do: 'remove', address: world.address(1), problem: { reason: 'EndpointOnMachine' } },
  ])
  expect(diffText(report)).toMatch(/\n1 machine is added, 1 cannot be as it should\n$/)
})

describe('what is wrong', () => {
  test('with a spec is said in the words of the operator', async () => {
    const report = await diff(patched('worker', { machine: { nodeLabel: {} } }))

    expect(report.objects.map(({ problem }) => problem?.reason)).toEqual([
      ...[undefined, undefined, 'ConfigInvalid'],
    ])
    expect(diffText(report)).toMatch(/nothing is done for it: ConfigInvalid: .*nodeLabel/)
    expect(diffText(report)).toMatch(/\nno machine changes, 1 object is wrong\n$/)
    expect(exitCodeFor(report)).toBe(2)
  })

  test('with the secrets of a new cluster is tried without any', async () => {
    const { spec, ...cluster } = world.cluster('two', [4], [])
    const machineSpec = { configPatches: [{ machine: { nodeLabel: {} } }] }
    const metalSpec = { ...spec.controlPlane.metalSpec, machineSpec }
    const controlPlane = { ...spec.controlPlane, metalSpec }
    const report = await diff({ ...cluster, spec: { ...spec, controlPlane } })

    expect(report.objects[1]?.problem).toMatchObject({ reason: 'ConfigInvalid' })
  })

  test('with the old form of machines is shown in the right one', async () => {
    const report = await diff(edited('worker', { metalSpec: { machines: ['192.0.2.1'] } }))

    expect(report).toMatchObject({ objects: [], refused: [{ kind: 'TalosCluster', name: 'one' }] })
    expect(diffText(report)).toContain('  machines:\n    - address: 192.0.2.1\n')
    expect(exitCodeFor(report)).toBe(2)
  })

  test('with a rule of the schema is said by the API', async () => {
    const report = await diff(edited('controlPlane', { metalSpec: { machines: [] } }))

    expect(report.refused[0]?.message).toContain("Machines is required when mode is 'metal'")
  })
})

test('what is of no kind that machines follow from is not looked at', async () => {
  const place = { name: 'other', namespace: 'default' }
  const service = { apiVersion: 'v1', kind: 'Service', metadata: place }
  const configMap = { apiVersion: apiVersionOf(ConfigMap), kind: ConfigMap.kind, metadata: place }
  const report = await diff(service, configMap)

  expect(report).toEqual({
    ...{ objects: [], refused: [], notLookedAt: ['Service other', 'ConfigMap other'] },
  })
  expect(exitCodeFor(report)).toBe(0)
})

test('what a TalosCluster makes, it makes again', async () => {
  const report = await diff(controlPlaneIn(world, 'one', [1, 4, 5]))

  expect(machinesIn(report)).toEqual([])
  expect(report.objects[0]?.notes).toMatchObject([{ reason: 'MadeByCluster' }])
})

test('a pool by itself joins the control plane that is there', async () => {
  const report = await diff(workerIn(world, { name: 'more', joins: 'one', machines: [6] }))

  expect(report.objects).toMatchObject([
    { kind: 'TalosWorker', name: 'more', cluster: 'one', change: 'created' },
  ])
  expect(namesIn(report)).toEqual([`more-${world.address(6)}`])
})

test('no secret is shown, of the cluster or of a user', async () => {
  const password = 'a-password-of-a-registry'
  const registries = { config: { 'registry.example': { auth: { username: 'me', password } } } }
  const files = [{ path: '/var/a', op: 'create', permissions: 0o600, content: 'a-text-in-a-file' }]
  const given = patched('worker', {
    machine: { registries, files, token: 'abcdef.0123456789abcdef' },
  })
  const report = await diff(given)

  expect(report.objects.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined])
  const shown = diffText(report) + diffJson(report)
  expect(shown).toContain('registry.example')
  const secrets = [password, 'a-text-in-a-file', 'abcdef.0123456789abcdef']
  const all = [...secrets, ...(await secretTexts(world))]
  expect(all.length).toBeGreaterThan(10)
  expect(all.filter((text) => shown.includes(text))).toEqual([])
})

/** What machines were told, in order, once the operator has done what it is asked for. */
async function done(wanted: Given & Manifest): Promise<string[]> {
  const before = world.history.length
  await world.objects.apply(wanted)
  await world.until('it to be done', async () => {
    const report = await diff(wanted)
    return report.objects.every(({ notes, machines }) => notes.length + machines.length === 0)
  })
  return deedsSince(world, before)
}

test('what it says is what is done: machines come and go', { timeout: LONG }, async () => {
  const wanted = world.cluster('one', [1], [3, 6])
  const report = await diff(wanted)
  expect(machinesIn(report).map((machine) => [machine.do, machine.address])).toEqual([
    ['add', world.address(6)],
    ['remove', world.address(2)],
  ])

  expect(await done(wanted)).toEqual([
    `configuration.apply ${world.address(6)} done`,
    `reset ${world.address(2)} done`,
  ])
})

test('what it says is what is done: machines are changed', { timeout: LONG }, async () => {
  const { spec, ...cluster } = world.cluster('one', [1], [3, 6])
  const machineSpec = { configPatches: [{ machine: { nodeLabels: { tier: 'web' } } }] }
  const labelled = (pool: { metalSpec: object } | undefined) => ({
    ...{ ...pool, metalSpec: { ...pool?.metalSpec, machineSpec } },
  })
  const parts = { controlPlane: labelled(spec.controlPlane), worker: labelled(spec.worker) }
  const wanted = { ...cluster, spec: parts }
  const report = await diff(wanted)
  expect(machinesIn(report)).toMatchObject(
    [1, 3, 6].map((at) => ({ address: world.address(at), effort: 'live' })),
  )

  expect(await done(wanted)).toEqual(
    [1, 3, 6].map((at) => `configuration.apply ${world.address(at)} done`),
  )
})
