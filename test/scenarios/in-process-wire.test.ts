import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { Secret } from '#base/secret.ts'
import { generateConfig } from '#machineconfig/generate/generate-config.ts'
import { adminCertificate } from '#machineconfig/secrets/certificates.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import { parseFault } from '#simulator/faults/parse-fault.ts'
import { type Simulation, startSimulation } from '#simulator/start-simulation.ts'
import { startWire, type Wire } from '#simulator/wire/start-wire.ts'
import { TalosClient } from '#talos/client.ts'
import type { TalosMachine } from '#talos/machine.ts'
import type { ClusterAccess, MachineTarget } from '#talos/machine-target.ts'
import { MachineError } from '#talos/outcome.ts'
import { quietLog } from '#test/quiet-log.ts'
import { until } from '#test/until.ts'
import { InProcessDoors } from './in-process-doors.ts'
import { InProcessWire } from './in-process-wire.ts'
import { freePort } from './tls-ways.ts'

// One machine after the other is called over TLS and within this process: what befalls one caller befalls the other.

const SUBNET = '127.80.40'
const VERSION = 'v1.6.7'
const [WAITS, JOINED, OTHERS, REFUSES, SILENT, LOSES, RESETS, NOBODY] = [1, 2, 3, 4, 5, 6, 7, 8]
const ANYONE: MachineTarget['access'] = { kind: 'maintenance' }
const IMPATIENT = { deadlineMs: 300 }

let simulation: Simulation
let tls: TalosClient
const wire = new InProcessWire(systemClock)
const near = new TalosClient({ dial: wire.dial })
let port: number
let own: Awaited<ReturnType<typeof aCluster>>
let other: Awaited<ReturnType<typeof aCluster>>

beforeAll(async () => {
  port = await freePort(`${SUBNET}.1`)
  tls = new TalosClient()
  ;[own, other] = [await aCluster(), await aCluster()]
  simulation = await startSimulation({
    machines: [WAITS, JOINED, OTHERS, REFUSES, SILENT, LOSES, RESETS].map((number) => ({
      ...{ address: `${SUBNET}.${number}`, talosVersion: VERSION },
    })),
    ...{ log: quietLog(), speed: Infinity, port, kubernetesPort: 0 },
    reach: {
      startWire: (options) => both(startWire({ ...options, port }), wire.start(options)),
      openDoor: new InProcessDoors(systemClock).open,
    },
  })
  await until(
    'all to wait',
    async () => simulation.fleet.machines.map(({ stage }) => stage),
    (stages) => stages.every((stage) => stage === 'maintenance'),
  )
  await join(JOINED, own)
  await join(LOSES, own)
  await join(RESETS, own)
  await join(OTHERS, other)
})
afterAll(async () => {
  near.close()
  tls.close()
  await simulation[Symbol.asyncDispose]()
})

/** The same machines on two wires. */
const both = (one: Wire, two: Wire): Wire => ({
  add: async (...added) => void (await Promise.all([one.add(...added), two.add(...added)])),
  portAt: (address) => one.portAt(address),
  remove: async (address) => void (await Promise.all([one.remove(address), two.remove(address)])),
  replace: (...replaced) => {
    one.replace(...replaced)
    two.replace(...replaced)
  },
  [Symbol.asyncDispose]: async () => {
    await one[Symbol.asyncDispose]()
    await two[Symbol.asyncDispose]()
  },
})

async function aCluster() {
  const now = new Date(Date.now() - 60_000)
  const secrets = await generateBundle({ talosVersion: VERSION, now })
  const as = async (role: string): Promise<ClusterAccess> => {
    const client = await adminCertificate({ ca: secrets.talos, roles: [role], now })
    return { kind: 'cluster', authority: secrets.talos.certificate, ...client }
  }
  const options = { clusterName: 'one', endpoint: `https://${SUBNET}.1:6443`, secrets }
  return {
    admin: await as('os:admin'),
    reader: await as('os:reader'),
    config: writeConfig(
      generateConfig('controlplane', {
        ...{ ...options, talosVersion: VERSION, kubernetesVersion: 'v1.29.7' },
      }),
    ),
  }
}

const applied = (machine: TalosMachine, { config }: typeof own) =>
  machine.configuration.apply({ configuration: new Secret(config), mode: 'auto' })

const nearAt = (number: number, access: MachineTarget['access']) =>
  near.machine({ address: `${SUBNET}.${number}`, access })

async function join(number: number, cluster: typeof own): Promise<void> {
  await applied(nearAt(number, ANYONE), cluster)
  await until(
    'the machine to run',
    async () => simulation.fleet.machine(`${SUBNET}.${number}`)?.stage ?? '',
    (stage) => stage === 'running' || stage === 'booting',
  )
  await until(
    'its door',
    () =>
      nearAt(number, cluster.admin)
        .version()
        .catch(() => undefined),
    (version) => version !== undefined,
  )
}

/** What came of it on each wire, in words that are free of ports. */
async function fates(
  number: number,
  access: MachineTarget['access'],
  call: (machine: TalosMachine) => Promise<unknown>,
): Promise<string[]> {
  const where = { address: `${SUBNET}.${number}`, access }
  const machines = [tls.machine({ ...where, port }), near.machine(where)]
  const ends: string[] = []
  for (const machine of machines) ends.push(await fateOf(call(machine)))
  return ends
}

const fateOf = (called: Promise<unknown>): Promise<string> =>
  called.then(
    (answer) => `done ${JSON.stringify(answer)}`,
    (error: unknown) =>
      error instanceof MachineError
        ? `${error.outcome} ${error.mismatch ?? ''} ${error.message.replaceAll(`:${port}`, '')}`
        : String(error),
  )

const uuidOf = (machine: TalosMachine) => machine.state.systemInformation()
// Whether a machine has the time to say why it ends a handshake is up to the kernel.
const withoutWhy = (fate = '') => fate.replace(/reached: .*TLS handshake.*/, 'reached')

test.each([
  ['a machine that waits for its configuration, by anyone', WAITS, () => ANYONE, /^done .*"uuid"/],
  ['the same, by a cluster', WAITS, () => own.admin, /^wrong-identity in-maintenance/],
  ['a machine of the cluster', JOINED, () => own.admin, /^done .*"uuid"/],
  ['the same, by anyone', JOINED, () => ANYONE, /^wrong-identity not-in-maintenance/],
  ['the same, by another cluster', JOINED, () => other.admin, /^wrong-identity another-cluster/],
  ['a machine of another cluster', OTHERS, () => own.admin, /^wrong-identity another-cluster/],
  [
    'a machine of the cluster, with a certificate of another',
    JOINED,
    () => ({ ...other.admin, authority: own.admin.authority }),
    /^unreachable/,
  ],
] as const)('%s is the same on both wires', async (...[, number, access, wanted]) => {
  const [overTls = '', nearby] = await fates(number, access(), uuidOf)

  expect(overTls).toMatch(wanted)
  expect(withoutWhy(nearby)).toBe(withoutWhy(overTls))
})

test('a call that the caller has no role for is refused in the same words', async () => {
  const [overTls, nearby] = await fates(JOINED, own.reader, (machine) => machine.reboot())

  expect(overTls).toContain('PERMISSION_DENIED')
  expect(nearby).toBe(overTls)
})

test.each([
  ['an address that nobody has', NOBODY, [], 'ECONNREFUSED'],
  ['a machine that cannot be reached', REFUSES, ['how=refused'], ''],
  ['a machine that does not answer', SILENT, ['how=silent'], 'no answer within 0.3 s'],
] as const)('%s is unreachable on both wires', async (...[, number, how, why]) => {
  const fault = `unreachable:${SUBNET}.${number},${how}`
  const end = how.length > 0 ? simulation.fleet.faults.add(parseFault(fault)) : () => {}

  const [overTls, nearby] = await fates(number, ANYONE, (machine) => machine.version(IMPATIENT))
  end()

  for (const fate of [overTls, nearby]) {
    expect(fate).toMatch(/^unreachable/)
    expect(fate).toContain(why)
  }
})

test('a reply that is lost ends the connection, and what was asked is done', async () => {
  const ends = await fates(LOSES, own.admin, async (machine) => {
    await machine.version()
    simulation.fleet.faults.add(parseFault(`loses-reply:${SUBNET}.${LOSES},call=MetaWrite`))
    return machine.meta.write(10, Buffer.from('here'))
  })

  for (const fate of ends) expect(fate).toMatch(/^lost/)
  expect(await fateOf(nearAt(LOSES, own.admin).version())).toMatch(/^done/)
})

const followed = (machine: TalosMachine): Promise<string> =>
  fateOf(
    (async () => {
      for await (const _ of machine.events()) await undefined
    })(),
  )

test('what flows on ends when the machine boots anew, and nobody gets the old connection', async () => {
  const machine = nearAt(RESETS, own.admin)
  const watching = followed(machine)
  await machine.version()

  await machine.reboot()

  expect(await watching).toMatch(/^(lost|unreachable)/)
  await until(
    'it to be back',
    () => fateOf(machine.version()),
    (fate) => fate.startsWith('done'),
  )
})

test('another machine at the address is not taken for the one that was there', async () => {
  const machine = nearAt(JOINED, own.admin)
  const watching = followed(machine)
  await machine.version()

  simulation.fleet.replace(`${SUBNET}.${JOINED}`)

  expect(await watching).toMatch(/^lost/)
  await until(
    'the other to wait',
    () => fateOf(machine.version()),
    (fate) => fate.startsWith('wrong-identity in-maintenance'),
  )
})
