import { status } from '@grpc/grpc-js'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import {
  apidCertificate,
  etcdPeerCertificate,
} from '#machineconfig/secrets/machine-certificates.ts'
import { aMachine, type TestMachine } from '#simulator/services/a-machine.cases.ts'
import { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { until } from '#test/until.ts'
import {
  type ACluster,
  aCaller,
  aCluster,
  anonymous,
  credentials,
  failureOf,
} from './a-caller.cases.ts'
import { startWire, type Wire } from './start-wire.ts'
import type { WireFaults } from './wire-faults.ts'

const { version, reboot, events, etcdMemberList, applyConfiguration } = MachineService.method

let cluster: ACluster
let other: ACluster
const ended: AsyncDisposable[] = []

beforeAll(async () => {
  cluster = await aCluster()
  other = await aCluster()
})

afterEach(async () => {
  for (const one of ended.splice(0)) await one[Symbol.asyncDispose]()
})

function aWire(clock = systemClock): Wire {
  const wire = startWire({ clock, port: 0 })
  ended.push(wire)
  return wire
}

const inCluster = (type: 'controlplane' | 'worker', address = '127.0.0.1'): TestMachine =>
  aMachine(systemClock, {
    address,
    type,
    door: 'cluster',
    config: cluster.config(type),
    hostname: `m-${address}`,
  })

interface ChangeableFaults extends WireFaults {
  set(change: Partial<WireFaults>): void
}

function someFaults(): ChangeableFaults {
  const listeners = new Set<() => void>()
  const faults = {
    isUnreachable: false,
    isBlackHole: false,
    ignoresNew: false,
    latencyMs: () => 0,
    losesReply: () => false,
    onChange: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set: (change: Partial<WireFaults>) => {
      Object.assign(faults, change)
      for (const listener of [...listeners]) listener()
    },
  }
  return faults
}

describe('a machine in maintenance mode', () => {
  test('lets in anyone, as a reader', async () => {
    const wire = aWire()
    await wire.add(aMachine(systemClock))
    using caller = aCaller(wire.portAt('127.0.0.1'), anonymous())

    expect((await caller.unary(version)).messages[0]?.version?.tag).toBe('v1.13.0')
    expect(await failureOf(caller.unary(reboot))).toEqual({
      code: status.PERMISSION_DENIED,
      details: 'not authorized',
    })
  })

  test('ends its connections when its door is another, after its last answers have gone out', async () => {
    const wire = aWire()
    const machine = aMachine(systemClock, {
      applyConfiguration: () => {
        machine.config = cluster.config('controlplane')
        machine.type = 'controlplane'
        machine.open('cluster')
        return { warnings: [], mode: 'NO_REBOOT', details: 'done' }
      },
    })
    await wire.add(machine)
    using before = aCaller(wire.portAt('127.0.0.1'), anonymous())
    const answer = await before.unary(applyConfiguration, {})
    using after = aCaller(wire.portAt('127.0.0.1'), await cluster.access(['os:admin']))

    expect(answer.messages[0]?.modeDetails).toBe('done')
    expect((await after.unary(version)).messages).toHaveLength(1)
    expect((await failureOf(before.unary(version))).code).toBe(status.UNAVAILABLE)
  })
})

describe('a machine of a cluster', () => {
  test('lets in those with a certificate of the cluster, with the roles that it names', async () => {
    const wire = aWire()
    await wire.add(inCluster('controlplane'))
    const port = wire.portAt('127.0.0.1')
    using admin = aCaller(port, await cluster.access(['os:admin']))
    using reader = aCaller(port, await cluster.access(['os:reader']))

    expect((await admin.unary(reboot)).messages[0]?.actorId).toBe('actor-1')
    expect((await reader.unary(version)).messages).toHaveLength(1)
    expect((await failureOf(reader.unary(reboot))).code).toBe(status.PERMISSION_DENIED)
  })

  test('lets in nobody else: no certificate, one of another cluster, one that is not for clients alone', async () => {
    const wire = aWire()
    await wire.add(inCluster('controlplane'))
    const port = wire.portAt('127.0.0.1')
    const authority = cluster.secrets.talos
    const now = new Date(Date.now() - 3_600_000)
    const names = { ca: authority, name: 'x', hosts: ['127.0.0.1'], now }
    const strangers = [
      anonymous(),
      await other.access(['os:admin']),
      credentials(authority.certificate, await apidCertificate(names)),
      credentials(authority.certificate, await etcdPeerCertificate(names)),
    ]

    for (const access of strangers) {
      using caller = aCaller(port, access)
      expect((await failureOf(caller.unary(version))).code).toBe(status.UNAVAILABLE)
    }
  })

  test('takes the roles of a call from another machine, and from nobody else', async () => {
    const wire = aWire()
    await wire.add(inCluster('controlplane'))
    const port = wire.portAt('127.0.0.1')
    using machine = aCaller(port, await cluster.access(['os:impersonator']))
    using reader = aCaller(port, await cluster.access(['os:reader']))
    const asAdmin = { 'talos-role': 'os:admin' }

    expect((await machine.unary(reboot, {}, asAdmin)).messages).toHaveLength(1)
    expect((await failureOf(reader.unary(reboot, {}, asAdmin))).code).toBe(status.PERMISSION_DENIED)
  })

  test('answers what cannot be read, or is too large, with the right code, and goes on', async () => {
    const wire = aWire()
    await wire.add(inCluster('controlplane'))
    using caller = aCaller(wire.portAt('127.0.0.1'), await cluster.access(['os:admin']))
    const path = '/machine.MachineService/ApplyConfiguration'

    expect((await failureOf(caller.raw(path, Buffer.from([0x0a, 0xff])))).code).toBe(
      status.INTERNAL,
    )
    const large = Buffer.alloc(32 * 1024 * 1024 + 1)
    expect((await failureOf(caller.raw(path, large))).code).toBe(status.RESOURCE_EXHAUSTED)
    expect((await failureOf(caller.raw('/machine.Nothing/AtAll', Buffer.alloc(0)))).code).toBe(
      status.UNIMPLEMENTED,
    )
    expect((await caller.unary(version)).messages).toHaveLength(1)
  })
})

describe('calls for others', () => {
  async function three() {
    const wire = aWire()
    const machines = {
      first: inCluster('controlplane'),
      second: inCluster('controlplane', '127.0.0.2'),
      worker: inCluster('worker', '127.0.0.3'),
    }
    for (const machine of Object.values(machines)) await wire.add(machine)
    const admin = await cluster.access(['os:admin'])
    return { ...machines, wire, admin, port: wire.portAt('127.0.0.1') }
  }

  test('reach the one that is named, with the roles of the caller', async () => {
    const { port, worker, admin } = await three()
    using caller = aCaller(port, admin)
    using reader = aCaller(port, await cluster.access(['os:reader']))

    await caller.unary(reboot, {}, { node: '127.0.0.3' })

    expect(worker.told).toEqual([['reboot', 'DEFAULT']])
    expect((await failureOf(reader.unary(reboot, {}, { node: 'm-127.0.0.3' }))).code).toBe(
      status.PERMISSION_DENIED,
    )
  })

  test('reach all that are named; who fails is an answer too', async () => {
    const { port, admin } = await three()
    using caller = aCaller(port, admin)
    const nodes = ['127.0.0.2', '127.0.0.3', '127.0.0.9']

    const { messages } = await caller.unary(etcdMemberList, {}, { nodes })

    expect(messages.map(({ metadata }) => metadata?.hostname)).toEqual(nodes)
    expect(messages.map(({ metadata }) => metadata?.status?.code)).toEqual([
      status.UNKNOWN,
      status.UNIMPLEMENTED,
      status.UNAVAILABLE,
    ])
    expect(messages[2]?.metadata?.error).toContain('dial tcp 127.0.0.9:50000')
  })

  test('are refused by workers, by their form, and for services that go to one machine only', async () => {
    const { port, admin, wire } = await three()
    using caller = aCaller(port, admin)
    using atWorker = aCaller(wire.portAt('127.0.0.3'), admin, { host: '127.0.0.3' })
    const failure = (metadata: Record<string, string | string[]>) =>
      failureOf(caller.unary(version, {}, metadata))

    expect(await failureOf(atWorker.unary(version, {}, { node: '127.0.0.1' }))).toEqual({
      code: status.PERMISSION_DENIED,
      details: 'no request forwarding',
    })
    expect((await atWorker.unary(version, {}, { node: '127.0.0.3' })).messages).toHaveLength(1)
    expect(await failure({ node: ['a', 'b'] })).toMatchObject({ code: status.INVALID_ARGUMENT })
    expect(await failure({ node: '127.0.0.2:50000' })).toEqual({
      code: status.INTERNAL,
      details: 'invalid target "127.0.0.2:50000"',
    })
  })

  test('end when the other machine goes away', async () => {
    const { port, admin, second } = await three()
    using caller = aCaller(port, admin)

    let hasBegun = false
    const onAnswer = () => {
      hasBegun = true
    }
    const metadata = { node: '127.0.0.2' }
    const stream = failureOf(caller.stream(events, {}, { metadata, onAnswer }))
    await until('the stream to begin', async () => hasBegun, Boolean)
    second.open('shut')

    expect((await stream).code).toBe(status.UNAVAILABLE)
  })
})

describe('faults on the wire', () => {
  async function faulty(clock = systemClock) {
    const wire = aWire(clock)
    const faults = someFaults()
    const machine = inCluster('controlplane')
    await wire.add(machine, faults)
    return {
      faults,
      machine,
      port: wire.portAt('127.0.0.1'),
      admin: await cluster.access(['os:admin']),
    }
  }

  test('an unreachable machine ends its connections and takes no more', async () => {
    const { faults, port, admin } = await faulty()
    using caller = aCaller(port, admin)
    await caller.unary(version)

    faults.set({ isUnreachable: true })
    expect((await failureOf(caller.unary(version))).code).toBe(status.UNAVAILABLE)

    faults.set({ isUnreachable: false })
    using again = aCaller(port, admin)
    expect((await again.unary(version)).messages).toHaveLength(1)
  })

  test('a machine in a black hole says nothing until it is over', async () => {
    const { faults, machine, port, admin } = await faulty()
    using caller = aCaller(port, admin)
    await caller.unary(version)
    faults.set({ isBlackHole: true })
    let hasAnswered = false
    const answer = caller.unary(reboot).then(() => {
      hasAnswered = true
    })
    await until('the call to be carried out', async () => machine.told.length, Boolean)
    using stranger = aCaller(port, admin, { withinMs: 500 })

    expect(await failureOf(stranger.unary(version))).toMatchObject({
      code: status.DEADLINE_EXCEEDED,
    })
    expect(hasAnswered).toBe(false)
    faults.set({ isBlackHole: false })
    await answer
  })

  test('a machine that lets nobody new in goes on with whom it knows', async () => {
    const { faults, port, admin } = await faulty()
    using caller = aCaller(port, admin)
    await caller.unary(version)
    faults.set({ ignoresNew: true })
    using stranger = aCaller(port, admin, { withinMs: 500 })

    expect(await failureOf(stranger.unary(version))).toMatchObject({
      code: status.DEADLINE_EXCEEDED,
    })
    expect((await caller.unary(version)).messages).toHaveLength(1)
    faults.set({ ignoresNew: false })
    using again = aCaller(port, admin)
    expect((await again.unary(version)).messages).toHaveLength(1)
  })

  test('a slow machine answers later, by the clock of the fleet', async () => {
    const clock = new FakeClock()
    const { faults, port, admin } = await faulty(clock)
    faults.set({ latencyMs: (method) => (method.endsWith('/Version') ? 5000 : 0) })
    using caller = aCaller(port, admin)
    const answer = caller.unary(version)
    await until(
      'the call to wait',
      async () => clock.waiting,
      (count) => count > 0,
    )
    await clock.advance(4999)
    expect(clock.waiting).toBe(1)
    await clock.advance(1)

    expect((await answer).messages).toHaveLength(1)
  })

  test('a reply that is lost breaks the connection, and the call was carried out', async () => {
    const { faults, machine, port, admin } = await faulty()
    faults.set({ losesReply: (method) => method.endsWith('/Reboot') })
    using caller = aCaller(port, admin)

    expect((await failureOf(caller.unary(reboot))).code).toBe(status.UNAVAILABLE)
    expect(machine.told).toEqual([['reboot', 'DEFAULT']])
  })
})

describe('where machines listen', () => {
  test('a port that is taken is a problem that says what to do', async () => {
    const wire = aWire()
    await wire.add(aMachine(systemClock))
    const second = startWire({ clock: systemClock, port: wire.portAt('127.0.0.1') ?? 0 })

    await expect(second.add(aMachine(systemClock))).rejects.toThrow(
      /another program.*\n.*--address-base/s,
    )
  })

  test('so is an address that the computer does not have', async () => {
    const wire = aWire()

    await expect(wire.add(aMachine(systemClock, { address: '192.0.2.1' }))).rejects.toThrow(/macOS/)
  })

  test('another machine can take the place of one', async () => {
    const wire = aWire()
    await wire.add(aMachine(systemClock))
    const newer = aMachine(systemClock, { talosVersion: 'v1.14.0' })
    wire.replace(newer)
    using caller = aCaller(wire.portAt('127.0.0.1'), anonymous())

    expect((await caller.unary(version)).messages[0]?.version?.tag).toBe('v1.14.0')
  })
})
