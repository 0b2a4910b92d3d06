import { expect, test } from 'vitest'
import { ApiError } from '#kube/api-error.ts'
import { aControlPlane, aMachine } from '#test/builders.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { followUpgrade } from './upgrade-k8s-follow.ts'
import type { UpgradeSeen } from './upgrade-k8s-standing.ts'

const notReady = (reason: string) => ({
  ...{ type: 'Ready', status: 'False' as const, reason, message: 'why' },
  lastTransitionTime: '2030-01-01T00:00:00Z',
})

/** What the control plane says when it is looked at. Undefined: nobody has looked at the spec. */
function saying(reason: string | undefined): UpgradeSeen {
  const controlPlane = aControlPlane({
    status: reason
      ? { observedGeneration: 1, conditions: [notReady(reason)] }
      : { observedGeneration: 0 },
  })
  return { controlPlane, pools: [], machines: [], shapes: [] }
}

const THERE: UpgradeSeen = {
  controlPlane: aControlPlane({
    metadata: { annotations: { 'talos.alperen.cloud/kube-version': 'v1.35.0' } },
    status: { observedGeneration: 1, observedKubeVersion: 'v1.35.0' },
  }),
  ...{ pools: [], machines: [], shapes: [] },
}

/** Follows through these looks, of which the last one is what it stays at. */
const following = (...looks: (UpgradeSeen | Error)[]) => followingThat('operator', looks)

async function followingThat(by: 'operator' | 'command', looks: (UpgradeSeen | Error)[]) {
  const clock = new FakeClock()
  let isCarriedOn = true
  const stop = new AbortController()
  const told: string[] = []
  let at = 0
  const end = followUpgrade({
    ...{ what: 'TalosControlPlane default/prod', to: 'v1.35.0', clock, signal: stop.signal },
    ...{ by, timeout: { ms: 3_600_000 }, endMs: 3_600_000, isCarriedOn: async () => isCarriedOn },
    out: (text) => told.push(text),
    look: async () => {
      const seen = looks[Math.min(at++, looks.length - 1)] ?? THERE
      if (seen instanceof Error) throw seen
      return seen
    },
  }).catch((error: Error) => error.message)
  await clock.advance(0)
  const abandon = () => {
    isCarriedOn = false
  }
  return { clock, stop, told, abandon, end: () => end }
}

test('each thing that is said is told once, until it is there', async () => {
  const waits = saying('KubernetesUpgradePending')
  const { clock, told, end } = await following(waits, waits, saying('Paused'), waits, THERE)
  await clock.advance(10_000)

  expect(await end()).toBe('there')
  expect(told).toEqual([
    ...['KubernetesUpgradePending: why\n', 'Paused: why\n', 'KubernetesUpgradePending: why\n'],
  ])
  expect(clock.waiting).toBe(0)
})

test('what is done to a machine is told again in another stage', async () => {
  const busy = aMachine({ status: { conditions: [notReady('Configuring')] } })
  const during = (reason: string) => ({ ...saying(reason), machines: [busy] })
  const { clock, told, end } = await following(during('Paused'), during('RollingOut'), THERE)
  await clock.advance(10_000)

  expect(await end()).toBe('there')
  const line = '  prod-192.0.2.1: why\n'
  expect(told).toEqual(['Paused: why\n', line, 'RollingOut: why\n', line])
})

test('a refusal ends it at once, with the sentence of the operator', async () => {
  const { end } = await following(saying('KubeletTooOld'))

  expect(await end()).toMatch(/is not upgraded to v1\.35\.0\n {2}why: prod: KubeletTooOld: why/)
})

test('what has failed for a minute without a change ends it, and what moves does not', async () => {
  const failed = saying('KubernetesUpgradeFailed')
  const { clock, end, told } = await following(failed, failed, saying('Paused'), failed)
  await clock.advance(60_000)
  expect(told).toHaveLength(3)
  await clock.advance(10_000)

  expect(await end()).toMatch(/does not go on\n {2}why: prod: KubernetesUpgradeFailed: why/)
})

test('what nobody takes up for a minute ends it', async () => {
  const { clock, end } = await following(saying(undefined))
  await clock.advance(61_000)

  expect(await end()).toMatch(/nobody has taken up the upgrade.*see that an operator runs/s)
})

test('time is up when it is up', async () => {
  const { clock, end } = await following(saying('Paused'))
  await clock.advance(3_602_000)

  expect(await end()).toMatch(/not at v1\.35\.0 after 1h\n.*the operator goes on/s)
})

test('whoever stops it is told that the operator goes on', async () => {
  const { clock, stop, end } = await following(saying('Paused'))
  await clock.advance(5_000)
  stop.abort()

  expect(await end()).toMatch(/is not followed any more\n.*the operator goes on/s)
})

test('an API that does not answer is asked again, and one that forbids it is not', async () => {
  const silent = new ApiError('no answer', { status: 0, reason: 'Unreachable' })
  const { clock, told, end } = await following(silent, silent, THERE)
  await clock.advance(10_000)
  expect([await end(), told]).toEqual(['there', ['no answer\n']])

  const forbidden = new ApiError('not for you', { status: 403, reason: 'Forbidden' })
  expect(await (await following(forbidden)).end()).toBe('not for you')
})

test('it ends as soon as nobody carries it on', async () => {
  const { clock, abandon, end } = await following(saying('Paused'))
  abandon()
  await clock.advance(2_000)

  expect(await end()).toBe('abandoned')
})

test('what was refused before this command began is looked at anew', async () => {
  const stale = saying('KubeletTooOld')
  const mended = await followingThat('command', [stale, stale, saying('Paused'), THERE])
  await mended.clock.advance(16_000)
  const refused = await followingThat('command', [stale])
  await refused.clock.advance(16_000)

  expect(await mended.end()).toBe('there')
  expect(await refused.end()).toMatch(/KubeletTooOld: why\n.*mend that, and run the same again/s)
})

test('where this command does it itself, nobody is said to go on without it', async () => {
  const late = await followingThat('command', [saying('Paused')])
  await late.clock.advance(3_602_000)
  const stopped = await followingThat('command', [saying('Paused')])
  stopped.stop.abort()

  for (const { end } of [late, stopped]) {
    expect(await end()).toMatch(/all stays as it is until an operator runs, or this is run again/)
    expect(await end()).not.toContain('the operator goes on')
  }
})
