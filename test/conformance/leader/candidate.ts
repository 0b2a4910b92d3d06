// A process that stands for election, for leader.suite.ts:
//   candidate.ts <kubeconfig> <name of the Lease> <identity> <timing as JSON>
// It prints what becomes of it, and each time it acts, which only `holds` keeps it from: one JSON a
// line, with the milliseconds of the clock that all processes of a machine share.

import { systemClock } from '#base/clock.ts'
import { Leadership } from '#runtime/leader.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'

const ACT_EVERY_MS = 10

const [kubeconfig = '', name = '', identity = '', timing = '{}'] = process.argv.slice(2)

const print = (line: object): void => {
  const atMs = Number(process.hrtime.bigint() / 1_000_000n)
  process.stdout.write(`${JSON.stringify({ ...line, atMs })}\n`)
}

const client = await clientOf({ kubeconfig })
const leadership = new Leadership({
  ...{ client, clock: systemClock, namespace: 'default', name, identity },
  timing: JSON.parse(timing),
  onState: ({ state }) => print({ state }),
})
const end = new AbortController()
process.once('SIGTERM', () => end.abort())
let cancel = () => {}
const act = () => {
  if (leadership.holds) print({ state: 'acting' })
  cancel = systemClock.after(ACT_EVERY_MS, act)
}
act()
print({ state: 'started', pid: process.pid })

await leadership.run(
  end.signal,
  (signal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
)
cancel()
client.close()
print({ state: 'ended' })
