import { expect, test } from 'vitest'
import { Secret } from '#base/secret.ts'
import { AClient } from '#talos/a-machine.cases.ts'
import { outcomeOf } from '#talos/outcome.ts'
import { type OurFleet, ourFleet } from '#test/our-client/our-fleet.ts'
import { until } from '#test/until.ts'

// Configurations that keep us from the machine that took them, as our client sees it.

const TRIED_MS = 4_000

const ELSEWHERE = (text: string) =>
  text.replace(
    /^ {4}network: \{\}$/m,
    '    network: {interfaces: [{interface: eth0, addresses: [10.9.9.9/24]}]}',
  )
const BLOCK = (text: string) =>
  `${text}---\napiVersion: v1alpha1\nkind: NetworkDefaultActionConfig\ningress: block\n`

const trying = (our: OurFleet, change: (text: string) => string) =>
  our.machine('cp').configuration.apply({
    configuration: new Secret(change(our.config('controlplane'))),
    mode: 'try',
    tryTimeoutMs: TRIED_MS,
  })

/** What becomes of a call over a connection that is not there yet. */
async function dialled(our: OurFleet): Promise<string | undefined> {
  using client = new AClient({ limits: { dialMs: 200 } })
  const { version } = client.machine(our.target('cp'))
  return await version().then(() => 'done', outcomeOf)
}

test.each([
  ['takes its address away', ELSEWHERE, 'lost'],
  ['shuts its port', BLOCK, 'done'],
])(
  'a machine answers to a configuration that %s, is gone, and comes back in time',
  async (_what, change, known) => {
    await using our = await ourFleet('127.61.4', { cp: 'v1.13.0' })
    await our.bringUp(['cp'], [])

    const { mode } = await trying(our, change)
    await until(
      'nobody to get through',
      () => dialled(our),
      (fate) => fate === 'unreachable',
    )
    const fate = await our
      .machine('cp')
      .version({ deadlineMs: 200 })
      .then(() => 'done', outcomeOf)
    await until(
      'the machine to be back',
      () => dialled(our),
      (seen) => seen === 'done',
    )

    expect([mode, fate]).toEqual(['try', known])
  },
)
