import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigMap, Event, Secret } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { apiVersionOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { strangeShape } from '#controllers/kubernetes-cluster/foreign-shape.ts'
import { readSecrets } from '#engine/cluster-secrets.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { unclearLines } from './lines-of-passes.ts'
import { conditionOf, sampleOf, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.62', machines: 0 })
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

const shaped = (name: string, spec: object = {}) => ({
  apiVersion: apiVersionOf(KubernetesCluster),
  kind: KubernetesCluster.kind,
  metadata: { name },
  spec: {
    ...{ kubernetesVersion: 'v1.29.7', talosVersion: 'v1.6.7' },
    ...{ clusterEndpoint: `https://${name}.example.com`, controlPlane: { replicas: 1 } },
    ...spec,
  },
})

const statusOf = async (name: string) => (await world.objects.find(KubernetesCluster, name))?.status
const says = (name: string, type: string, reason: string) =>
  untilSays(world, [KubernetesCluster, name], { type, reason })
const errors = (code: string) =>
  sampleOf(
    world,
    `talos_operator_reconciliation_errors_total{controller="KubernetesCluster",error_type="${code}"}`,
  )
const failedFiles = (operation: string) =>
  sampleOf(world, `talos_operator_file_operations_total{operation="${operation}",status="failure"}`)
const eventsAbout = async (name: string) =>
  (await world.objects.list(Event)).filter(({ regarding }) => regarding?.name === name)

test('R32, R41, R50: MachineCreationError: condition, metric and event, tried again with longer and longer pauses', {
  timeout: LONG,
}, async () => {
  // The server refuses what a template may say: it has rules for Machines, and none for templates.
  const template = { spec: { cpu: { cores: 1000 } } }
  await world.objects.apply(
    shaped('refused', { controlPlane: { replicas: 1, machineTemplate: template } }),
  )
  const why = await says('refused', 'MachinesCreated', 'CreationFailed')
  await world.pass(1)
  const tries = await errors('MachineCreationError')

  expect(why).toContain('Machine refused-cp-0')
  expect(why).toContain('spec.cpu.cores')
  expect(await conditionOf(world, [KubernetesCluster, 'refused'], 'Ready')).toMatchObject({
    ...{ status: 'False', reason: 'CreationFailed' },
  })
  // A8: accepted, and nothing is created yet.
  expect(await statusOf('refused')).toMatchObject({ phase: 'Pending', machineCount: 0 })
  expect(await sampleOf(world, 'talos_operator_clusters_total{phase="Pending"}')).toBe(1)
  // A23: only what was created is counted.
  expect(await world.metrics()).not.toContain('talos_operator_machines_generated{')
  // 1, 2, 4, 8, 16, 32 s: six or seven of them in a minute.
  expect(tries).toBeGreaterThanOrEqual(5)
  expect(tries).toBeLessThanOrEqual(8)
  expect((await eventsAbout('refused')).map(({ reason }) => reason)).toContain(
    'MachineCreationError',
  )
})

test('A8: a cluster whose Machines cannot be created however often it is tried has failed, until an edit', {
  timeout: LONG,
}, async () => {
  await world.until('the phase to be Failed', async () => {
    return (await statusOf('refused'))?.phase === 'Failed'
  })
  await world.objects.patch(KubernetesCluster, 'refused', {
    spec: { controlPlane: { machineTemplate: { spec: { cpu: { cores: 2 } } } } },
  })
  await says('refused', 'MachinesCreated', 'CreationSucceeded')

  expect((await statusOf('refused'))?.phase).toBe('Provisioning')
  const made = 'talos_operator_machines_generated{cluster="refused",role="controlplane"}'
  expect(await sampleOf(world, made)).toBe(1)
})

test('R33: a Machine that the server does not let be changed is a MachineCreationError, too', {
  timeout: LONG,
}, async () => {
  await world.objects.patch(KubernetesCluster, 'refused', {
    spec: { controlPlane: { machineTemplate: { spec: { cpu: { cores: 1000 } } } } },
  })
  const why = await says('refused', 'MachinesCreated', 'CreationFailed')

  expect(why).toContain('Machine refused-cp-0')
  expect(await conditionOf(world, [KubernetesCluster, 'refused'], 'Ready')).toMatchObject({
    ...{ status: 'False', reason: 'CreationFailed' },
  })
  expect(await conditionOf(world, [KubernetesCluster, 'refused'], 'FilesGenerated')).toMatchObject({
    ...{ status: 'False', reason: 'GenerationFailed' },
  })
  expect(await statusOf('refused')).toMatchObject({ machineCount: 1 })
  await world.objects.patch(KubernetesCluster, 'refused', {
    spec: { controlPlane: { machineTemplate: { spec: { cpu: { cores: 2 } } } } },
  })
  await says('refused', 'FilesGenerated', 'GenerationSucceeded')
})

test('R26, R29, R32: OwnerReferenceError: a Machine of another is named, left alone, has no file, and is asked for again', {
  timeout: LONG,
}, async () => {
  await world.objects.create(ConfigMap, { metadata: { name: 'stranger' } })
  const { uid } = (await world.objects.find(ConfigMap, 'stranger'))?.metadata ?? {}
  await world.objects.create(ProvidedMachine, {
    metadata: {
      name: 'second-cp-0',
      ownerReferences: [
        {
          ...{ apiVersion: 'v1', kind: 'ConfigMap', name: 'stranger' },
          ...{ uid, controller: true },
        },
      ],
    },
    spec: { machineClass: 'theirs' },
  })
  await world.objects.apply(shaped('second', { workers: [{ name: 'w', replicas: 1 }] }))
  const why = await says('second', 'Ready', 'OwnerReferenceFailed')
  await world.pass(1)

  expect(why).toContain('Machine second-cp-0 is there, and belongs to ConfigMap stranger')
  expect(await errors('OwnerReferenceError')).toBeGreaterThan(2)
  const warnings = world.log.filter((line) => line.includes('"in the way"'))
  expect(warnings.join()).toContain('"level":"warn"')
  expect(warnings.join()).toContain('second-cp-0')
  expect((await world.objects.find(ProvidedMachine, 'second-cp-0'))?.spec).toEqual({
    machineClass: 'theirs',
  })
  expect(await world.objects.find(ProvidedMachine, 'second-w-0')).toBeDefined()
  const created = await conditionOf(world, [KubernetesCluster, 'second'], 'MachinesCreated')
  expect(created).toMatchObject({ status: 'False', reason: 'CreationFailed', message: why })
  expect(await statusOf('second')).toMatchObject({ machineCount: 1 })
  // R29: whoever applied the file of another one would write over what is somebody's.
  const files = await readdir(join(world.resultsFolder, 'second'))
  expect(files.filter((file) => !file.startsWith('.'))).toEqual(['second-w-0.yaml'])
  expect((await eventsAbout('second')).map(({ reason }) => reason)).toContain('OwnerReferenceError')

  await world.objects.remove(KubernetesCluster, 'second')
  await world.until('it to be gone', async () => (await statusOf('second')) === undefined)
  expect(await world.objects.find(ProvidedMachine, 'second-cp-0')).toBeDefined()
})

test('A33: two clusters whose names come to the same Machine do not take it from one another', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(shaped('a', { workers: [{ name: 'b-cp', replicas: 1 }] }))
  await says('a', 'MachinesCreated', 'CreationSucceeded')
  await world.objects.apply(shaped('a-b'))
  const why = await says('a-b', 'Ready', 'OwnerReferenceFailed')

  expect(why).toContain('Machine a-b-cp-0 is there, and belongs to KubernetesCluster a')
  expect(await conditionOf(world, [KubernetesCluster, 'a'], 'MachinesCreated')).toMatchObject({
    status: 'True',
  })
})

test('R32: FileSystemError: told and counted, and the cluster is ready all the same', {
  timeout: LONG,
}, async () => {
  await mkdir(join(world.resultsFolder, 'third'), { recursive: true })
  await writeFile(join(world.resultsFolder, 'third', 'third-cp-0.yaml'), 'of somebody\n')
  await world.objects.apply(shaped('third'))
  await world.until('its Machine', async () => {
    return (await world.objects.find(ProvidedMachine, 'third-cp-0')) !== undefined
  })
  await world.objects.patchStatus(ProvidedMachine, 'third-cp-0', { phase: 'Running' })
  const why = await says('third', 'FilesGenerated', 'GenerationFailed')
  await says('third', 'Ready', 'ClusterReady')
  await world.pass(1)

  expect(why).toContain('was not written by this operator')
  const tries = await errors('FileSystemError')
  expect(tries).toBeGreaterThan(2)
  // R42: each of them would have written one file.
  expect({ create: await failedFiles('create'), update: await failedFiles('update') }).toEqual({
    ...{ create: tries, update: 0 },
  })
  expect((await eventsAbout('third')).map(({ reason }) => reason)).toContain('FileSystemError')
  await rm(join(world.resultsFolder, 'third', 'third-cp-0.yaml'))
  await says('third', 'FilesGenerated', 'GenerationSucceeded')
})

test('R46: what was done is told at info, what is in the way at warn, what failed at error, and each look at debug', () => {
  const told = world.log
    .map((line): Record<string, unknown> => Object(JSON.parse(line)))
    .filter(({ controller }) => controller === 'KubernetesCluster')
  const levelsOf = (message: string, about: string) => {
    const lines = told.filter((line) => line.message === message)
    return new Set(
      lines.filter((line) => JSON.stringify(line).includes(about)).map(({ level }) => level),
    )
  }

  expect(levelsOf('step done', 'Machine third-cp-0 created')).toEqual(new Set(['info']))
  expect(levelsOf('in the way', 'Machine second-cp-0 is there')).toEqual(new Set(['warn']))
  expect(levelsOf('pass failed', 'MachineCreationError')).toEqual(new Set(['error']))
  expect(levelsOf('step failed', 'FileSystemError')).toEqual(new Set(['error']))
  expect(levelsOf('pass done', '"cluster":"third"')).toEqual(new Set(['debug']))
})

test('A20: files that cannot be removed keep a cluster from going for a while, and not for ever', {
  timeout: LONG,
}, async () => {
  // Whoever is root may write anyway, so the marker is spoilt instead.
  await writeFile(join(world.resultsFolder, 'third', '.talos-operator.json'), 'spoilt')
  const before = await errors('FileSystemError')
  const calls = world.boundary.history.length
  await world.objects.remove(KubernetesCluster, 'third')
  await world.until('it to be gone', async () => (await statusOf('third')) === undefined)

  const tries = (await errors('FileSystemError')) - before
  expect(tries).toBeGreaterThan(2)
  expect(await failedFiles('delete')).toBe(tries)
  // R34: it says the same in each try and between them, so nothing is written for one.
  const said = world.boundary.history.slice(calls).filter((call) => {
    return call.to === 'kubernetes' && call.kind === 'kubernetesclusters/status'
  })
  expect(said.length).toBeGreaterThan(0)
  expect(said.length).toBeLessThan(tries)
  expect(await readdir(join(world.resultsFolder, 'third'))).toContain('third-cp-0.yaml')
  expect((await eventsAbout('third')).map(({ reason }) => reason)).toContain('FilesLeft')
})

test('A7: a token and a CA in the spec get into the Secret and nowhere else', {
  timeout: LONG,
}, async () => {
  const { talos } = await generateBundle({ talosVersion: 'v1.6.0', now: world.clock.now() })
  const token = 'wisdom.of-the-crowd-is-a-secret'
  const [key, crt] = [talos.key.open(), talos.certificate]
  await world.objects.apply(
    shaped('open', { talosConfig: { machine: { token, ca: { crt, key } } } }),
  )
  await says('open', 'MachinesCreated', 'CreationSucceeded')
  const name = 'open-talos-secrets'
  await world.until(
    'its Secret',
    async () => (await world.objects.find(Secret, name)) !== undefined,
  )
  await world.pass(2)

  const secret = await world.objects.find(Secret, name)
  const bundle = secret && readSecrets(secret)
  expect(bundle?.trustdToken.open()).toBe(token)
  expect(bundle?.talos.certificate).toBe(crt)
  expect(bundle?.talos.key.open()).toBe(key)
  const warned = (await eventsAbout('open')).map(({ reason }) => reason)
  expect(warned).toContain('SecretsInSpec')

  const clusters = (await world.objects.list(KubernetesCluster)).map(({ status }) => status)
  const folder = join(world.resultsFolder, 'open')
  const files = await Promise.all(
    (await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')),
  )
  const everything = JSON.stringify([
    ...[clusters, await world.objects.list(ProvidedMachine), await world.objects.list(Event)],
    ...[files, world.log, await world.metrics()],
  ])
  const bytes = key.split('\n').filter((line) => line !== '' && !line.startsWith('-----'))
  expect(files.length).toBe(2)
  for (const text of [token, ...bytes]) expect(everything).not.toContain(text)
})

test('A7: a Secret that is referred to brings all keys, or a token and a CA, or is told to be missing', {
  timeout: LONG,
}, async () => {
  const spec = { talosConfig: { secretRef: { name: 'brought' } } }
  await world.objects.apply(shaped('referring', spec))
  const why = await says('referring', 'TopologyValid', 'ValidationFailed')
  await world.objects.create(Secret, {
    ...{ metadata: { name: 'brought' }, stringData: { token: 'a-token-that-was-brought' } },
  })
  await says('referring', 'MachinesCreated', 'CreationSucceeded')
  const name = 'referring-talos-secrets'
  await world.until(
    'its Secret',
    async () => (await world.objects.find(Secret, name)) !== undefined,
  )

  expect(why).toContain('Secret brought, which spec.talosConfig.secretRef names, is not there')
  const secret = await world.objects.find(Secret, name)
  expect(secret && readSecrets(secret).trustdToken.open()).toBe('a-token-that-was-brought')
})

test('A7: a token that is not that of the Secret which a cluster of the name has left behind is refused', {
  timeout: LONG,
}, async () => {
  await world.objects.remove(KubernetesCluster, 'referring')
  await world.until('it to be gone', async () => (await statusOf('referring')) === undefined)
  const machine = { token: 'another-token-than-the-one-before' }
  await world.objects.apply(shaped('referring', { talosConfig: { machine } }))
  const why = await says('referring', 'TopologyValid', 'ValidationFailed')

  expect(why).toContain('has another token than Secret referring-talos-secrets')
  expect(await world.objects.find(ProvidedMachine, 'referring-cp-0')).toBeUndefined()
})

test('R50: creation, deletion and each class of errors are told by events of the cluster', async () => {
  const events = (await world.objects.list(Event)).filter(
    ({ regarding }) => regarding?.kind === KubernetesCluster.kind,
  )

  expect(events.map(({ reason }) => reason)).toEqual(
    expect.arrayContaining([
      ...['Created', 'Deleting', 'ValidationError', 'MachineCreationError'],
      ...['FileSystemError', 'OwnerReferenceError'],
    ]),
  )
})

test('R47: each line of a pass says what it has to, also where something failed', () => {
  expect(unclearLines(world, /(refused|second|a-b|third|open|referring)-cp-\d/)).toEqual([])
})

test('an object in the shape of another project is left alone', () => {
  // As it would be where their definition is installed; ours takes these fields away.
  const strange = { ...shaped('x'), spec: Object({ data: {}, topology: {} }) }

  expect(strangeShape(strange)).toHaveLength(1)
  expect(strangeShape({ ...strange, spec: {} })).toEqual([])
})
