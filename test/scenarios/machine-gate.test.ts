import { afterAll, beforeAll, expect, test } from 'vitest'
import { sleep } from '#base/clock.ts'
import { Secret } from '#base/secret.ts'
import { generateConfig } from '#machineconfig/generate/generate-config.ts'
import type { Role } from '#machineconfig/generate/options.ts'
import { adminCertificate } from '#machineconfig/secrets/certificates.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import { parseFault } from '#simulator/faults/parse-fault.ts'
import { type Simulation, startSimulation } from '#simulator/start-simulation.ts'
import { collected } from '#talos/call-case.cases.ts'
import type { TalosMachine } from '#talos/machine.ts'
import type { ClusterAccess } from '#talos/machine-target.ts'
import { outcomeOf } from '#talos/outcome.ts'
import { quietLog } from '#test/quiet-log.ts'
import { Boundary, type Interruption } from './boundary.ts'
import { InProcessDoors } from './in-process-doors.ts'
import { InProcessWire } from './in-process-wire.ts'
import { MachineGate } from './machine-gate.ts'
import { RacingClock } from './racing-clock.ts'

// What an operator upgrades machines with, on simulated ones that are sixty times faster than real ones.

const SUBNET = '127.80.60'
const [FIRST, WORKER] = [`${SUBNET}.1`, `${SUBNET}.2`]
const CONTRACT = 'v1.6.0'
const HOUR_MS = 3_600_000

const clock = new RacingClock({ isAlone: true })
const wire = new InProcessWire(clock)
let simulation: Simulation
let access: ClusterAccess

beforeAll(async () => {
  simulation = await startSimulation({
    machines: [FIRST, WORKER].map((address) => ({ address, talosVersion: 'v1.13.0' })),
    ...{ clock, speed: 60, log: quietLog(), kubernetesPort: 6443 },
    reach: { startWire: wire.start.bind(wire), openDoor: new InProcessDoors(clock).open },
  })
  const secrets = await generateBundle({ talosVersion: CONTRACT, now: clock.now() })
  const admin = await adminCertificate({ ca: secrets.talos, roles: ['os:admin'], now: clock.now() })
  access = { kind: 'cluster', authority: secrets.talos.certificate, ...admin }
  const endpoint = `https://${FIRST}:6443`
  const config = (role: Role) =>
    writeConfig(
      generateConfig(role, {
        ...{ clusterName: 'one', endpoint, secrets, talosVersion: CONTRACT },
        ...{ kubernetesVersion: '1.32.0', install: { image: installer('v1.13.0') } },
      }),
    )
  clock.start()
  const gate = aGate()
  const waiting = (address: string) => gate.of({ address, access: { kind: 'maintenance' } })
  for (const [address, role] of [
    [FIRST, 'controlplane'],
    [WORKER, 'worker'],
  ] as const) {
    const configuration = new Secret(config(role))
    await done(() => waiting(address).configuration.apply({ configuration, mode: 'auto' }))
  }
  await done(() => gate.machine(FIRST).bootstrap())
  await running(FIRST, 'v1.13.0')
  await running(WORKER, 'v1.13.0')
})
afterAll(async () => {
  await simulation[Symbol.asyncDispose]()
  clock[Symbol.dispose]()
})

const inside = (address: string) => {
  const machine = simulation.fleet.machine(address)
  if (!machine) throw new Error(`nobody is at ${address}`)
  return machine
}

/** Waits, by the clock of the machines. */
async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const end = clock.monotonicMs() + HOUR_MS
  while (!(await isSo())) {
    if (clock.monotonicMs() > end) throw new Error(`waited in vain for ${what}`)
    await sleep(clock, 1_000)
  }
}

const done = (call: () => Promise<unknown>) =>
  until('a call to be accepted', () =>
    call().then(
      () => true,
      () => false,
    ),
  )

const running = (address: string, version: string) =>
  until(`${address} to run ${version}`, () => {
    const { stage, isReady, talosVersion } = inside(address)
    return stage === 'running' && isReady && talosVersion === version
  })

/** Machines as an operator has them, who dies of it when he is told to. */
function aGate() {
  const boundary = new Boundary(() => clock.now())
  let isDead = false
  const gate: MachineGate = new MachineGate({
    ...{ clock, boundary, talos: { dial: wire.dial }, isRefusing: () => false },
    lookAt: async (address) => {
      const { stage, talosVersion: version, bootId, hardware } = inside(address)
      return { stage, version, bootId, uuid: hardware.uuid, claims: [] }
    },
    loseReply: (address, call) =>
      simulation.fleet.faults.add(parseFault(`loses-reply:${address},call=${call}`)),
    kill: () => {
      isDead = true
      gate[Symbol.dispose]()
    },
  })
  return {
    boundary,
    of: (target: Parameters<MachineGate['machine']>[0]) => gate.machine(target),
    machine: (address: string): TalosMachine => gate.machine({ address, access }),
    isDead: () => isDead,
    [Symbol.dispose]: () => gate[Symbol.dispose](),
  }
}

const installer = (version: string) => `ghcr.io/siderolabs/installer:${version}`

const fateOf = (call: Promise<unknown>) => call.then(() => 'done', outcomeOf)

type Make = (machine: TalosMachine, image: string) => Promise<unknown>

const calls: Record<string, Make> = {
  'images.pull': ({ images }, image) => images.pull(image),
  'images.pullLegacy': ({ images }, image) => images.pullLegacy(image),
  'upgrade.lifecycle': ({ upgrade }, image) => collected(upgrade.lifecycle({ image })),
}

/** Makes a call that is interrupted, on an image that is there already. */
async function interrupted([name, make]: [string, Make], how: Interruption['how']) {
  using gate = aGate()
  const machine = gate.machine(WORKER)
  await machine.images.pull(installer('v1.13.1'))
  gate.boundary.interrupt({ how, at: `${name} ${WORKER}` })
  const fate = await fateOf(make(machine, installer('v1.13.1')))
  const outcome = gate.boundary.history.at(-1)?.outcome
  return { fate, outcome, isDead: gate.isDead() }
}

test.each(Object.entries(calls))('%s can be interrupted like any other change', async (...call) => {
  const lost = await interrupted(call, 'reply lost')
  // The installer is at work still.
  await sleep(clock, 60_000)

  expect(lost).toEqual({ fate: 'lost', outcome: 'reply lost', isDead: false })
  expect(await interrupted(call, 'killed after')).toMatchObject({ outcome: 'done', isDead: true })
  expect(await interrupted(call, 'killed before')).toEqual({
    ...{ fate: undefined, outcome: 'never made', isDead: true },
  })
})

test('a stream is made when somebody listens, and its outcome is known at its end', async () => {
  using gate = aGate()
  const { upgrade, images } = gate.machine(WORKER)
  const image = await images.pull(installer('v1.13.1'))
  const { bootId } = inside(WORKER)

  const output = upgrade.lifecycle({ image })
  const before = gate.boundary.history.length
  const refused = fateOf(collected(upgrade.lifecycle({ image: 'never:pulled' })))
  const said = [await refused, (await collected(output)).at(-1)]

  expect(before).toBe(1)
  expect(said).toEqual(['refused', { exitCode: 0 }])
  expect(gate.boundary.history).toMatchObject([
    { method: 'images.pull', outcome: 'done', version: 'v1.13.0', bootId },
    { method: 'upgrade.lifecycle', outcome: 'refused', refusal: expect.any(String) },
    { method: 'upgrade.lifecycle', outcome: 'done', stage: 'running', bootId },
  ])
})

test('a stream of a dead operator is not written down', async () => {
  const gate = aGate()
  const { upgrade } = gate.machine(WORKER)
  const output = upgrade.lifecycle({ image: 'x' })
  gate[Symbol.dispose]()

  await expect(collected(output)).rejects.toThrow('this operator is dead')
  expect(gate.boundary.history).toEqual([])
})

const older: Make = async ({ images, upgrade }, image) => {
  await images.pullLegacy(image)
  await upgrade.legacy({ image })
}

const newer: Make = async ({ images, upgrade, reboot }, image) => {
  const output = await collected(upgrade.lifecycle({ image: await images.pull(image) }))
  expect(output.at(-1)).toEqual({ exitCode: 0 })
  await reboot()
}

test.each([
  { name: 'the older way', upgrade: older, next: 'v1.13.2', last: 'v1.13.3' },
  { name: 'the newer way', upgrade: newer, next: 'v1.13.4', last: 'v1.13.5' },
])('$name upgrades, falls back, and dies on the way', async ({ upgrade, next, last }) => {
  using gate = aGate()
  const machine = gate.machine(WORKER)
  const fault = (text: string) => simulation.fleet.faults.add(parseFault(text))
  const [first, before] = [await machine.bootId(), inside(WORKER).talosVersion]
  fault(`falls-back:${WORKER}`)
  await upgrade(machine, installer(next))
  await until('another boot', () => ![first, ''].includes(inside(WORKER).bootId))
  await running(WORKER, before)
  await upgrade(machine, installer(next))
  await running(WORKER, next)

  expect(await machine.bootId()).not.toBe(first)
  for (const [step, version] of [
    ['before-upgrade', next],
    ['after-upgrade', last],
  ] as const) {
    fault(`dies:${WORKER},at=${step}`)
    await fateOf(upgrade(machine, installer(last)))
    await until('the machine to be off', () => !inside(WORKER).isOn)
    inside(WORKER).powerOn()
    await running(WORKER, version)
  }
})
