// Says who is in the etcd of a cluster, and again whenever that changes: while machines are replaced, for one. Ends with Ctrl-C.
//
//   node --import tsx examples/talos-client/follow-etcd.ts TALOSCONFIG ADDRESS...

import { setTimeout as wait } from 'node:timers/promises'
import { TalosClient } from '#talos/client.ts'
import type { TalosMachine } from '#talos/machine.ts'
import { outcomeOf } from '#talos/outcome.ts'
import { clusterAccess } from './cluster-access.ts'

const EVERY_MS = 1_000

const [talosconfig = 'talosconfig', ...addresses] = process.argv.slice(2)
const ended = new AbortController()
process.once('SIGINT', () => ended.abort())

const client = new TalosClient()
const access = await clusterAccess(talosconfig)
const machines = addresses.map((address) => client.machine({ address, access }))

let before = ''
while (!ended.signal.aborted) {
  const now = await membersOf(machines)
  if (now !== before) process.stdout.write(`${new Date().toISOString()}  ${now}\n`)
  before = now
  await wait(EVERY_MS, undefined, { signal: ended.signal }).catch(() => {})
}
client.close()

/** As the first machine that answers says. What one does not know, the next one may. */
async function membersOf([first, ...others]: readonly TalosMachine[]): Promise<string> {
  if (!first) return 'no machine answers'
  try {
    const members = await first.etcd.members({}, { signal: ended.signal, deadlineMs: 3_000 })
    const words = members.map(({ hostname, isLearner }) =>
      isLearner ? `${hostname} (learns)` : hostname,
    )
    return words.sort().join(', ')
  } catch (error) {
    if (!ended.signal.aborted && outcomeOf(error) === undefined) throw error
    return membersOf(others)
  }
}
