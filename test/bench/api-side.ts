import { connect, type Send } from '#test/conformance/kubernetes/https-json.ts'
import { startKubernetes } from '#test/conformance/kubernetes/real-kubernetes.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'
import { readKubeconfig } from '#test/misbehaving/admin-kubeconfig.ts'
import { startEmbedded } from './embedded.ts'
import { type Hold, heldTogether } from './held-together.ts'
import { type Block, NO_BLOCK } from './loop-probe.ts'
import { MemoryWatch } from './memory-watch.ts'
import { pidsIn } from './processes.ts'
import { type Subject, startSubject } from './subject.ts'
import type { Load } from './subjects/load.ts'
import { temporaryFolder } from './temporary-folder.ts'

export const WRITERS = 50

/** One of two APIs that get the same load, each from a client of its own. */
export interface ApiSide extends AsyncDisposable {
  /** Calls the API where no time is taken. */
  send: Send
  load: Subject<Load>
  memory: MemoryWatch
  /** The processes that it consists of. */
  pids: number[]
  /** The longest that its event loop was blocked since this was last asked; none if it has none. */
  longestBlock(): Promise<Block>
}

/** kube-apiserver and etcd; what they have answered for is on the disk. */
export const realSide = (): Promise<ApiSide> =>
  heldTogether(async (hold) => {
    const programs = await realPrograms(['etcd', 'kube-apiserver'])
    const { groups, kubeconfig } = hold(await startKubernetes(programs, { isDurable: true }))
    const pids = await pidsIn(groups, ['etcd', 'kube-apiserver'])
    return {
      ...(await connected(hold, kubeconfig)),
      ...watched(hold, pids, /member\/snap\/db$/),
      longestBlock: async () => NO_BLOCK,
    }
  })

/** The embedded API as it ships, with its objects on the disk. */
export const embeddedSide = (): Promise<ApiSide> =>
  heldTogether(async (hold) => {
    const { path } = hold(await temporaryFolder())
    const api = hold(await startEmbedded({ folder: path }))
    return {
      ...(await connected(hold, await api.ask('started', undefined))),
      ...watched(hold, [api.pid], /store\.mdb$/),
      longestBlock: () => api.ask('longestBlock', undefined),
    }
  })

async function connected(hold: Hold, kubeconfig: string) {
  const { server, ca, certificate, key } = await readKubeconfig(kubeconfig)
  const load = hold(await startSubject<Load>('load'))
  await load.ask('connect', { kubeconfig, writers: WRITERS })
  return { load, send: connect(server, ca, { certificate, key }) }
}

const watched = (hold: Hold, pids: number[], database: RegExp) => ({
  pids,
  memory: hold(new MemoryWatch(pids, database)),
})
