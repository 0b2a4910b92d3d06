// A client that costs as little as can be: what it measures is a server.

import { systemClock } from '#base/clock.ts'
import { Connection } from '#test/bench/load/connection.ts'
import { type Round, runRound } from '#test/bench/load/round.ts'
import { startWatchers } from '#test/bench/load/watchers.ts'
import { type AdminAccess, readKubeconfig } from '#test/misbehaving/admin-kubeconfig.ts'
import { answerQuestions } from './answering.ts'

const EVENTS_WITHIN_MS = 60_000

interface Took {
  seconds: number
  /** How long this program was at work meanwhile. */
  cpuSeconds: number
}

interface WatchedRound {
  round: Round
  watchers: number
  resourceVersion: string
}

let access: AdminAccess | undefined
let writers: Connection[] = []

const answers = {
  async connect(argument: { kubeconfig: string; writers: number }): Promise<void> {
    const found = await readKubeconfig(argument.kubeconfig)
    access = found
    writers = await Promise.all(
      Array.from({ length: argument.writers }, () => Connection.open(found)),
    )
  },

  /** The time that all the calls took. */
  round: (round: Round): Promise<Took> => timed(() => runRound(writers, round)),

  /** The time until the events of all the calls were with all watchers. */
  async watchedRound(argument: WatchedRound): Promise<Took & { resumed: number }> {
    const { round, watchers, resourceVersion } = argument
    if (!access) throw new Error('connect first')
    const { namespace, calls } = round
    using started = await startWatchers(access, {
      ...{ namespace, resourceVersion, watchers },
      events: calls * watchers,
    })
    const took = await timed(async () => {
      await runRound(writers, round)
      const cancel = systemClock.after(EVENTS_WITHIN_MS, () =>
        started.giveUp(`only ${started.heard()} of ${calls * watchers} events came`),
      )
      await started.finished.finally(cancel)
    })
    return { ...took, resumed: started.resumed() }
  },

  /** The time until the last byte of one answer, and how many there were. */
  async fetch(path: string): Promise<Took & { bodyBytes: number }> {
    if (!access) throw new Error('connect first')
    const connection = await Connection.open(access)
    let bodyBytes = 0
    const took = await timed(
      () =>
        new Promise<void>((resolve, reject) => {
          connection.listen((answer) => {
            bodyBytes = answer.bodyBytes
            if (answer.status < 300) resolve()
            else reject(new Error(`the server answered ${answer.status}: ${answer.words}`))
          }, reject)
          connection.send(
            Buffer.from(
              `GET ${path} HTTP/1.1\r\nhost: localhost\r\naccept: application/json\r\n\r\n`,
            ),
          )
        }),
    )
    connection.close()
    return { ...took, bodyBytes }
  },
}

async function timed(work: () => Promise<void>): Promise<Took> {
  const before = process.cpuUsage()
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1e3
  const { user, system } = process.cpuUsage(before)
  return { seconds, cpuSeconds: (user + system) / 1e6 }
}

export type Load = typeof answers

answerQuestions(answers)
