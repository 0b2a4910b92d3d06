import { expect } from 'vitest'
import { Credentials } from '#engine/credentials.ts'
import { KubeClient } from '#kube/client.ts'
import { Boundary, type Call } from './boundary.ts'
import { throughBoundary } from './kubernetes-gate.ts'
import { type Known, MachineGate } from './machine-gate.ts'
import type { RacingClock } from './racing-clock.ts'
import type { Ways } from './ways.ts'

/** Who looks at the API and the machines with the means of the operator, and is none. */
export interface Onlooker extends AsyncDisposable {
  readonly client: KubeClient
  readonly machines: MachineGate
  readonly credentials: Credentials
  readonly clock: RacingClock
  readonly signal: AbortSignal
  /** All calls of its own that change something, or only go through the motions of it. */
  readonly history: readonly Call[]
}

interface Options {
  ways: Ways
  clock: RacingClock
  lookAt: (address: string) => Promise<Known>
}

export async function anOnlooker({ ways, clock, lookAt }: Options): Promise<Onlooker> {
  const boundary = new Boundary(() => clock.now())
  const kill = () => undefined
  const gate = await ways.openGate(throughBoundary({ boundary, clock, kill }))
  const client = new KubeClient({ access: gate.access, clock, userAgent: 'an onlooker' })
  const machines = new MachineGate({
    ...{ boundary, clock, talos: ways.talos, lookAt, kill },
    ...{ isRefusing: () => false, loseReply: () => undefined },
  })
  return {
    ...{ client, machines, clock, credentials: new Credentials({ clock }) },
    ...{ signal: new AbortController().signal, history: boundary.history },
    [Symbol.asyncDispose]: async () => {
      machines[Symbol.dispose]()
      client.close()
      await gate[Symbol.asyncDispose]()
    },
  }
}

/** Ends both. Whatever was asked of the onlooker: it only ever had the API go through the motions. */
export async function endedWithoutDeeds(onlooker: Onlooker, world: AsyncDisposable): Promise<void> {
  const { history } = onlooker
  await onlooker[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
  expect(history.length).toBeGreaterThan(0)
  expect(history.filter((call) => call.to !== 'kubernetes' || !call.isDryRun)).toEqual([])
}
