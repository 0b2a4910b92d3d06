import { expect, onTestFinished, test } from 'vitest'
import type { Carry } from '#kube/access.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { quietLog } from '#test/quiet-log.ts'
import { ClusterNodes } from './cluster-nodes.ts'

const CLUSTER = 'prod/a'
const MINUTE_MS = 60_000

/** A cluster at whose endpoint nobody listens, and how often it is asked while time passes. */
function aDeadCluster() {
  const clock = new FakeClock()
  let asked = 0
  const carry: Carry = async () => {
    asked += 1
    throw Object.assign(new Error('nobody listens'), { code: 'ECONNREFUSED' })
  }
  const nodes = new ClusterNodes({ clock, log: quietLog(), userAgent: 'test', carry })
  onTestFinished(() => nodes.close())
  nodes.follow(CLUSTER, {
    identity: 'a',
    access: {
      ...{ origin: 'a test', server: new URL('https://192.0.2.1:6443'), skipVerify: false },
      ...{ namespace: 'default', credentials: async () => ({}) },
    },
  })
  const askedIn = async (minutes: number) => {
    const before = asked
    await clock.advance(minutes * MINUTE_MS)
    return asked - before
  }
  return { nodes, clock, askedIn }
}

test('the API of machines that do not answer is asked once a minute or more rarely', async () => {
  const { nodes, askedIn } = aDeadCluster()

  // Five times within the first seconds: it may only just be about to come.
  expect(await askedIn(5 / 60)).toBeGreaterThanOrEqual(4)
  expect(nodes.seen(CLUSTER).api.is).toBe('silent')
  await askedIn(2)
  const inHalfAnHour = await askedIn(30)
  expect(inHalfAnHour).toBeGreaterThanOrEqual(14)
  expect(inHalfAnHour).toBeLessThanOrEqual(31)
})

test('while a machine of it is heard of, it is asked every ten seconds', async () => {
  const { nodes, askedIn } = aDeadCluster()
  await askedIn(10)

  nodes.hear(CLUSTER)
  expect(await askedIn(0.01)).toBe(1)
  for (let minutes = 0; minutes < 30; minutes += 6) {
    expect(await askedIn(6)).toBeGreaterThanOrEqual(35)
    nodes.hear(CLUSTER)
  }
})

test('a cluster of which nothing is heard any more is asked rarely again', async () => {
  const { nodes, askedIn } = aDeadCluster()
  nodes.hear(CLUSTER)
  await askedIn(12)

  expect(await askedIn(10)).toBeLessThanOrEqual(11)
})
