import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Secret } from '#base/secret.ts'
import { AClient } from '#talos/a-machine.cases.ts'
import { collected } from '#talos/call-case.cases.ts'
import type { TalosMachine } from '#talos/machine.ts'
import { type Outcome, outcomeOf } from '#talos/outcome.ts'
import { bootstrapped, installer, type OurFleet, ourFleet } from '#test/our-client/our-fleet.ts'
import { until } from '#test/until.ts'
import type { MachineFaultName, Step } from './faults/fault-kinds.ts'

// Everything that the simulator makes go wrong, as our client sees it.

const V = 'v1.13.0'
const HOUR_MS = 3_600_000

/** What became of a call: `done`, or how it failed. */
const fateOf = (call: Promise<unknown>): Promise<Outcome | 'done' | undefined> =>
  call.then(() => 'done' as const, outcomeOf)

/** Waits until a machine is off, and so nobody answers. One that boots does not answer either. */
const gone = ({ machine, inside }: OurFleet, name: string) =>
  until(
    `${name} to be gone`,
    async () => ({ fate: await fateOf(machine(name).state.status()), isOn: inside(name).isOn }),
    ({ fate, isOn }) => fate === 'unreachable' && !isOn,
  )

const applying = (our: OurFleet, name: string) =>
  our.machine(name, 'anyone').configuration.apply({
    configuration: new Secret(our.config('controlplane')),
    mode: 'auto',
  })

/** A control plane that has a configuration, and would take a bootstrap. */
async function unborn(fleet: OurFleet, name: string): Promise<void> {
  await applying(fleet, name)
  const { services, state } = fleet.machine(name)
  await fleet.answers(
    'a machine that can be bootstrapped',
    async () => ({ units: await services.list(), time: await state.timeStatus() }),
    ({ units, time }) =>
      time?.synced === true && units.some(({ id, isHealthy }) => id === 'cri' && isHealthy),
  )
}

/** The version of a machine that has booted again. */
async function afterBoot(name: string, tell: (worker: TalosMachine) => Promise<unknown>) {
  const worker = our.machine(name)
  const before = await worker.bootId()
  await tell(worker)
  await our.answers(
    'another boot',
    () => worker.bootId(),
    (id) => id !== before,
  )
  await our.ready([name])
  return (await worker.version()).version
}

// One control plane, and a worker for each of the checks that need one of a cluster.
const workers = [
  ...['falls-back', 'registry-refuses'],
  ...['before-upgrade', 'after-upgrade', 'before-reset', 'after-reset', 'before-reboot'],
]
let our: OurFleet

beforeAll(async () => {
  our = await ourFleet('127.61.3', Object.fromEntries(['cp', ...workers].map((name) => [name, V])))
  await our.bringUp(['cp'], workers)
})

afterAll(() => our?.[Symbol.asyncDispose]())

const uuidOf = async (machine: TalosMachine) => (await machine.state.systemInformation())?.uuid

const faults: Record<Exclude<MachineFaultName, 'dies'>, () => Promise<void>> = {
  unreachable: async () => {
    await using own = await ourFleet('127.61.2', { refusing: V, silent: V })
    const endRefused = own.fault('unreachable', 'refusing', 'how=refused')
    const endSilent = own.fault('unreachable', 'silent', 'how=silent')
    using impatient = new AClient({ limits: { dialMs: 300 } })
    const ask = (name: string) => impatient.machine(own.target(name, 'anyone')).version()

    expect(await fateOf(ask('refusing'))).toBe('unreachable')
    expect(await fateOf(ask('silent'))).toBe('unreachable')
    // It is asked over a connection that was there before: nobody knows what it does.
    expect(await fateOf(own.machine('silent', 'anyone').version({ deadlineMs: 300 }))).toBe('lost')
    endRefused()
    endSilent()
    await own.waiting(['refusing', 'silent'])
  },

  slow: async () => {
    await using own = await ourFleet('127.61.2', { slow: V })
    const end = own.fault('slow', 'slow', 'by=1m', 'call=/Version')
    const machine = own.machine('slow', 'anyone')

    expect(await fateOf(machine.version({ deadlineMs: 200 }))).toBe('lost')
    expect(await fateOf(machine.hostname())).toBe('done')
    end()
    expect(await fateOf(machine.version())).toBe('done')
  },

  'loses-reply': async () => {
    await using own = await ourFleet('127.61.2', { cp: V })
    await unborn(own, 'cp')
    own.fault('loses-reply', 'cp', 'call=/Bootstrap')

    expect(await fateOf(own.machine('cp').bootstrap())).toBe('lost')
    await own.ready(['cp'])
    expect(await fateOf(own.machine('cp').bootstrap())).toBe('already-done')
    const { images, upgrade } = own.machine('cp')
    const image = await images.pull(installer('v1.13.1'))
    own.fault('loses-reply', 'cp', 'call=LifecycleService/Upgrade')
    expect(await fateOf(collected(upgrade.lifecycle({ image })))).toBe('lost')
    await until(
      'the installer to be done all the same',
      async () => own.inside('cp').installedVersion,
      (version) => version === 'v1.13.1',
    )
  },

  'falls-back': async () => {
    our.fault('falls-back', 'falls-back')
    const upgrade = (worker: TalosMachine) => worker.upgrade.legacy({ image: installer('v1.13.1') })

    expect(await afterBoot('falls-back', upgrade)).toBe(V)
    expect(await afterBoot('falls-back', upgrade)).toBe('v1.13.1')
  },

  'disk-missing': async () => {
    await using own = await ourFleet('127.61.2', { cp: V })
    const end = own.fault('disk-missing', 'cp')
    const bootId = own.inside('cp').bootId
    const disks = await own.answers(
      'a disk less',
      () => own.machine('cp', 'anyone').state.disks(),
      (seen) => seen.length < 2,
    )
    await applying(own, 'cp')
    await until(
      'another boot',
      async () => own.inside('cp').bootId,
      (id) => id !== bootId,
    )

    expect(disks.map(({ dev_path: path }) => path)).toEqual(['/dev/sdb'])
    await own.waiting(['cp'])
    end()
    await applying(own, 'cp')
    await bootstrapped(() => own.machine('cp').bootstrap())
  },

  'clock-skew': async () => {
    await using own = await ourFleet('127.61.2', { cp: V })
    const end = own.fault('clock-skew', 'cp', 'by=-1h')
    own.inside('cp').powerOff()
    own.inside('cp').powerOn()
    await own.answers('an API', () => applying(own, 'cp'), Boolean)
    const machine = own.machine('cp')
    const { local, remote } = await own.answers('an API', () => machine.time(), Boolean)
    const refusal = await until(
      'a bootstrap that waits for the time',
      () => machine.bootstrap().catch(String),
      (words) => words?.includes('time is not in sync yet') ?? true,
    )

    expect(Number(local) - Number(remote)).toBe(-HOUR_MS)
    expect(refusal).toContain('time is not in sync yet')
    expect(await fateOf(machine.bootstrap())).toBe('not-ready')
    expect((await machine.state.timeStatus())?.synced).toBe(false)
    end()
    await bootstrapped(() => machine.bootstrap())
  },

  'registry-refuses': async () => {
    const end = our.fault('registry-refuses', 'registry-refuses', 'image=v1.13.1')
    const worker = our.machine('registry-refuses')
    const image = installer('v1.13.1')

    expect(await fateOf(worker.images.pull(image))).toBe('absent')
    expect(await fateOf(worker.images.pullLegacy(image))).toBe('absent')
    expect(await worker.images.pull(image).catch(String)).toContain(
      'error pulling image: failed to',
    )
    expect(await fateOf(worker.upgrade.legacy({ image }))).toBe('refused')
    expect(await fateOf(collected(worker.upgrade.lifecycle({ image })))).toBe('refused')
    expect(await fateOf(worker.images.pull(installer('v1.13.2')))).toBe('done')
    end()
    expect(await fateOf(worker.images.pull(image))).toBe('done')
  },

  'etcd-alarm': async () => {
    await using own = await ourFleet('127.61.2', { cp: V })
    own.fault('etcd-alarm', 'cp', 'alarm=NOSPACE')
    await own.bringUp(['cp'], [])
    const { etcd, cluster } = own.machine('cp')
    const raised = [{ memberId: await cluster.etcdMemberId(), alarm: 'no-space' }]

    expect(await etcd.alarms()).toEqual(raised)
    expect(await etcd.disarm()).toEqual(raised)
    expect(await etcd.alarms()).toEqual([])
  },

  'static-pod-fails': async () => {
    await using own = await ourFleet('127.61.2', { cp: V })
    await own.bringUp(['cp'], [])
    const { state, configuration } = own.machine('cp')
    const end = own.fault('static-pod-fails', 'cp', 'image=kube-scheduler')
    const has = (await state.configuration('v1alpha1'))?.text.open() ?? ''
    const another = has.replace(/(kube-scheduler:v\d+\.\d+)\.\d+/, '$1.9')
    await configuration.apply({ configuration: new Secret(another), mode: 'no-reboot' })
    const seen = await own.answers(
      'a machine that is not ready',
      () => state.status(),
      (status) => status?.isReady === false,
    )

    expect(seen?.unmetConditions.map(({ name }) => name)).toEqual(['staticPods'])
    end()
    await own.ready(['cp'])
  },

  'etcd-down': async () => {
    await using own = await ourFleet('127.61.2', { cp1: V, cp2: V, cp3: V })
    await own.bringUp(['cp1', 'cp2', 'cp3'], [])
    const { etcd, services, state, cluster } = own.machine('cp2')
    const end = own.fault('etcd-down', 'cp2')
    const [seen] = await own.answers(
      'an etcd that does not run',
      async () => (await services.list()).filter(({ id }) => id === 'etcd'),
      ([one]) => one?.state === 'Waiting',
    )

    expect([seen?.isHealthy, seen?.healthMessage]).toEqual([false, 'service not running'])
    expect(await fateOf(etcd.members({ local: true }))).toBe('refused')
    expect(await fateOf(etcd.status())).toBe('refused')
    expect(await etcd.members()).toHaveLength(3)
    expect([await state.service('etcd'), await cluster.etcdMemberId()]).toEqual([
      ...[undefined, undefined],
    ])
    end()
    await own.ready(['cp1', 'cp2', 'cp3'])
    expect(await etcd.members({ local: true })).toHaveLength(3)
  },

  'rejects-config': async () => {
    await using own = await ourFleet('127.61.2', { cp: V })
    const end = own.fault('rejects-config', 'cp')

    expect(await fateOf(applying(own, 'cp'))).toBe('refused')
    await own.waiting(['cp'])
    end()
    own.fault('rejects-config', 'cp', 'with=not in there')
    expect(await fateOf(applying(own, 'cp'))).toBe('done')
  },

  'wrong-machine': async () => {
    await using own = await ourFleet('127.61.2', { cp: V })
    await own.bringUp(['cp'], [])
    const machine = own.machine('cp')
    const before = await uuidOf(machine)
    own.fault('wrong-machine', 'cp')
    await own.waiting(['cp'])

    await expect(machine.version()).rejects.toMatchObject({
      ...{ outcome: 'wrong-identity', mismatch: 'in-maintenance' },
    })
    expect(await uuidOf(own.machine('cp', 'anyone'))).not.toBe(before)
  },
}

describe('a fault', () => {
  test.each(Object.entries(faults))('%s is told apart by our client', (_, check) => check())
})

/** What our client does to a machine that dies of it, and how it finds the machine when it is on again. */
interface Death {
  readonly tell: (fleet: OurFleet, name: string) => Promise<unknown>
  /** What became of the call. */
  readonly fate: Outcome | 'done'
  readonly found: (fleet: OurFleet, name: string) => Promise<unknown>
}

const waits: Death['found'] = ({ waiting }, name) => waiting([name])
const boots: Death['found'] = ({ answers, machine }, name) =>
  answers(
    'a boot',
    () => machine(name).state.status(),
    (seen) => seen?.stage === 'booting',
  )
const runs =
  (version: string): Death['found'] =>
  async ({ machine, ready }, name) => {
    await ready([name])
    expect((await machine(name).version()).version).toBe(version)
  }

const upgrade: Death['tell'] = ({ machine }, name) =>
  machine(name).upgrade.legacy({ image: installer('v1.13.1') })
const reset: Death['tell'] = ({ machine }, name) =>
  machine(name).reset({ graceful: true, reboot: true, partitions: ['STATE', 'EPHEMERAL'] })
const bootstrap: Death['tell'] = ({ machine }, name) => machine(name).bootstrap()

const deaths: Record<Step, Death> = {
  'after-apply': { tell: applying, fate: 'lost', found: waits },
  'before-install': { tell: applying, fate: 'done', found: waits },
  'after-install': { tell: applying, fate: 'done', found: boots },
  'before-etcd-join': { tell: applying, fate: 'done', found: boots },
  // It had accepted, and had not begun.
  'after-bootstrap': { tell: bootstrap, fate: 'lost', found: boots },
  'before-upgrade': { tell: upgrade, fate: 'done', found: runs(V) },
  'after-upgrade': { tell: upgrade, fate: 'done', found: runs('v1.13.1') },
  'before-reset': { tell: reset, fate: 'done', found: runs(V) },
  'after-reset': { tell: reset, fate: 'done', found: waits },
  'before-reboot': {
    ...{ tell: ({ machine }, name) => machine(name).reboot(), fate: 'done', found: runs(V) },
  },
}

async function dies(fleet: OurFleet, name: string, [step, death]: [string, Death]) {
  fleet.fault('dies', name, `at=${step}`)

  expect(await fateOf(death.tell(fleet, name))).toBe(death.fate)
  await gone(fleet, name)
  fleet.inside(name).powerOn()
  await death.found(fleet, name)
}

test.each(Object.entries(deaths))(
  'a machine that dies %s is gone, and is found as it was left',
  async (step, death) => {
    if (workers.includes(step)) return dies(our, step, [step, death])
    await using own = await ourFleet('127.61.2', { cp: V })
    if (death.tell === bootstrap) {
      await applying(own, 'cp')
      await boots(own, 'cp')
    }
    await dies(own, 'cp', [step, death])
  },
)
