import { upgrade } from '#cli/upgrade-k8s-run.ts'
import { KubeClient } from '#kube/client.ts'
import type { World } from './world.ts'

interface Asked {
  /** Of the TalosControlPlane. */
  readonly name: string
  readonly to: string
  readonly timeoutMs?: number
}

/** `talos-operator upgrade-k8s` as a process of its own, whose calls go through the boundary as those of operators do. */
export interface UpgradeCommand {
  /** What it has printed so far. */
  out(): string
  /** What it logged. */
  err(): string
  /** What it ended with; empty if it went well. */
  readonly end: Promise<string>
  /** As Ctrl-C does. */
  stop(): void
  /** As `kill -9` does: nothing that it does from now on has any effect. Resolves when it is gone. */
  kill(): Promise<void>
}

const LONG_MS = 3_600_000
let started = 0

export async function startUpgrade(world: World, asked: Asked): Promise<UpgradeCommand> {
  const { name, to, timeoutMs = LONG_MS } = asked
  const { clock } = world
  const printed = { out: '', err: '' }
  const stopping = new AbortController()
  const die = () => {
    const shut = doors.shut()
    stopping.abort(new Error('killed'))
    return shut
  }
  const doors = await world.openDoors(() => void die())
  const { access, openPorts } = doors
  const client = new KubeClient({ access, clock, userAgent: 'a command' })
  const working = upgrade(
    { namespace: 'default', name, to },
    {
      ...{ client, access, openPorts, clock, signal: stopping.signal },
      ...{ isDryRun: false, writesMeta: false, timeout: { ms: timeoutMs } },
      lease: { name: 'talos-operator', namespace: undefined },
      process: `command-${++started}`,
      out: (text) => {
        printed.out += text
      },
      err: (text) => {
        printed.err += text
        world.log.push(text)
      },
    },
  )
  const ended = async () => {
    const failure = await working.then(
      () => '',
      (error: Error) => error.message,
    )
    client.close()
    await doors.shut()
    return failure
  }
  const end = ended()
  return {
    ...{ out: () => printed.out, err: () => printed.err, end },
    stop: () => stopping.abort(new Error('got SIGINT')),
    kill: async () => {
      await die()
      await end
    },
  }
}
