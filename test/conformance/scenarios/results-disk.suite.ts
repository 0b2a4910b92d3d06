import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { Event } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { apiVersionOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { parseYaml } from '#base/yaml.ts'
import { conditionOf, sampleOf, untilSays } from '#test/scenarios/verdicts.ts'
import { aWorld, type World } from '#test/scenarios/world.ts'

// A disk that is full, or that nobody may write to, and no stand-in for one: that takes a file system of its own, which
// only root may mount, and not root either where containers keep it from that.

const LONG = 120_000
const NAME = 'full'
const run = promisify(execFile)

const mount = (folder: string, ...options: string[]) =>
  run('mount', ['-t', 'tmpfs', '-o', options.join(','), 'tmpfs', folder])
const remount = (folder: string, how: string) => run('mount', ['-o', `remount,${how}`, folder])

async function whyNot(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-mount-'))
  try {
    await mount(folder, 'size=64k')
    await run('umount', [folder])
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error)
  } finally {
    await rmdir(folder)
  }
}

const reason = await whyNot()
const title = reason === undefined ? 'a real disk' : `skipped, as nothing can be mounted: ${reason}`

describe.skipIf(reason !== undefined)(`RESULTS_PATH on ${title}`, { timeout: LONG }, () => {
  let world: World
  const folder = () => world.resultsFolder
  const files = () => readdir(join(folder(), NAME)).then((names) => names.sort())
  const says = (type: string, why: string) =>
    untilSays(world, [KubernetesCluster, NAME], { type, reason: why })
  const errors = () =>
    sampleOf(
      world,
      'talos_operator_reconciliation_errors_total{controller="KubernetesCluster",error_type="FileSystemError"}',
    )
  const failedFiles = async () => {
    const failed = (operation: string) =>
      sampleOf(
        world,
        `talos_operator_file_operations_total{operation="${operation}",status="failure"}`,
      )
    const [create, update, remove] = ['create', 'update', 'delete'].map(failed)
    return { create: await create, update: await update, delete: await remove }
  }

  /** A world whose results folder is a file system of its own. */
  async function aDisk(subnet: string, size: string): Promise<void> {
    world = await aWorld({ subnet, machines: 0 })
    await mkdir(folder())
    await mount(folder(), `size=${size}`)
  }

  afterEach(async () => {
    await run('umount', [folder()])
    await world[Symbol.asyncDispose]()
    await rm(folder(), { recursive: true, force: true })
  })

  const apply = (workers: number) =>
    world.objects.apply({
      ...{ apiVersion: apiVersionOf(KubernetesCluster), kind: KubernetesCluster.kind },
      metadata: { name: NAME },
      spec: {
        ...{ kubernetesVersion: 'v1.29.7', talosVersion: 'v1.6.7' },
        ...{ clusterEndpoint: 'https://192.0.2.1:6443', controlPlane: { replicas: 1 } },
        workers: [{ name: 'w', replicas: workers }],
      },
    })

  const provide = async () => {
    for (const { metadata } of await world.objects.list(ProvidedMachine)) {
      await world.objects.patchStatus(ProvidedMachine, metadata.name, { phase: 'Running' })
    }
  }

  test('that is full: told and counted, the cluster becomes ready all the same, and all is written when there is room', async () => {
    await aDisk('127.80.67', '64k')
    const rest = Buffer.alloc(1024 * 1024)
    await writeFile(join(folder(), 'of-somebody'), rest).catch(() => undefined)
    await apply(2)
    const why = await says('FilesGenerated', 'GenerationFailed')
    await world.until('its Machines', async () => {
      return (await world.objects.list(ProvidedMachine)).length === 3
    })
    await provide()
    await says('Ready', 'ClusterReady')
    await world.pass(1)

    expect(why).toContain('ENOSPC')
    expect(await conditionOf(world, [KubernetesCluster, NAME], 'MachinesCreated')).toMatchObject({
      status: 'True',
    })
    const tries = await errors()
    expect(tries).toBeGreaterThan(2)
    // Each of them would have written all three.
    expect(await failedFiles()).toEqual({ create: 3 * tries, update: 0, delete: 0 })
    expect((await world.objects.list(Event)).map((event) => event.reason)).toContain(
      'FileSystemError',
    )
    // Neither half a manifest nor what was to become one.
    expect((await files().catch(() => [])).filter((name) => !name.startsWith('.talos'))).toEqual([])

    await rm(join(folder(), 'of-somebody'))
    await says('FilesGenerated', 'GenerationSucceeded')
    const written = (await files()).filter((name) => name.endsWith('.yaml'))
    expect(written).toEqual(['full-cp-0.yaml', 'full-w-0.yaml', 'full-w-1.yaml'])
    for (const name of written) {
      expect(parseYaml(await readFile(join(folder(), NAME, name), 'utf8'))).toMatchObject({
        metadata: { name: name.replace('.yaml', '') },
      })
    }
  })

  test('that is read-only: what is there stays, and a cluster that is deleted does not wait for it for ever', async () => {
    await aDisk('127.80.67', '1m')
    await apply(1)
    await says('FilesGenerated', 'GenerationSucceeded')
    const before = await files()
    await remount(folder(), 'ro')
    await apply(2)
    const why = await says('FilesGenerated', 'GenerationFailed')
    await world.until('the Machine', async () => {
      return (await world.objects.find(ProvidedMachine, 'full-w-1')) !== undefined
    })
    await provide()
    await says('Ready', 'ClusterReady')

    const tries = await errors()
    expect(why).toContain('EROFS')
    expect(tries).toBeGreaterThan(0)
    expect(await failedFiles()).toEqual({ create: tries, update: 0, delete: 0 })
    expect(await files()).toEqual(before)
    await remount(folder(), 'rw')
    await says('FilesGenerated', 'GenerationSucceeded')
    expect(await files()).toEqual([...before, 'full-w-1.yaml'].sort())

    const written = await errors()
    await remount(folder(), 'ro')
    await world.objects.remove(KubernetesCluster, NAME)
    await world.until('it to be gone', async () => {
      return (await world.objects.find(KubernetesCluster, NAME)) === undefined
    })
    expect((await world.objects.list(Event)).map((event) => event.reason)).toContain('FilesLeft')
    expect(await world.objects.list(ProvidedMachine)).toEqual([])
    const removals = (await errors()) - written
    expect(removals).toBeGreaterThan(2)
    expect((await failedFiles()).delete).toBe(3 * removals)
  })
})
