import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sleep } from '#base/clock.ts'
import { onAbort } from '#base/on-abort.ts'
import { GOOD, type Network } from '#test/conformance/leader/pretend-process.ts'
import { Stage } from '#test/conformance/leader/stage.ts'

const RELEASED = { holderIdentity: '', leaseDurationSeconds: 1 }

const UNRELEASED = 'could not give the Lease back, it has to run out: no answer within 5 s'

let stage: Stage
beforeEach(() => {
  stage = new Stage()
})
afterEach(() => stage.close())

describe('leading', () => {
  test('that fails ends it all, after the Lease was given back', async () => {
    const failure = new Error('cannot go on')
    const leader = await stage.startLeader({
      lead: async () => {
        await sleep(stage.time, 5_000)
        throw failure
      },
    })

    await stage.time.advance(5_100)

    await expect(leader.running).rejects.toBe(failure)
    expect(leader.holds).toBe(false)
    expect(leader.told).toEqual(['leading', 'released'])
    expect(stage.leases.lease?.spec).toMatchObject(RELEASED)
  })

  test('that ends by itself gives another one the chance', async () => {
    const leader = await stage.startLeader({ lead: () => sleep(stage.time, 5_000) })
    const other = stage.start('b', { random: () => 0.9 })

    await stage.time.advance(8_000)

    expect([leader.holds, other.holds]).toEqual([false, true])
    expect(leader.told).toEqual(['leading', 'released', 'standby'])
  })

  test('that ends with the reason of its signal has not failed', async () => {
    let reason: unknown
    const leader = await stage.startLeader({
      lead: (signal) =>
        new Promise((_, reject) => {
          onAbort(signal, () => {
            reason = signal.reason
            reject(signal.reason)
          })
        }),
    })
    stage.leases.edit({ holderIdentity: 'x' })

    await stage.time.advance(5_000)

    expect(reason).toMatchObject({ code: 'LeadershipLost' })
    expect(leader.told).toEqual(['leading', 'lost', 'standby'])
  })

  test('is waited for before it can begin again', async () => {
    const leader = await stage.startLeader({ drainMs: 40_000 })
    stage.leases.edit({ holderIdentity: 'x' })
    await stage.time.advance(2_100)
    stage.leases.edit(RELEASED)

    await stage.time.advance(39_000)
    expect([leader.holds, leader.leads, leader.timesLed]).toEqual([false, true, 1])

    await stage.time.advance(5_000)
    expect([leader.holds, leader.leads, leader.timesLed]).toEqual([true, true, 2])
  })
})

describe('the end', () => {
  test('holds the Lease until leading has ended, then gives it back', async () => {
    const leader = await stage.startLeader({ drainMs: 25_000 })
    const other = stage.start('b')
    leader.end()

    await stage.time.advance(24_980)
    expect([leader.holds, leader.leads, other.holds]).toEqual([true, true, false])

    await stage.time.advance(2_100)
    await leader.running
    expect([leader.holds, other.holds]).toEqual([false, true])
    expect(leader.told).toEqual(['leading', 'released'])
  })

  test('of one that stands by changes nothing, and does not wait', async () => {
    stage.leases.edit({ holderIdentity: 'x', leaseDurationSeconds: 15 })
    const process = stage.start('a')
    await stage.time.advance(20)
    const before = stage.leases.lease
    process.end()

    await process.running

    expect(stage.leases.lease).toEqual(before)
    expect(process.calls.map(({ verb }) => verb)).toEqual(['get'])
  })

  test('of one that is about to take the Lease gives back what it got', async () => {
    stage.leases.edit(RELEASED)
    const process = stage.start('a', { network: { thereMs: 1, backMs: 1_000 } })
    await stage.time.advance(1_010)
    expect(stage.leases.lease?.spec).toMatchObject({ holderIdentity: 'a' })
    process.end()

    await stage.time.advance(10_000)
    await process.running

    expect(process.told).toEqual(['released'])
    expect(process.timesLed).toBe(0)
    expect(stage.leases.lease?.spec).toMatchObject(RELEASED)
  })

  test('does not wait for long for an API that is away', async () => {
    const leader = await stage.startLeader()
    leader.network = { ...GOOD, fault: 'dropped' }
    leader.end()

    await stage.time.advance(0)
    await stage.time.advance(5_000)
    await leader.running

    expect(leader.states).toEqual([
      { state: 'leading' },
      { state: 'failed', error: expect.objectContaining({ message: UNRELEASED }) },
    ])
  })
})

describe('one that stands by', () => {
  test('takes the Lease at once when the answer was lost that it has it', async () => {
    stage.leases.edit(RELEASED)
    const process = stage.start('a')
    process.network = { ...GOOD, fault: 'answerLost' }
    await stage.time.advance(100)
    process.network = GOOD
    expect(process.told).toEqual(['failed'])

    await stage.time.advance(2_000)

    expect(process.told).toEqual(['failed', 'leading'])
  })

  test('tells once who leads, and anew when that changes', async () => {
    stage.leases.edit({ holderIdentity: 'x' })
    const process = stage.start('a')
    await stage.time.advance(10_000)
    stage.leases.edit({ holderIdentity: 'y' })
    await stage.time.advance(10_000)

    expect(process.states).toEqual([
      { state: 'standby', leader: 'x' },
      { state: 'standby', leader: 'y' },
    ])
  })

  test('looks at intervals that chance decides', async () => {
    stage.leases.edit({ holderIdentity: 'x' })
    const chances = [0, 0.5, 1, 0.2]
    const process = stage.start('a', { random: () => chances.shift() ?? 0 })

    await stage.time.advance(8_000)

    const times = process.calls.map(({ atMs }) => atMs)
    const pauses = times.slice(1, 5).map((at, index) => at - (times[index] ?? 0) - 2)
    expect(pauses).toEqual([2_000, 1_500, 1_000, 1_800])
  })

  test('that may not use the Lease says what it needs, and asks less and less often', async () => {
    const network: Network = { ...GOOD, fault: 'refused', status: 403 }
    const process = stage.start('a', { network, random: () => 0 })

    await stage.time.advance(60_000)

    const rule =
      'refused; to be elected we need the verbs get, create and update on leases of ' +
      'coordination.k8s.io in namespace ns'
    expect(process.states[0]).toMatchObject({ state: 'failed', error: { message: rule } })
    const times = process.calls.map(({ atMs }) => atMs)
    expect(times).toEqual([0, 2_002, 6_004, 14_006, 29_008, 44_010, 59_012])
  })

  test('is not disturbed by who cannot bear to be told', async () => {
    stage.leases.edit(RELEASED)
    const process = stage.start('a', {
      onState: () => {
        throw new Error('full disk')
      },
    })

    await stage.time.advance(10_000)

    expect([process.holds, process.leads]).toEqual([true, true])
  })
})

test.each([
  { leaseMs: 10_000 },
  { renewWithinMs: 2_000 },
  { retryMs: 0 },
  { leaseMs: 61_000 },
  { leaseMs: Number.NaN },
])('a timing of %j is refused, as it would not be safe', async (timing) => {
  expect(() => stage.start('a', { timing })).toThrow(
    'needed: 0 < retryMs < renewWithinMs < leaseMs ≤ 60000',
  )
})

test('nobody stands for election without a name', () => {
  expect(() => stage.start('')).toThrow('needs an identity')
})
