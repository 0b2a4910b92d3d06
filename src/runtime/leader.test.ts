import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PretendLeases } from '#test/conformance/leader/pretend-leases.ts'
import { GOOD } from '#test/conformance/leader/pretend-process.ts'
import { Stage } from '#test/conformance/leader/stage.ts'
import type { FakeClock } from '#test/fake-clock.ts'

let stage: Stage
let time: FakeClock
let leases: PretendLeases
beforeEach(() => {
  stage = new Stage()
  time = stage.time
  leases = stage.leases
})
afterEach(() => stage.close())

describe('a Lease', () => {
  test('that was given back is taken at once', async () => {
    leases.edit({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 4 })
    const process = stage.start('a')

    await time.advance(10)

    expect(process.holds).toBe(true)
    expect(process.told).toEqual(['leading'])
    expect(leases.lease?.spec).toEqual({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2030-01-01T00:00:00.002000Z',
      renewTime: '2030-01-01T00:00:00.002000Z',
      leaseTransitions: 5,
    })
  })

  test('that is not there is made as nobody’s, and taken when whoever had it must have stopped', async () => {
    const process = stage.start('a')

    await time.advance(14_990)
    expect(leases.lease?.spec).toEqual({})
    expect(process.states).toEqual([{ state: 'standby', leader: '' }])
    expect(process.holds).toBe(false)

    await time.advance(2_000)
    expect(process.holds).toBe(true)
    expect(leases.lease?.spec).toMatchObject({ holderIdentity: 'a', leaseTransitions: 0 })
  })

  test('that is not there is taken at once where nobody can have deleted it', async () => {
    const process = stage.start('a', { freeIfAbsent: true })

    await time.advance(10)

    expect(process.holds).toBe(true)
  })

  test('that somebody holds is taken when it has not changed for as long as it lasts', async () => {
    leases.edit({ holderIdentity: 'gone', leaseDurationSeconds: 15, leaseTransitions: 7 })
    const process = stage.start('a')

    await time.advance(10_000)
    leases.edit({ renewTime: 'later' })
    await time.advance(14_990)
    expect(process.holds).toBe(false)

    await time.advance(4_000)
    expect(process.holds).toBe(true)
    expect(process.states).toEqual([{ state: 'standby', leader: 'gone' }, { state: 'leading' }])
    expect(leases.lease?.spec).toMatchObject({ holderIdentity: 'a', leaseTransitions: 8 })
  })

  test('is counted from the answer, as it can be renewed after the question', async () => {
    leases.edit({ holderIdentity: 'x', leaseDurationSeconds: 15 })
    const process = stage.start('a', { network: { thereMs: 2_000, backMs: 10 } })

    await time.advance(1_990)
    leases.edit({ renewTime: 'later' })
    await time.advance(28_000)

    const taken = process.calls.find(({ verb }) => verb === 'update')
    expect(taken?.atMs).toBeGreaterThanOrEqual(2_010 + 15_000)
    expect(process.holds).toBe(true)
  })

  test('that lasts longer than ours would is left alone for longer', async () => {
    leases.edit({ holderIdentity: 'slow', leaseDurationSeconds: 40 })
    const process = stage.start('a')

    await time.advance(39_990)
    expect(process.holds).toBe(false)

    await time.advance(4_000)
    expect(process.holds).toBe(true)
  })

  test.each([
    {},
    { holderIdentity: 'x' },
    { holderIdentity: 'x', leaseDurationSeconds: 1 },
    { holderIdentity: 'x', leaseDurationSeconds: -1, renewTime: 'yesterday' },
    { holderIdentity: 'x', leaseDurationSeconds: 1e9, leaseTransitions: -4 },
    { holderIdentity: 7, leaseDurationSeconds: 'long', leaseTransitions: 2 ** 31 - 1 },
    { holderIdentity: null, leaseDurationSeconds: null, leaseTransitions: 0.5 },
  ])('of %j is waited for neither too short nor for ever', async (spec) => {
    leases.edit(spec)
    const process = stage.start('a')

    await time.advance(14_990)
    expect(process.holds).toBe(false)

    await time.advance(48_000)
    expect(process.holds).toBe(true)
    expect(process.told).not.toContain('failed')
    expect(leases.lease?.spec?.leaseTransitions).toBeOneOf([0, 1])
  })

  test('with our name from an earlier life is left alone like any other', async () => {
    leases.edit({ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 3 })
    const process = stage.start('a')

    await time.advance(14_990)
    expect(process.holds).toBe(false)

    await time.advance(4_000)
    expect(process.holds).toBe(true)
    expect(leases.lease?.spec).toMatchObject({ leaseTransitions: 3 })
  })
})

describe('a leader', () => {
  test('renews the Lease, and changes nothing else of it', async () => {
    leases.edit({ strategy: 'OldestEmulationVersion' }, { labels: { by: 'hand' } })
    const process = await stage.startLeader()
    const before = leases.lease

    await time.advance(60_000)

    expect(process.told).toEqual(['leading'])
    expect(leases.lease).toEqual({
      metadata: {
        ...before?.metadata,
        labels: { by: 'hand' },
        resourceVersion: expect.any(String),
      },
      spec: {
        ...before?.spec,
        strategy: 'OldestEmulationVersion',
        renewTime: expect.stringMatching(/^2030-01-01T00:0(0:5|1:0)/),
      },
    })
  })

  test('that cannot renew stops 10 s after it last could, and 5 s before another one leads', async () => {
    const leader = await stage.startLeader()
    const other = stage.start('b')
    await time.advance(20_000)
    leader.network = { ...leader.network, fault: 'dropped' }
    const heldSince = Date.parse(leases.lease?.spec?.renewTime ?? '')
    const sinceRenewal = () => time.now().getTime() - heldSince

    await time.advance(10_000 - sinceRenewal() - 1)
    expect([leader.holds, leader.leads]).toEqual([true, true])
    await time.advance(1)
    expect([leader.holds, leader.leads]).toEqual([false, false])
    await time.advance(15_000 - sinceRenewal() - 1)
    expect(other.holds).toBe(false)
    await time.advance(5_000)
    expect(other.holds).toBe(true)

    expect(leader.told).toEqual(expect.arrayContaining(['leading', 'failed', 'lost']))
  })

  test('counts from before it asked, however late the answer comes', async () => {
    leases.edit({ holderIdentity: '', leaseDurationSeconds: 1 })
    const process = stage.start('a', { network: { thereMs: 2_000, backMs: 2_900 } })
    // One question, then the one that takes it.
    await time.advance(9_900)
    expect(process.holds).toBe(true)
    process.network = { ...process.network, fault: 'dropped' }

    await time.advance(4_999)
    expect(process.holds).toBe(true)
    await time.advance(1)
    expect(process.holds).toBe(false)
  })

  test('gets nothing from an answer that comes when its time is up', async () => {
    const leader = await stage.startLeader()
    leader.network = { thereMs: 1, backMs: 4_900 }
    await time.advance(1_600)
    leader.stop()

    await time.advance(9_000)
    leader.continue('oldest')
    await time.advance(0)

    expect(leader.holds).toBe(false)
    expect(leader.told).toEqual(['leading', 'lost'])
  })

  test('that was stopped for long knows that it leads no more before any timer rings', async () => {
    const leader = await stage.startLeader()
    leader.stop()

    await time.advance(60_000)

    expect([leader.holds, leader.leads]).toEqual([false, true])
  })

  test('does not care what the time of day is', async () => {
    const leader = await stage.startLeader()
    const other = stage.start('b')
    for (const ms of [3_600_000, -7_200_000, 86_400_000]) {
      leader.jump(ms)
      other.jump(-ms)
      await time.advance(20_000)
    }

    expect([leader.holds, other.holds]).toEqual([true, false])
    expect(leader.told).toEqual(['leading'])
  })

  test('has renewed nothing if the server saw no change', async () => {
    const leader = await stage.startLeader()
    await time.advance(1_490)
    // It is set back to what it was when the Lease was taken.
    leader.jump(-1_502)
    await time.advance(10)
    leader.network = { ...GOOD, fault: 'dropped' }

    expect(leader.told).toEqual(['leading', 'failed'])
    await time.advance(8_491)
    expect(leader.holds).toBe(true)
    await time.advance(1)
    expect(leader.holds).toBe(false)
  })

  test('goes on when an answer is lost', async () => {
    const leader = await stage.startLeader()
    const other = stage.start('b')
    leader.network = { ...GOOD, fault: 'answerLost' }
    await time.advance(5_000)
    leader.network = GOOD

    await time.advance(30_000)

    expect(leader.told.filter((state) => state !== 'failed')).toEqual(['leading'])
    expect([leader.holds, other.holds, leader.timesLed]).toEqual([true, false, 1])
  })

  test('has time for another try after a call that hangs', async () => {
    const leader = await stage.startLeader()
    leader.network = { ...GOOD, fault: 'dropped' }
    await time.advance(3_000)
    leader.network = GOOD

    await time.advance(30_000)

    expect(leader.told).toEqual(['leading', 'failed'])
  })

  test('makes the Lease anew that somebody deleted, and goes on', async () => {
    const leader = await stage.startLeader()
    stage.start('b')
    await time.advance(5_000)
    const before = leases.lease?.spec
    leases.remove()

    await time.advance(30_000)

    const { acquireTime, leaseTransitions } = before ?? {}
    expect(leader.told).toEqual(['leading'])
    expect(leases.lease?.spec).toMatchObject({
      holderIdentity: 'a',
      acquireTime,
      leaseTransitions,
    })
  })

  test.each([
    { what: 'another one', spec: { holderIdentity: 'x' }, why: 'the Lease is now held by x' },
    {
      what: 'one with the same name',
      spec: { acquireTime: '2031-01-01T00:00:00.000000Z' },
      why: 'the Lease is now held by a',
    },
  ])('stops as soon as it sees that $what has the Lease, and leaves it', async ({ spec, why }) => {
    const leader = await stage.startLeader({ drainMs: 5_000 })
    leases.edit(spec)
    const { resourceVersion } = leases.lease?.metadata ?? {}

    await time.advance(2_010)

    expect(leader.holds).toBe(false)
    expect(leader.states).toContainEqual({ state: 'lost', why })
    expect(leases.lease?.metadata.resourceVersion).toBe(resourceVersion)
  })

  test('stops when another one has made the Lease first that somebody deleted', async () => {
    const leader = await stage.startLeader()
    leases.remove()
    leases.edit({ holderIdentity: 'x', leaseDurationSeconds: 15 })

    await time.advance(5_000)

    expect(leader.told).toEqual(['leading', 'lost', 'standby'])
  })

  test('keeps the Lease that somebody only emptied', async () => {
    const leader = await stage.startLeader()
    const other = stage.start('b')
    await time.advance(100)
    leases.edit({ holderIdentity: '' })

    await time.advance(30_000)

    expect(leader.told).toEqual(['leading'])
    expect(other.holds).toBe(false)
  })

  test('takes the Lease again after the API was away for long, when leading has ended', async () => {
    const leader = await stage.startLeader({ drainMs: 3_000 })
    leader.network = { ...GOOD, fault: 'refused' }
    await time.advance(12_000)
    expect([leader.holds, leader.leads]).toEqual([false, true])
    await time.advance(288_000)
    leader.network = GOOD

    await time.advance(16_000)

    expect([leader.holds, leader.timesLed]).toEqual([true, 2])
  })
})
