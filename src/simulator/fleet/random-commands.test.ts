import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SimulatedMachine } from '#simulator/machine/simulated-machine.ts'
import { Refusal } from '#simulator/refusal.ts'
import { FakeClock } from '#test/fake-clock.ts'
import {
  type AFleet,
  aFleet,
  applying,
  BOOTSTRAP,
  configText,
  resetting,
  upgrading,
} from './a-fleet.cases.ts'

const controlPlane = configText('controlplane')
const worker = configText('worker')
const SECRETS = [...controlPlane.matchAll(/(?:key|token|secret): (\S{20,})/g)].map(
  ([, secret = '']) => secret,
)
const EPHEMERAL = [{ label: 'EPHEMERAL', wipe: true }]
const BOTH = [...EPHEMERAL, { label: 'STATE', wipe: true }]

const COMMANDS: Record<string, (machine: SimulatedMachine) => unknown> = {
  controlPlane: (machine) => machine.applyConfiguration(applying(controlPlane)),
  worker: (machine) => machine.applyConfiguration(applying(worker)),
  staged: (machine) => machine.applyConfiguration(applying(controlPlane, { mode: 'STAGED' })),
  bootstrap: (machine) => machine.bootstrap(BOOTSTRAP),
  reboot: (machine) => machine.reboot('DEFAULT'),
  force: (machine) => machine.reboot('FORCE'),
  shutdown: (machine) => machine.shutdown(true),
  on: (machine) => machine.powerOn(),
  off: (machine) => machine.powerOff(),
  upgrade: (machine) => machine.upgrade(upgrading('v1.13.4')),
  stage: (machine) => machine.upgrade(upgrading('v1.13.5', { stage: true, force: true })),
  rollback: (machine) => machine.rollback(),
  reset: (machine) => machine.reset(resetting({ partitions: BOTH })),
  hardReset: (machine) => machine.reset(resetting({ graceful: false, partitions: EPHEMERAL })),
  wipe: (machine) => machine.reset(resetting({ graceful: false })),
  leave: (machine) => machine.etcd?.leave(),
}

/** Which stages may follow each other, after a boot or without one. */
const NEXT: Record<string, readonly string[]> = {
  '': ['booting'],
  booting: [
    ...['booting', 'maintenance', 'installing', 'running', 'rebooting', 'upgrading', 'resetting'],
    'shutting down',
  ],
  maintenance: ['booting', 'rebooting', 'upgrading', 'shutting down'],
  installing: ['rebooting', 'booting', 'shutting down'],
  running: ['rebooting', 'upgrading', 'resetting', 'shutting down', 'booting'],
  rebooting: ['booting', 'rebooting', 'shutting down'],
  upgrading: ['rebooting', 'booting', 'shutting down'],
  resetting: ['rebooting', 'booting', 'shutting down'],
  'shutting down': ['booting'],
}

async function perform(machine: SimulatedMachine, command: string): Promise<void> {
  try {
    const answer = COMMANDS[command]?.(machine)
    // What is on its way is not waited for: the next command may come in between.
    if (answer instanceof Promise) answer.catch(onlyRefusals)
  } catch (error) {
    onlyRefusals(error)
  }
}

function onlyRefusals(error: unknown): void {
  if (!(error instanceof Refusal)) throw error
}

function check({ fleet }: AFleet): void {
  for (const { halves } of fleet.clusters) {
    for (const { etcd } of halves) {
      const members = fleet.machines.flatMap((machine) => machine.etcd?.id ?? [])
      expect(new Set(members).size).toBe(members.length)
      expect(etcd.members.filter(({ id }) => id === etcd.leader).length).toBeLessThanOrEqual(1)
      if (etcd.leader !== undefined) {
        expect(etcd.members.find(({ id }) => id === etcd.leader)?.isRunning).toBe(true)
      }
    }
  }
  for (const { address, isOn, door } of fleet.machines) {
    checkHistory(fleet.history.of(address).map(({ what }) => what))
    if (!isOn) expect(door).toBe('shut')
  }
}

function checkHistory(happenings: readonly string[]): void {
  let stage = ''
  for (const what of happenings) {
    const [, next] = /^stage (.*)$/.exec(what) ?? []
    if (next === undefined) continue
    expect(NEXT[stage], `${stage} → ${next}`).toContain(next)
    stage = next
  }
}

/** What is on the disk changes only when something was done that changes it. */
function checkVersions(before: Map<string, readonly unknown[]>, { fleet }: AFleet): void {
  for (const { address, installedVersion } of fleet.machines) {
    const done = fleet.history.of(address).map(({ what }) => what)
    const reasons = done.filter((what) => /^(installs|wipes|is told to roll back|fails)/.test(what))
    const [version, count = 0] = before.get(address) ?? []
    before.set(address, [installedVersion, reasons.length])
    if (version === installedVersion) continue
    expect(reasons.length, `${version} → ${installedVersion}`).toBeGreaterThan(Number(count))
  }
}

it('whatever machines are told, etcd has one leader, stages follow each other, nothing secret is told', async () => {
  const step = fc.record({
    machine: fc.nat(2),
    command: fc.constantFrom(...Object.keys(COMMANDS)),
    seconds: fc.constantFrom(0, 1, 5, 20, 60, 120),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.nat(1000), async (steps, seed) => {
      const clock = new FakeClock()
      const one = aFleet(clock, { seed })
      const machines = await one.cluster(2, 1)
      const versions = new Map<string, readonly unknown[]>()
      for (const { machine, command, seconds } of steps) {
        const target = machines[machine]
        if (target) await perform(target, command)
        await one.seconds(seconds)
        check(one)
        checkVersions(versions, one)
      }
      const told = JSON.stringify(one.fleet.history.happenings)
      expect(SECRETS.length).toBeGreaterThan(5)
      for (const secret of SECRETS) expect(told).not.toContain(secret)
      await one.fleet[Symbol.asyncDispose]()
      await one.seconds(5)
      expect(clock.waiting).toBe(0)
    }),
    { numRuns: 25, seed: 5 },
  )
}, 120_000)
