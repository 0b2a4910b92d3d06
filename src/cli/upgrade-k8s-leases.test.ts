import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Lease } from '#api/foreign.ts'
import type { KubeClient } from '#kube/client.ts'
import { aUser } from '#test/a-user.ts'
import { type AnApi, anApi } from '#test/an-api.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { findLeases, identityFor } from './upgrade-k8s-leases.ts'

const HELD = { holderIdentity: 'operator_1', leaseDurationSeconds: 15 }
const GIVEN_BACK = { holderIdentity: '', leaseDurationSeconds: 1 }
const group = 'coordination.k8s.io'
const cluster = { namespace: 'default', name: 'one' }
const identity = identityFor(cluster, 'laptop-1')
const { signal } = new AbortController()

let api: AnApi
let client: KubeClient
let clock: FakeClock
let name: string
let tests = 0
beforeAll(async () => {
  api = await anApi()
  client = await clientOf(api)
  for (const one of ['ops', 'more']) {
    const body = { metadata: { name: one } }
    await api.send({ method: 'POST', path: '/api/v1/namespaces', body })
  }
})
afterAll(async () => {
  client.close()
  await api[Symbol.asyncDispose]()
})
beforeEach(() => {
  clock = new FakeClock()
  name = `lease-${++tests}`
})

const leaseIn = (namespace: string, spec: object) =>
  client.create(Lease, { metadata: { namespace, name }, spec })

/** As its holder does. */
const renewIn = (namespace: string, spec: object = {}) => {
  const renewTime = clock.now().toISOString().replace('Z', '000Z')
  const body = { spec: { ...spec, renewTime } }
  return client.patch(Lease, { namespace, name }, { type: 'merge', body })
}

const leases = (namespace?: string, as = client) =>
  findLeases({ client: as, clock, name, namespace, usual: 'default', cluster, identity }, signal)

test('where there is no Lease nobody leads, and the usual one is to be taken', async () => {
  const found = await leases()

  expect(await found.look(signal)).toEqual({ is: 'nobody' })
  expect([found.words, found.namespaceToTake]).toEqual([`default/${name}`, 'default'])
})

test('one that is there is found wherever it is, and who renews it leads', async () => {
  await leaseIn('ops', HELD)
  const found = await leases()
  const first = await found.look(signal)
  await clock.advance(2_000)
  await renewIn('ops')

  expect(first).toEqual({ is: 'silent', holder: 'operator_1' })
  expect(await found.look(signal)).toEqual({ is: 'leading', holder: 'operator_1' })
  expect(found.namespaceToTake).toBe('ops')
})

test('who does not renew it for as long as it lasts leads no more, whatever the times in it say', async () => {
  await leaseIn('ops', {
    ...HELD,
    leaseDurationSeconds: 30,
    renewTime: '2999-01-01T00:00:00.000000Z',
  })
  const found = await leases()
  await found.look(signal)
  await clock.advance(29_000)
  const before = await found.look(signal)
  await clock.advance(1_000)

  expect(before).toMatchObject({ is: 'silent' })
  expect(await found.look(signal)).toEqual({ is: 'nobody' })
})

test('who gives it back leads no more', async () => {
  await leaseIn('ops', HELD)
  const found = await leases()
  await found.look(signal)
  await renewIn('ops', GIVEN_BACK)

  expect(await found.look(signal)).toEqual({ is: 'nobody' })
})

test('a command is told by whom it works for', async () => {
  const holders = [
    ['another cluster', identityFor({ ...cluster, name: 'two' }, 'laptop-2'), 'busy'],
    ['the same cluster', identityFor(cluster, 'laptop-2'), 'leading'],
    ['this very process', identity, 'nobody'],
  ]
  await leaseIn('ops', HELD)
  const found = await leases()
  await found.look(signal)
  const seen: unknown[] = []
  for (const [what, holder] of holders) {
    await renewIn('ops', { holderIdentity: `${holder}_12345678` })
    seen.push([what, holder, (await found.look(signal)).is])
  }

  expect(seen).toEqual(holders)
})

test('of several the one that is held counts, and the usual one is taken', async () => {
  await leaseIn('ops', HELD)
  await leaseIn('default', GIVEN_BACK)
  const found = await leases()
  const first = await found.look(signal)
  await renewIn('ops', GIVEN_BACK)

  expect(first).toMatchObject({ is: 'silent' })
  expect(await found.look(signal)).toEqual({ is: 'nobody' })
  expect(found.namespaceToTake).toBe('default')
})

test('where it cannot be told which is to be taken, none is', async () => {
  for (const one of ['ops', 'more']) await leaseIn(one, GIVEN_BACK)
  const found = await leases()
  const named = await leases('more')

  expect(await found.look(signal)).toEqual({ is: 'nobody' })
  expect(() => found.namespaceToTake).toThrow(/several, and none of them in the namespace default/)
  expect(named.namespaceToTake).toBe('more')
})

test('who may not look everywhere sees the usual one, and the one that is named', async () => {
  const kubeconfig = await aUser(api, [{ group, resources: ['leases'], verbs: ['get'] }], 'default')
  const user = await clientOf({ kubeconfig })
  const absent = await leases(undefined, user)
  const forbidden = await leases('ops', user)
  await leaseIn('default', HELD)
  const there = await leases(undefined, user)

  // Somebody may lead by another one, which cannot be seen: beside them nobody must work.
  expect(await absent.look(signal)).toMatchObject({
    is: 'hidden',
    why: expect.stringContaining('forbidden'),
  })
  expect(await forbidden.look(signal)).toMatchObject({
    is: 'hidden',
    why: expect.stringContaining('forbidden'),
  })
  expect(await there.look(signal)).toMatchObject({ is: 'silent' })
  user.close()
})
