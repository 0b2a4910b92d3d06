// What a controller does all day: an informer with indexes and a listener, and nothing besides.

import { setTimeout as delay } from 'node:timers/promises'
import { Machine } from '#api/machine.ts'
import { systemClock } from '#base/clock.ts'
import { byLabel, byOwner } from '#kube/cache.ts'
import { Informer } from '#kube/informer.ts'
import { CLUSTER_LABEL } from '#test/bench/machines.ts'
import { answerQuestions } from './answering.ts'
import { clientFor } from './client.ts'

interface Task {
  kubeconfig: string
  /** How many events to let pass before the time is taken: the compiler warms up on them. */
  warmUp: number
  /** How many events to take the time of. */
  events: number
}

interface Followed {
  objects: number
  listSeconds: number
  eventSeconds: number
  /** What of that time this program was at work; on a busy machine it says more. */
  eventCpuSeconds: number
}

const answers = {
  /** Follows the machines of a server: resolves when they are listed and the events were heard. */
  async follow({ kubeconfig, warmUp, events }: Task): Promise<Followed> {
    const trouble = new AbortController()
    const informer = new Informer({
      client: await clientFor(kubeconfig),
      clock: systemClock,
      kind: Machine,
      indexes: { owner: byOwner, cluster: byLabel(CLUSTER_LABEL) },
      onState: (state) => {
        if (state.state === 'failed') trouble.abort(state.error)
      },
    })
    const start = performance.now()
    let heard = 0
    let warmAt = 0
    let warmCpu = process.cpuUsage()
    const finished = new Promise<number>((resolve, reject) => {
      // What has to be tried again is no measure of anything.
      trouble.signal.addEventListener('abort', () => reject(trouble.signal.reason))
      if (events === 0) resolve(0)
      informer.cache.listen(({ type }) => {
        if (type !== 'changed') return
        heard += 1
        if (heard === warmUp) {
          warmAt = performance.now()
          warmCpu = process.cpuUsage()
        }
        if (heard === warmUp + events) resolve(performance.now())
      })
    })
    void informer.run(trouble.signal)
    const listed = informer.whenSynced(trouble.signal).then(() => performance.now())
    const [listedAt, finishedAt] = await Promise.all([listed, finished])
    const { user, system } = process.cpuUsage(warmCpu)
    return {
      objects: informer.cache.size,
      listSeconds: (listedAt - start) / 1e3,
      eventSeconds: (finishedAt - warmAt) / 1e3,
      eventCpuSeconds: (user + system) / 1e6,
    }
  },

  /** Has garbage collected, and lets the pages that are free be given back. */
  async collect(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      globalThis.gc?.()
      await delay(500)
    }
  },
}

export type Follower = typeof answers

answerQuestions(answers)
