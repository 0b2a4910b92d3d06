import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { run } from './a-terminal.cases.ts'
import { freePlaces } from './demo-addresses.ts'
import { closingWords, slowWords } from './demo-closing.ts'
import { demoCluster } from './demo-cluster.ts'
import { demoFolder } from './demo-folder.ts'
import { type ShownObject, showProgress, tableOf, tellNews } from './demo-progress.ts'
import { shortNamesOf, subjectOf } from './demo-subject.ts'

test('--help says what happens, and has examples', async () => {
  const { out } = await run('demo', '--help')

  expect(out).toContain('nothing is left when it ends')
  expect(out).toContain('sudo ifconfig lo0 alias')
  expect(out).toContain('Example:\n  talos-operator demo\n')
})

test.each([
  [['--control-planes', '0'], 'from 1 to 9'],
  [['--workers', '201'], 'from 0 to 200'],
  [['--speed', 'fast'], 'a number above 0'],
  [['--address-base', '127.80.0'], 'is no IPv4 address'],
  [['--address-base', '192.0.2.1'], 'this computer does not have the address'],
  [['--kubernetes-cluster', '--control-planes', '2'], 'cannot have 2 control planes'],
  [['nonsense'], 'too many arguments'],
])('%j is refused, and leaves nothing behind: %s', async (args, reason) => {
  const { out, err, exitCode } = await run('demo', ...args)

  expect([exitCode, err]).toEqual([1, expect.stringContaining(reason)])
  const [, folder = ''] = /The demo is in (\S+)/.exec(out) ?? []
  expect(existsSync(folder)).toBe(false)
})

test('machines are put where nobody listens, and somebody who asks for a place in use is told so', async () => {
  const size = { controlPlanes: 1, workers: 1 }
  const placeOf = async (base?: string) => (await freePlaces(size, base).next()).value?.addresses
  const first = await placeOf()
  const [, second = ''] = first ?? []
  await using _taken = await listening(second, 50_000)

  const other = await placeOf()
  const { err } = await run('demo', '--workers', '0', '--address-base', second)

  expect(first?.[0]).toMatch(/^127\.80\.\d+\.1$/)
  expect(other?.[0]).toMatch(/^127\.80\.\d+\.1$/)
  expect(other).not.toEqual(first)
  expect(err).toContain(`there is no room for the machines of a demo from ${second} on`)
})

test('where the usual port of Kubernetes is taken, another one is used', async () => {
  await using _taken = await listening('127.79.3.1', 6443)

  const { value } = await freePlaces({ controlPlanes: 1, workers: 1 }, '127.79.3.1').next()

  expect(value).toEqual({ addresses: ['127.79.3.1', '127.79.3.2'], kubernetesPort: 7443 })
  expect(demoCluster(value ?? never(), { controlPlanes: 1, workers: 1 }).spec).toMatchObject({
    controlPlane: {
      endpoint: 'https://127.79.3.1:7443',
      metalSpec: { machines: [{ address: '127.79.3.1' }] },
    },
    worker: { metalSpec: { machines: [{ address: '127.79.3.2' }] } },
  })
})

test('a demo without workers asks for none', () => {
  const places = { addresses: ['127.80.0.1'], kubernetesPort: 6443 }

  const cluster = demoCluster(places, { controlPlanes: 1, workers: 0 })

  expect(cluster).toMatchObject({ kind: Cluster.kind, metadata: { name: 'demo' } })
  expect(cluster.spec).not.toHaveProperty('worker')
})

test('a KubernetesCluster of the demo asks a provider for its machines', () => {
  const places = { addresses: ['127.80.0.1', '127.80.0.2'], kubernetesPort: 7443 }
  const subject = subjectOf({ kubernetesCluster: true })

  const { kind, spec } = subject.manifest(places, { controlPlanes: 3, workers: 2 })

  expect([kind, shortNamesOf(subject)]).toEqual(['KubernetesCluster', 'kc,m,tcp,tw,tm'])
  expect(spec).toMatchObject({
    clusterEndpoint: 'https://127.80.0.1:7443',
    controlPlane: { replicas: 3, machineTemplate: { spec: { provider: 'simulated' } } },
    workers: [{ name: 'workers', replicas: 2 }],
  })
  expect(subject.manifest(places, { controlPlanes: 1, workers: 0 }).spec).not.toHaveProperty(
    'workers',
  )
  expect(() => subject.manifest(places, { controlPlanes: 2, workers: 0 })).toThrow('1, 3 or 5')
})

test('the folder is for its owner alone, and gone when it is disposed of', async () => {
  const listeners = process.listenerCount('exit')
  const folder = demoFolder()
  folder.writeLog('a line\n')

  expect([statSync(folder.path).mode & 0o777, statSync(folder.logPath).mode & 0o777]).toEqual([
    0o700, 0o600,
  ])
  expect(readFileSync(folder.logPath, 'utf8')).toBe('a line\n')
  folder[Symbol.dispose]()
  expect(await readdir(tmpdir())).not.toContain(folder.path.split('/').at(-1))
  expect(process.listenerCount('exit')).toBe(listeners)
})

test('the last lines give commands for both APIs, and say how it ends', () => {
  const words = closingWords({
    ...{
      command: 'bin/talos-operator',
      seconds: 12.345,
      shortName: 'tc',
      shortNames: 'tc,tcp,tw,tm',
    },
    ...{ management: '/d/kubeconfig', kubeconfig: '/d/demo.kubeconfig', log: '/d/operator.log' },
    ...{ talosconfig: '/d/demo.talosconfig', manifest: '/d/demo.yaml' },
  })

  expect(words).toContain('is ready, 12.3 s after the start')
  expect(words).toContain('  export KUBECONFIG=/d/kubeconfig\n  kubectl get tc,tcp,tw,tm\n')
  expect(words).toContain('  kubectl --kubeconfig /d/demo.kubeconfig get nodes')
  expect(words).toContain('  bin/talos-operator explain tc/demo --kubeconfig /d/kubeconfig\n')
  expect(words).toContain('  bin/talos-operator diff -f /d/demo.yaml --kubeconfig /d/kubeconfig\n')
  expect(words).toContain('Ctrl-C ends the demo')
})

test('what takes too long is said with the reason and where to look', () => {
  const words = slowWords(60, 'machine x does not answer', '/d/operator.log')

  expect(words).toMatch(/not ready after 60 s: machine x does not answer\n.*\/d\/operator\.log/)
})

const anObject = (change: Partial<ShownObject> = {}): ShownObject => ({
  ...{ what: 'TalosMachine demo-1', state: 'Installing', isReady: false, why: 'it boots' },
  ...change,
})

function someProgress(...objects: ShownObject[]) {
  const listeners = new Set<() => void>()
  return {
    objects: () => objects,
    onChange: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set: (...others: ShownObject[]) => {
      objects = others
      for (const listener of listeners) listener()
    },
  }
}

function aScreen(rows: number | undefined, columns = 80) {
  const written: string[] = []
  const clock = new FakeClock()
  const write = (text: string) => void written.push(text)
  return { written, clock, write, rows: () => rows, columns: () => columns, startMs: 0 }
}

test('without a terminal every change is a line with its time, and nothing is told twice', async () => {
  const progress = someProgress(anObject())
  const screen = aScreen(undefined)
  using _shown = showProgress(progress, screen)
  progress.set(anObject())
  await screen.clock.advance(1_500)
  progress.set(anObject({ state: 'Available', isReady: true, why: '' }))
  progress.set()

  expect(screen.written).toEqual([
    '   0.0 s  TalosMachine demo-1: Installing, it boots\n',
    '   1.5 s  TalosMachine demo-1: Available, ready\n',
    '   1.5 s  TalosMachine demo-1: gone\n',
  ])
})

test('afterwards only what is new is told', () => {
  const progress = someProgress(anObject())
  const screen = aScreen(24)
  using _told = tellNews(progress, screen)
  progress.set(anObject({ why: 'it reboots' }))

  expect(screen.written).toEqual(['   0.0 s  TalosMachine demo-1: Installing, it reboots\n'])
})

test('on a terminal there is a table, whose lines are no longer than the terminal is wide', async () => {
  const progress = someProgress(anObject({ why: 'x'.repeat(200) }))
  const screen = aScreen(24, 60)
  const shown = showProgress(progress, screen)
  progress.set(anObject({ isReady: true, why: '' }))
  await screen.clock.advance(1_000)
  shown[Symbol.dispose]()

  const [first = '', second = ''] = screen.written
  expect(first.split('\u001b[K\n').map((line) => line.length)).toEqual([47, 60, 3])
  expect(second).toContain('\u001b[2A')
  expect(second).toMatch(/TalosMachine demo-1 {2}Installing {2}yes/)
  expect(screen.clock.waiting).toBe(0)
})

test('objects for which there is no room are counted', () => {
  const objects = [1, 2, 3, 4].map((number) =>
    anObject({ what: `TalosMachine demo-${number}`, isReady: number > 2 }),
  )

  expect(tableOf(objects, 5)).toEqual([
    'OBJECT               STATE       READY  WHY NOT',
    'TalosMachine demo-1  Installing  no     it boots',
    'TalosMachine demo-2  Installing  no     it boots',
    'and 2 more, 2 of them ready',
  ])
})

async function listening(host: string, port: number) {
  const server = createServer()
  await once(server.listen({ host, port }), 'listening')
  return {
    [Symbol.asyncDispose]: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

const never = (): never => {
  throw new Error('there is no place')
}
