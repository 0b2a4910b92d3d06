import { create } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { until } from '#test/until.ts'
import { AClient, type ACluster, AMachine, aCluster } from './a-machine.cases.ts'
import { networkDial } from './dial.ts'
import { MachineService, VersionResponseSchema } from './generated/machine/machine_pb.ts'
import { implement } from './grpc-definition.cases.ts'
import type { TalosMachine } from './machine.ts'
import type { MachineTarget } from './machine-target.ts'

const cluster = aCluster()
const maintenance = { kind: 'maintenance' } as const
const unreachable = { outcome: 'unreachable' }

/** A machine that says its version, and whom it was asked by. */
const named = async (tag: string, { of, port }: { of?: ACluster; port?: number } = {}) => {
  const asked: string[] = []
  const answer = create(VersionResponseSchema, { messages: [{ version: { tag } }] })
  const machine = await AMachine.start({
    ...(of && { of }),
    ...(port !== undefined && { port }),
    serve: (on) =>
      implement(on, MachineService, {
        version: (call, done) => {
          asked.push(call.getPeer())
          done(null, answer)
        },
        // Never answered.
        bootstrap: () => asked.push('bootstrap'),
      }),
  })
  return Object.assign(machine, { asked })
}

/** Waits until whoever dials reaches the machine of this name. */
const reached = (machine: TalosMachine, tag: string) =>
  until(
    `${tag} to be reached`,
    () =>
      machine.version().then(
        ({ version }) => version,
        () => undefined,
      ),
    (seen) => seen === tag,
  )

test('all calls to a bound machine go over one connection, those at once too', async () => {
  await using machine = await named('v1.0.0')
  using client = new AClient()
  const asked = client.machine(machine.target(maintenance)).bound(async (same) => {
    await Promise.all([same.version(), same.version()])
    return same.version()
  })

  await expect(asked).resolves.toMatchObject({ version: 'v1.0.0' })
  expect([machine.asked.length, new Set(machine.asked).size]).toEqual([3, 1])
})

test.each([
  ['in maintenance mode', undefined, maintenance],
  ['of the cluster', cluster, cluster.access],
])('a bound machine %s is not another one that took its address', async (_what, of, access) => {
  const setting = of ? { of } : {}
  const first = await named('v1.0.0', setting)
  using client = new AClient()
  const machine = client.machine(first.target(access))

  await machine.bound(async (same) => {
    await same.version()
    first.kill()
    await using second = await named('v2.0.0', { ...setting, port: first.port })
    // By now the client has a connection to the other one, for whoever does not mind.
    await reached(machine, 'v2.0.0')
    const before = second.asked.length

    await expect(same.version()).rejects.toMatchObject(unreachable)
    await expect(same.version()).rejects.toMatchObject(unreachable)
    await expect(machine.bound((other) => other.version())).resolves.toMatchObject({
      version: 'v2.0.0',
    })
    expect(second.asked).toHaveLength(before + 1)
  })
})

test('a bound machine is not another one, however soon that has its address', async () => {
  for (let turn = 0; turn < 20; turn++) {
    const first = await named('v1.0.0', { of: cluster })
    using client = new AClient()
    await client.machine(first.target(cluster.access)).bound(async (same) => {
      await same.version()
      first.kill()
      await using second = await named('v2.0.0', { of: cluster, port: first.port })
      // Whether the client knows by now that the connection broke is left to chance.
      await expect(same.version()).rejects.toMatchObject({
        outcome: expect.stringMatching(/^(unreachable|lost)$/),
      })
      expect(second.asked).toEqual([])
    })
  }
})

test.each([
  ['in maintenance mode', undefined, maintenance],
  ['of the cluster', cluster, cluster.access],
])('a line to a machine %s that broke never comes up again', async (_what, of, access) => {
  const setting = of ? { of } : {}
  const first = await named('v1.0.0', setting)
  const dial = networkDial({ clock: systemClock, dialMs: 5_000 })
  const line = await dial(first.target(access), new AbortController().signal)
  first.kill()
  await until(
    'the line to be down',
    async () => line.isUp(),
    (isUp) => !isUp,
  )
  await using second = await named('v2.0.0', { ...setting, port: first.port })
  const call = () =>
    new Promise((resolve) => {
      line.ask('/machine.MachineService/Version', Buffer.alloc(0), resolve)
    })

  for (let turn = 0; turn < 3; turn++) {
    expect(await call()).toMatchObject({ end: { is: 'unsent' } })
  }
  expect(line.isUp()).toBe(false)
  expect(second.asked).toEqual([])
  line.close()
})

test('a bound machine that did not answer in time is asked nothing more', async () => {
  const clock = new FakeClock()
  await using machine = await named('v1.0.0')
  using client = new AClient({ clock })

  await client.machine(machine.target(maintenance)).bound(async (same) => {
    await same.version()
    const silent = same.bootstrap({}, { deadlineMs: 1_000 }).catch((error: unknown) => error)
    await until(
      'the question',
      async () => machine.asked,
      (asked) => asked.includes('bootstrap'),
    )
    await clock.advance(1_000)

    expect(await silent).toMatchObject({ outcome: 'lost' })
    await expect(same.version()).rejects.toMatchObject(unreachable)
  })
  expect(machine.asked).toHaveLength(2)
})

test('the connection to a bound machine is kept, however long nobody uses it', async () => {
  const clock = new FakeClock()
  await using machine = await named('v1.0.0')
  await using other = await named('v1.0.0')
  using client = new AClient({ clock, limits: { idleMs: 1_000, mostOpen: 1 } })
  let waiting: Promise<unknown> | undefined

  await client.machine(machine.target(maintenance)).bound(async (same) => {
    await same.version()
    waiting = client.machine(other.target(maintenance)).version({ deadlineMs: 3_600_000 })
    await clock.advance(60_000)
    await same.version()
  })
  await waiting
  await clock.advance(1_000)

  expect(new Set(machine.asked).size).toBe(1)
  expect(client.openConnections).toBe(0)
})

test('a machine is not bound any more when the work is done', async () => {
  await using machine = await named('v1.0.0')
  using client = new AClient()
  const escaped = await client.machine(machine.target(maintenance)).bound(async (same) => {
    await same.version()
    return [same]
  })

  await expect(escaped[0]?.version()).rejects.toMatchObject(unreachable)
  expect(machine.asked).toHaveLength(1)
})

test('whoever stops waiting for the connection of a bound machine does not stop the others', async () => {
  await using machine = await named('v1.0.0')
  using client = new AClient()
  const stop = new AbortController()

  await client.machine(machine.target(maintenance)).bound(async (same) => {
    const stopped = expect(same.version({ signal: stop.signal })).rejects.toThrow('enough')
    const waiting = same.version()
    stop.abort(new Error('enough'))

    await stopped
    await expect(waiting).resolves.toMatchObject({ version: 'v1.0.0' })
  })
})

test('a bound machine that could not be dialled can be dialled again: it was nobody yet', async () => {
  const first = await named('v1.0.0')
  const { port } = first
  first.kill()
  using client = new AClient()
  const target: MachineTarget = { address: '127.0.0.1', port, access: maintenance }

  await client.machine(target).bound(async (same) => {
    await expect(same.version()).rejects.toMatchObject(unreachable)
    await using _second = await named('v2.0.0', { port })
    await expect(same.version()).resolves.toMatchObject({ version: 'v2.0.0' })
  })
})

test('a bound machine of a client that is closed is asked nothing more', async () => {
  await using machine = await named('v1.0.0')
  using client = new AClient()

  await client.machine(machine.target(maintenance)).bound(async (same) => {
    await same.version()
    client.close()
    await expect(same.version()).rejects.toMatchObject(unreachable)
  })
  expect(machine.asked).toHaveLength(1)
})

test('a connection that is the last is used by nobody afterwards: who asks next dials', async () => {
  await using machine = await named('v1')
  using client = new AClient()
  const asking = client.machine(machine.target(maintenance))
  await asking.bound((same) => same.version())
  await asking.bound((same) => same.version(), { isNone: true })
  await asking.version()

  const [first, second, third] = machine.asked
  expect(second).toBe(first)
  expect(third).not.toBe(first)
})

test('the connection of a bound machine is closed after a result that is the last, and kept after another', async () => {
  await using machine = await named('v1.0.0')
  using client = new AClient()
  const open = async (isLast: boolean) => {
    await client
      .machine(machine.target(maintenance))
      .bound((same) => same.version(), { isLast: ({ version }) => version === 'v1.0.0' && isLast })
    return client.openConnections
  }

  expect([await open(false), await open(true), await open(true)]).toEqual([1, 0, 0])
  expect(new Set(machine.asked).size).toBe(2)
})

test('the connection of a bound machine that is let go is left to whoever else uses it', async () => {
  await using machine = await named('v1.0.0')
  using client = new AClient()
  const known = client.machine(machine.target(maintenance))

  await known.bound(async (other) => {
    await other.version()
    await known.bound((same) => same.version(), { isLast: () => true })
    await expect(other.version()).resolves.toMatchObject({ version: 'v1.0.0' })
  })
  expect(new Set(machine.asked).size).toBe(1)
  expect(client.openConnections).toBe(1)
})
