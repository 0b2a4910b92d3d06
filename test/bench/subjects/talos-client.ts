// Our client of machines, as fast as it can.

import { Secret } from '#base/secret.ts'
import { TalosClient } from '#talos/client.ts'
import type { ClusterAccess } from '#talos/machine-target.ts'
import { answerQuestions } from './answering.ts'

export interface Round {
  authority: string
  certificate: string
  key: string
  port: number
  /** The machines, which take turns. */
  addresses: string[]
  /** How many connections are kept: with fewer than there are machines, each call is a dial. */
  connections: number
  /** How many calls are under way at any time. */
  atOnce: number
  seconds: number
}

const answers = {
  /** Resolves to how many Version calls per second were answered. */
  async round({ authority, certificate, key, ...round }: Round): Promise<number> {
    const access: ClusterAccess = { kind: 'cluster', authority, certificate, key: new Secret(key) }
    const client = new TalosClient({ limits: { mostOpen: round.connections } })
    const machines = round.addresses.map((address) =>
      client.machine({ address, port: round.port, access }),
    )
    // Where connections are kept, they are there before the time is taken.
    if (round.connections >= machines.length) {
      await Promise.all(machines.map((machine) => machine.version()))
    }
    const start = performance.now()
    const end = start + round.seconds * 1e3
    let begun = 0
    let finished = 0
    const oneAfterTheOther = async () => {
      while (performance.now() < end) {
        await machines[begun++ % machines.length]?.version()
        finished += 1
      }
    }
    await Promise.all(Array.from({ length: round.atOnce }, oneAfterTheOther))
    const perSecond = finished / ((performance.now() - start) / 1e3)
    client.close()
    return perSecond
  },
}

export type TalosClientSubject = typeof answers

answerQuestions(answers)
