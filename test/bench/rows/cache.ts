import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Row } from '#test/bench/row.ts'
import { type Subject, startSubject } from '#test/bench/subject.ts'
import type { Follower } from '#test/bench/subjects/follower.ts'
import type { MachineServer } from '#test/bench/subjects/machine-server.ts'
import { shown } from '#test/bench/table.ts'
import { createAuthority } from '#test/conformance/kubernetes/certificates.ts'

const CACHED = 50_000
const CHANGING = 10_000
const WARM_UP = 20_000
const EVENTS = 200_000

/** How much memory the cache takes, listed in pages from a server in another process. */
export const cacheMemory: Row = {
  name: 'cache-memory',
  budget: 300,
  unit: 'MB RSS',
  better: 'less',
  async measure() {
    await using pair = await serverAndFollower()
    const { objects, listSeconds } = await pair.follow({ machines: CACHED, warmUp: 0, events: 0 })
    const before = await pair.follower.memory()
    await pair.follower.ask('collect', undefined)
    const { nowMb, peakMb } = await pair.follower.memory()
    return {
      value: nowMb,
      detail: [
        `${shown(objects)} TalosMachines of 4 KB with two indexes, from the bench’s own server`,
        `listed in ${shown(listSeconds)} s`,
        `${shown(before.nowMb)} MB before a collection, ${shown(peakMb)} MB at most`,
      ].join('; '),
    }
  },
}

/** How fast events of a watch get into the cache, from a server that sends them as fast as it can. */
export const watchRate: Row = {
  name: 'watch-rate',
  budget: 15_000,
  unit: 'events/s',
  better: 'more',
  async measure() {
    await using pair = await serverAndFollower()
    const { eventSeconds, eventCpuSeconds } = await pair.follow({
      machines: CHANGING,
      warmUp: WARM_UP,
      events: EVENTS,
    })
    return {
      value: EVENTS / eventSeconds,
      detail: [
        `${shown(EVENTS)} changes of ${shown(CHANGING)} TalosMachines of 4 KB down one watch of the bench’s own server, after ${shown(WARM_UP)} as warm-up`,
        'two indexes, one listener',
        `the client was at work for ${shown(eventCpuSeconds)} s of ${shown(eventSeconds)} s`,
      ].join('; '),
    }
  },
}

interface Pair extends AsyncDisposable {
  follower: Subject<Follower>
  follow(task: { machines: number; warmUp: number; events: number }): ReturnType<Follower['follow']>
}

async function serverAndFollower(): Promise<Pair> {
  const authority = createAuthority()
  const credentials = authority.issueServer('localhost')
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-bench-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const server = await startSubject<MachineServer>('machine-server')
  const follower = await startSubject<Follower>('follower')
  return {
    follower,
    async follow({ machines, warmUp, events }) {
      const settings = { ...credentials, machines, events: warmUp + events }
      const url = await server.ask('listen', settings)
      await writeFile(kubeconfig, kubeconfigFor(url, authority.certificate))
      return follower.ask('follow', { kubeconfig, warmUp, events })
    },
    async [Symbol.asyncDispose]() {
      await follower[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const kubeconfigFor = (url: string, ca: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'bench', cluster: { server: url, 'certificate-authority-data': btoa(ca) } }],
    contexts: [{ name: 'bench', context: { cluster: 'bench' } }],
    'current-context': 'bench',
  })
