import { type ChildProcess, exec, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { Node } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { systemClock } from '#base/clock.ts'
import { KubeClient } from '#kube/client.ts'
import { kubeconfigAccess } from '#kube/kubeconfig.ts'

const REPOSITORY = join(import.meta.dirname, '../..')
const SLOW_MACHINE_MS = 180_000
const FOLDER = /^The demo is in (\S+) until/m
const READY = /is ready, ([\d.]+) s after the start/
const ALL_SAID = /Ctrl-C ends the demo/

let started: ChildProcess[] = []
afterEach(() => {
  for (const child of started) child.kill('SIGKILL')
  started = []
})

/** Starts a demo as a user does. */
function demo(...args: string[]) {
  const child = spawn(join(REPOSITORY, 'bin/talos-operator'), ['demo', '--speed', 'max', ...args], {
    env: { PATH: process.env.PATH, HOME: '/nowhere' },
    cwd: REPOSITORY,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  const exited = once(child, 'exit')
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (more) => {
      text += more
      child.emit('said')
    })
  }
  /** What it says, of which this is a part; fails if it ends before it says so. */
  const said = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(text)
      if (found) return found
      if (child.exitCode !== null) throw new Error(`it ended without ${pattern}:\n${text}`)
      await Promise.race([once(child, 'said'), exited])
    }
  }
  const end = async (...signals: NodeJS.Signals[]) => {
    for (const signal of signals) child.kill(signal)
    const [exitCode] = await exited
    return exitCode
  }
  return { said, end, text: () => text }
}

async function through<Result>(path: string, ask: (client: KubeClient) => Promise<Result>) {
  const clock = systemClock
  const reached = await kubeconfigAccess({ env: {}, homeFolder: '/nowhere', path, clock })
  const client = new KubeClient({ access: reached, clock, userAgent: 'tests' })
  return ask(client).finally(() => client.close())
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** What came of a line that is typed into a shell, where the demo was started. */
const typed = (line: string) =>
  new Promise<{ line: string; exitCode: number; text: string }>((resolve) => {
    const env = { PATH: process.env.PATH, HOME: '/nowhere' }
    exec(line, { cwd: REPOSITORY, env }, (error, out, err) =>
      resolve({ line, exitCode: error ? Number(error.code) : 0, text: out + err }),
    )
  })

/** The lines among the last ones that need no other program than ours. */
const ownLines = (text: string): string[] =>
  [...text.matchAll(/^ {2}(\S*talos-operator (?:explain|diff) .*)$/gm)].map(([, line = '']) => line)

/** Uses both APIs by the files that the last lines name. */
async function look(one: ReturnType<typeof demo>) {
  await one.said(ALL_SAID)
  const [, folder = ''] = await one.said(FOLDER)
  const [, management = ''] = await one.said(/export KUBECONFIG=(\S+)\n +kubectl get tc/)
  const [, own = ''] = await one.said(/kubectl --kubeconfig (\S+) get nodes/)
  const [, talosconfig = ''] = await one.said(/talosctl --talosconfig (\S+) etcd members/)
  const cluster = await through(management, (client) =>
    client.get(Cluster, { namespace: 'default', name: 'demo' }),
  )
  const nodes = await through(own, (client) => client.list(Node))
  const modes = await Promise.all(
    [management, own, talosconfig].map(async (path) => (await stat(path)).mode & 0o777),
  )
  return { folder, modes, nodes: nodes.items, cluster }
}

const isReady = ({ status }: { status?: { conditions?: { type: string; status: string }[] } }) =>
  status?.conditions?.find(({ type }) => type === 'Ready')?.status

test('two demos come up side by side, can be used, and leave nothing behind', {
  timeout: SLOW_MACHINE_MS,
}, async () => {
  const demos = [demo(), demo('--control-planes', '1', '--workers', '1')] as const
  const [large, small] = await Promise.all([look(demos[0]), look(demos[1])])

  expect([large.nodes.length, small.nodes.length]).toEqual([5, 2])
  expect([...large.nodes, ...small.nodes].map(isReady)).toEqual(Array(7).fill('True'))
  expect([isReady(large.cluster), isReady(small.cluster)]).toEqual(['True', 'True'])
  expect(large.cluster.spec?.controlPlane?.endpoint).not.toBe(
    small.cluster.spec?.controlPlane?.endpoint,
  )
  expect([...large.modes, ...small.modes]).toEqual(Array(6).fill(0o600))
  expect(demos[0].text()).toMatch(/^ +[\d.]+ s {2}TalosMachine demo-\S+: Installing/m)
  expect(demos[0].text()).not.toContain('\u001b')
  expect(Number((await demos[0].said(READY))[1])).toBeGreaterThan(0)

  const tries = await Promise.all(ownLines(demos[0].text()).map(typed))
  expect(tries.map(({ line }) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    ...['bin/talos-operator explain', 'bin/talos-operator diff'],
  ])
  expect(tries).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }])

  expect(await Promise.all([demos[0].end('SIGINT'), demos[1].end('SIGTERM')])).toEqual([0, 0])
  expect([await isThere(large.folder), await isThere(small.folder)]).toEqual([false, false])
})

test('a KubernetesCluster comes up on machines that are ordered for it, and goes with them', {
  timeout: SLOW_MACHINE_MS,
}, async () => {
  const one = demo('--kubernetes-cluster')
  await one.said(ALL_SAID)
  const [, management = ''] = await one.said(
    /export KUBECONFIG=(\S+)\n +kubectl get kc,m,tcp,tw,tm/,
  )
  const [, own = ''] = await one.said(/kubectl --kubeconfig (\S+) get nodes/)
  const { items } = await through(own, (client) => client.list(Node))
  await through(management, (client) =>
    client.remove(KubernetesCluster, { namespace: 'default', name: 'demo' }),
  )
  await one.said(/KubernetesCluster demo: gone/)

  expect(items.map(({ metadata }) => metadata.name).sort()).toEqual([
    ...['demo-cp-0', 'demo-cp-1', 'demo-cp-2', 'demo-workers-0', 'demo-workers-1'],
  ])
  expect(items.map(isReady)).toEqual(Array(5).fill('True'))
  expect(one.text()).toMatch(/Machine demo-cp-0: Creating/)
  expect(one.text().match(/ Machine \S+: gone/g)).toHaveLength(5)
  expect(await one.end('SIGINT')).toBe(0)
})

test('a terminal that closes, or Ctrl-C twice, while it begins ends it with its folder', {
  timeout: SLOW_MACHINE_MS,
}, async () => {
  const demos = [demo(), demo()] as const
  const folders = await Promise.all(
    demos.map(async (one) => {
      await one.said(/TalosCluster demo/)
      const [, folder = ''] = await one.said(FOLDER)
      expect(await readdir(folder)).toContain('kubeconfig')
      return folder
    }),
  )

  const [closed] = await Promise.all([demos[0].end('SIGHUP'), demos[1].end('SIGINT', 'SIGINT')])

  expect(closed).toBe(0)
  expect(await Promise.all(folders.map(isThere))).toEqual([false, false])
  expect(demos.map((one) => one.text()).join()).not.toContain('talos-operator:')
})
