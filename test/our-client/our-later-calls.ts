import { expect } from 'vitest'
import { collected } from '#talos/call-case.cases.ts'
import type { TalosMachine } from '#talos/machine.ts'
import { asking, badly, type OurCall, read } from './our-call.ts'
import { installer, type OurFleet } from './our-fleet.ts'

const BEGUN = { actorId: expect.stringMatching(/^[0-9a-f-]{36}$/) }

/** A worker after it was told to boot, or to do something that ends with it. */
async function afterBoot(
  { machine, answers, ready }: OurFleet,
  tell: (worker: TalosMachine) => Promise<unknown>,
) {
  const worker = machine('worker')
  const before = await worker.bootId()
  const told = await tell(worker)
  await answers(
    'another boot',
    () => worker.bootId(),
    (id) => id !== before,
  )
  await ready(['worker'])
  return { told, version: (await worker.version()).version }
}

/** The id of a machine's etcd member, as the first control plane knows it. */
async function memberOf({ machine, address }: OurFleet, name: string): Promise<bigint> {
  const members = await machine('cp1').etcd.members()
  const found = members.find(({ peerUrls }) => peerUrls.includes(`https://${address(name)}:2380`))
  if (!found) throw new Error(`${name} is no member`)
  return found.id
}

/** etcd, and what ends a boot: each finds what those before it left. */
export const ourLaterCalls: readonly OurCall[] = [
  read('etcd.members', async (m) => (await m.etcd.members()).length, { gives: 3, bad: 'worker' }),
  read('etcd.status', (m) => m.etcd.status(), {
    gives: expect.objectContaining({ isLearner: false, storageVersion: '3.6.0', errors: [] }),
    bad: 'worker',
  }),
  read('etcd.alarms', (m) => m.etcd.alarms(), { gives: [], bad: 'worker' }),
  read('etcd.disarm', (m) => m.etcd.disarm(), { gives: [], bad: 'reader' }),
  read('etcd.defragment', (m) => m.etcd.defragment(), { gives: undefined, bad: 'reader' }),
  read(
    'etcd.snapshot',
    async (m) => (await collected(m.etcd.snapshot())).reduce((sum, { length }) => sum + length, 0),
    { gives: expect.any(Number), bad: 'reader' },
  ),
  {
    name: 'etcd.forfeitLeadership',
    good: async ({ machine }) => {
      const [first, second] = [machine('cp1'), machine('cp2')].map(({ etcd }) => etcd)
      // One of the two leads after the other was asked.
      const heirs = [await first?.forfeitLeadership(), await second?.forfeitLeadership()]
      const { leaderId } = await machine('cp1').etcd.status()
      const { hostname } =
        (await machine('cp1').etcd.members()).find(({ id }) => id === leaderId) ?? {}
      return heirs.findLast((heir) => heir !== undefined) === hostname
    },
    gives: true,
    ...badly('operator', (m) => m.etcd.forfeitLeadership()),
  },
  {
    name: 'reboot',
    good: (our) => afterBoot(our, (worker) => worker.reboot()),
    gives: { told: BEGUN, version: 'v1.13.0' },
    ...badly('reader', (m) => m.reboot()),
  },
  {
    name: 'upgrade.lifecycle',
    good: (our) =>
      afterBoot(our, async (worker) => {
        const image = await worker.images.pull(installer('v1.13.2'))
        const output = await collected(worker.upgrade.lifecycle({ image }))
        await worker.reboot({ mode: 'force' })
        return output.at(-1)
      }),
    gives: { told: { exitCode: 0 }, version: 'v1.13.2' },
    bad: asking('worker', 'admin', (m) =>
      collected(m.upgrade.lifecycle({ image: 'never:pulled' })),
    ),
    fails: { outcome: 'refused' },
  },
  {
    name: 'rollback',
    good: (our) => afterBoot(our, (worker) => worker.rollback()),
    gives: { told: undefined, version: 'v1.13.0' },
    bad: asking('cp1', 'admin', (m) => m.rollback()),
    fails: { outcome: 'refused' },
  },
  {
    name: 'upgrade.legacy',
    good: (our) =>
      afterBoot(our, (worker) => worker.upgrade.legacy({ image: installer('v1.13.1') })),
    gives: { told: BEGUN, version: 'v1.13.1' },
    bad: asking('worker', 'admin', (m) => m.upgrade.legacy({ image: 'No Image' })),
    fails: { outcome: 'refused' },
  },
  {
    name: 'reset',
    good: async ({ machine, waiting }) => {
      const partitions = ['STATE', 'EPHEMERAL']
      const begun = await machine('worker').reset({ graceful: true, reboot: true, partitions })
      await waiting(['worker'])
      return begun
    },
    gives: BEGUN,
    bad: asking('worker', 'admin', (m) =>
      m.reset({ graceful: true, reboot: true, userDisks: ['/dev/sdx'] }),
    ),
    fails: { outcome: 'refused' },
  },
  {
    name: 'shutdown',
    good: async ({ machine, answers, inside }) => {
      const begun = await machine('cp3', 'operator').shutdown({ force: true })
      await answers(
        'a machine that is off',
        async () => inside('cp3').isOn,
        (isOn) => !isOn,
      )
      return begun
    },
    gives: BEGUN,
    ...badly('reader', (m) => m.shutdown()),
  },
  {
    name: 'etcd.removeMember',
    good: async (our) => {
      const { etcd } = our.machine('cp1')
      await etcd.removeMember(await memberOf(our, 'cp3'))
      return (await etcd.members()).length
    },
    gives: 2,
    bad: asking('cp1', 'admin', (m) => m.etcd.removeMember(1n)),
    fails: { outcome: 'already-done' },
  },
  {
    name: 'etcd.leave',
    good: async ({ machine }) => {
      await machine('cp2').etcd.leave()
      return (await machine('cp1').etcd.members()).length
    },
    gives: 1,
    ...badly('worker', (m) => m.etcd.leave()),
  },
  {
    name: 'services.stop',
    // Talos stops nothing of its own for clients; what does not run is stopped.
    good: asking('cp2', 'admin', (m) => m.services.stop('etcd')),
    gives: 'Service "etcd" stopped',
    bad: asking('cp1', 'admin', (m) => m.services.stop('kubelet')),
    fails: { outcome: 'refused' },
  },
]
