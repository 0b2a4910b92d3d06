import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigMap, Secret } from '#api/foreign.ts'
import { parseYaml } from '#base/yaml.ts'
import type { NewCall } from './boundary.ts'
import { brokenInvariants } from './invariants.ts'
import { aWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.5', machines: 1 })
  await world.bringSecrets('one')
})
afterAll(() => world[Symbol.asyncDispose]())

const call = (method: string, known: object): NewCall => ({
  ...{ to: 'machine', method, address: world.address(1), isDryRun: false, uuid: 'u' },
  ...{ stage: 'running', version: 'v1.13.0', bootId: 'b', claims: [] },
  ...known,
})

const trial = (digest: string): NewCall =>
  call('configuration.apply', { ...{ isDryRun: true, digest, outcome: 'done' }, claims })

/** What is said of a call alone, after others that are forgotten as well afterwards. */
async function saidOf(one: NewCall, ...before: readonly NewCall[]): Promise<string[]> {
  const { history } = world.boundary
  const length = history.length
  for (const made of [...before, one]) {
    const { call: entered } = world.boundary.enter(made)
    // Whoever makes it up knows what came of it.
    entered.outcome = Object(made).outcome ?? 'done'
  }
  const said = await brokenInvariants(world)
  history.splice(length)
  return said
}

test('a reset of a machine that nobody gives away is told', async () => {
  const owned = { claims: [{ name: 'one', isLeaving: false }] }
  const leaving = { claims: [{ name: 'one', isLeaving: true }] }
  const shared = { claims: [...owned.claims, ...leaving.claims] }

  expect(await saidOf(call('reset', {}))).toHaveLength(1)
  expect(await saidOf(call('reset', owned))).toHaveLength(1)
  expect(await saidOf(call('reset', shared))).toEqual([expect.stringContaining('that of one')])
  expect(await saidOf(call('reset', leaving))).toEqual([])
})

test('a reset of a machine on whose node something runs, or a pod that is not asked, is told', async () => {
  const leaving = [{ name: 'one', isLeaving: true }]
  const deleted = { to: 'kubernetes', method: 'DELETE', kind: 'pods', name: 'web' } as const

  expect(await saidOf(call('reset', { claims: leaving, undrained: ['web', 'db'] }))).toEqual([
    expect.stringContaining('db, web is still on its node'),
  ])
  expect(await saidOf(call('reset', { claims: leaving, undrained: [] }))).toEqual([])
  expect(await saidOf(deleted)).toEqual([expect.stringContaining('it was not evicted')])
})

test('a member that leaves etcd and was not asked to give up to lead is told', async () => {
  const known = { claims: [{ name: 'one', isLeaving: true }] }
  const leave = call('etcd.leave', known)
  const forfeit = (over: object = {}) => call('etcd.forfeitLeadership', { ...known, ...over })

  expect(await saidOf(leave)).toEqual([expect.stringContaining('give up to lead')])
  expect(await saidOf(leave, forfeit())).toEqual([])
  expect(await saidOf(leave, forfeit(), leave)).toHaveLength(1)
  expect(await saidOf(leave, forfeit({ uuid: 'v' }))).toHaveLength(1)
})

const claimsOf = (isLeaving: boolean) => [{ name: 'one', isLeaving }]
const claims = claimsOf(false)

test('a configuration for a machine that does not wait, or is not claimed, is told', async () => {
  const send = (known: object) => saidOf(call('configuration.apply', known), trial('d'))
  const digest = 'd'

  expect(await send({ claims, digest })).toEqual([
    expect.stringContaining('the machine is running'),
  ])
  expect(await send({ stage: 'maintenance', digest })).toEqual([
    expect.stringContaining('claimed by nobody'),
  ])
  expect(await send({ stage: 'maintenance', claims: [...claims, ...claims], digest })).toEqual([
    expect.stringContaining('claimed by one, one'),
  ])
  expect(await send({ stage: 'maintenance', claims, digest })).toEqual([])
})

test('a configuration for another machine than the one which its object had is told', async () => {
  const digest = 'd'
  const known = (uid: string, uuid: string) => ({
    ...{ stage: 'maintenance', digest, uuid },
    claims: [{ name: 'one', uid, isLeaving: false }],
  })
  const send = (uid: string, uuid: string) => call('configuration.apply', known(uid, uuid))
  const tried = (uuid: string): NewCall => ({ ...trial(digest), ...{ uuid } })
  const saidAfter = (...[uid, uuid]: [string, string]) =>
    saidOf(send(uid, uuid), tried('first'), tried('second'), send('a', 'first'))

  expect(await saidAfter('a', 'second')).toEqual([expect.stringContaining('machine first before')])
  expect(await saidAfter('b', 'second')).toEqual([])
  expect(await saidAfter('a', 'first')).toEqual([])
})

test('a configuration that was not tried before, or that is refused, is told', async () => {
  const send = (known: object) =>
    saidOf(call('configuration.apply', { stage: 'maintenance', claims, ...known }), trial('d'))
  const refused = { digest: 'd', outcome: 'refused', refusal: 'no disk' }

  expect(await send({ digest: 'another' })).toEqual([expect.stringContaining('no dry run')])
  expect(await send({ digest: 'd', uuid: 'v' })).toEqual([expect.stringContaining('no dry run')])
  expect(await send({ ...refused })).toEqual([expect.stringContaining('refused it: no disk')])
  expect(await send({ ...refused, isRefusing: true })).toEqual([])
  expect(await send({ digest: 'd', outcome: 'refused' })).toEqual([])
  expect(await send({ digest: 'd' })).toEqual([])
})

test('a change to a machine of an object that is not to be worked on is told', async () => {
  const held = (ms: number) => ({
    ...{ claims, digest: 'd', stage: 'maintenance' },
    held: { by: 'TalosCluster one', since: new Date(world.clock.now().getTime() - ms) },
  })

  expect(await saidOf(call('meta.write', held(60_000)))).toEqual([
    expect.stringContaining('the reconcile-mode of TalosCluster one forbids it'),
  ])
  expect(await saidOf(call('meta.write', held(0)))).toEqual([])
})

test('secrets that are made a second time are told', async () => {
  const made = { to: 'kubernetes', method: 'POST', kind: 'secrets', name: 'one-secrets' } as const

  const first = { ...made, digest: 'a', status: 201 }

  expect(await saidOf({ ...made, digest: 'b', status: 201 }, first)).toEqual([
    'the secrets one-secrets were made 2 times',
  ])
  expect(await saidOf({ ...made, digest: 'b', status: 409 }, first)).toEqual([])
  // Put back as they were.
  expect(await saidOf(first, first)).toEqual([])
})

test('what is done to the Kubernetes of a cluster against its order is told', async () => {
  const on = (at: number, version: string, more: object = {}) => ({
    ...{ address: world.address(at), isOwn: at === 1, isControlPlane: true },
    ...{ isChanging: false, isInstalling: false, ...more },
    versions: { apiServer: version, kubelet: version },
  })
  const turns = { isOwn: true, held: 1, allowed: 1, isOfControlPlane: true }
  const applied = (machines: object[], brings: object, stage?: string) =>
    saidOf(
      call('configuration.apply', {
        ...{ claims, digest: 'd', turns, brings, kubernetes: { stage, machines } },
      }),
      trial('d'),
    )
  const both = [on(1, 'v1.35.0'), on(2, 'v1.35.0')]

  expect(await applied(both, { apiServer: 'v1.36.0', kubelet: 'v1.35.0' })).toEqual([])
  expect(await applied(both, { kubelet: 'v1.36.0' })).toEqual([
    expect.stringContaining('its kubelet becomes v1.36.0, and the API server of 127.80.5.1 is'),
  ])
  expect(await applied(both, { kubelet: 'v1.34.0' })).toEqual([
    expect.stringContaining('it gets an older kubelet than it has'),
  ])
  expect(await applied(both, { kubelet: 'v1.34.0' }, 'stopped')).toEqual([])
  expect(
    await applied([on(1, 'v1.35.0'), on(2, 'v1.36.0', { isChanging: true })], {
      apiServer: 'v1.36.0',
    }),
  ).toEqual([expect.stringContaining('the control plane on 127.80.5.2 is not up again')])
  expect(
    await applied([on(1, 'v1.35.0'), on(2, 'v1.35.0', { isInstalling: true })], {
      apiServer: 'v1.36.0',
    }),
  ).toEqual([expect.stringContaining('while 127.80.5.2 gets another Talos')])
})

test('another Talos beside another kubelet is told, until the turn of whoever came first is over', async () => {
  const on = (at: number, own: number, turn: number | undefined) => ({
    ...{ address: world.address(at), isOwn: at === own, isControlPlane: false },
    ...{ isChanging: false, isInstalling: false, turn, versions: { kubelet: 'v1.34.0' } },
  })
  const turns = { isOwn: true, held: 1, allowed: 1, isOfControlPlane: false }
  type Held = [number | undefined, number | undefined]
  const at = (own: number, [first, second]: Held, more: object) => ({
    ...{ claims, turns, address: world.address(own), ...more },
    kubernetes: { stage: undefined, machines: [on(1, own, first), on(2, own, second)] },
  })
  const kubelet = { digest: 'd', brings: { kubelet: 'v1.35.0' } }
  const talos = { image: 'i' }
  const fetched = call('images.pullLegacy', { claims, image: 'i' })
  const upgraded = (...held: Held) =>
    saidOf(
      call('upgrade.legacy', at(2, held, talos)),
      trial('d'),
      call('configuration.apply', at(1, [4, undefined], kubelet)),
      fetched,
    )
  const moved = (...held: Held) =>
    saidOf(
      call('configuration.apply', at(1, held, kubelet)),
      trial('d'),
      fetched,
      call('upgrade.legacy', at(2, [undefined, 4], talos)),
    )

  expect(await upgraded(4, 1)).toEqual([
    expect.stringContaining('it gets another Talos while 127.80.5.1 gets another kubelet'),
  ])
  expect(await upgraded(5, 1)).toEqual([])
  expect(await upgraded(undefined, 1)).toEqual([])
  expect(await moved(1, 4)).toEqual([
    expect.stringContaining('it gets another Kubernetes while 127.80.5.2 gets another Talos'),
  ])
  expect(await moved(1, undefined)).toEqual([])
})

test('an upgrade of Talos while Kubernetes is upgraded, or of what nobody fetched, is told', async () => {
  const turns = { isOwn: true, held: 1, allowed: 1, isOfControlPlane: true }
  const told = (stage: string | undefined) =>
    call('upgrade.legacy', { claims, turns, image: 'i', kubernetes: { stage, machines: [] } })
  const fetched = call('images.pullLegacy', { claims, image: 'i' })

  expect(await saidOf(told(undefined), fetched)).toEqual([])
  expect(await saidOf(told(undefined))).toEqual([expect.stringContaining('that it can fetch i')])
  expect(await saidOf(told('kubelet'), fetched)).toEqual([
    expect.stringContaining('its Kubernetes is upgraded (kubelet)'),
  ])
})

test('more turns than a pool may give, and a reboot without a drain, are told', async () => {
  const turns = { isOwn: true, held: 2, allowed: 1, isOfControlPlane: false }
  const applied = (known: object) =>
    saidOf(call('configuration.apply', { claims, digest: 'd', ...known }), trial('d'))

  expect(await applied({ turns })).toEqual([
    expect.stringContaining('2 machines of a pool have a turn, and 1 may'),
  ])
  expect(await applied({ turns: { ...turns, allowed: 2 } })).toEqual([])
  expect(
    await applied({ turns: { ...turns, held: 1 }, mode: 'reboot', undrained: ['web'] }),
  ).toEqual([expect.stringContaining('web is still on its node')])
})

interface Rebooted {
  allowed?: number
  outcome?: string
  isLeaving?: boolean
  /** What took the other one down, and what does this one. */
  was?: string
  by?: string
  wasDownWhenLetGo?: boolean
}

test('one more that goes down than may, whatever is written down of turns, is told', async () => {
  const at = (seconds: number) => new Date(world.clock.now().getTime() + seconds * 1_000)
  const turns = { isOwn: true, held: 1, allowed: 1, isOfControlPlane: false }
  const rebooted = (
    lastReady: { at: Date; bootId: string } | undefined,
    { allowed = 1, outcome = 'done', isLeaving = false, was = 'reboot', ...more }: Rebooted = {},
  ) => {
    const { by = 'reboot', wasDownWhenLetGo = false } = more
    return saidOf(
      call(by, {
        ...{ claims: claimsOf(by === 'reset'), turns, uuid: 'v', address: world.address(2) },
        part: {
          ...{ isOfControlPlane: false, allowed, wasDownWhenLetGo },
          others: [{ uuid: 'u', address: world.address(1), isLeaving, lastReady }],
        },
      }),
      call(was, { claims: claimsOf(isLeaving), turns, outcome }),
    )
  }
  const isTold = [
    expect.stringContaining('127.80.5.1 of a pool went down for us and was not ready since'),
  ]

  expect(await rebooted(undefined)).toEqual(isTold)
  expect(await rebooted({ at: at(10), bootId: 'b' })).toEqual(isTold)
  expect(await rebooted({ at: at(-10), bootId: 'a' })).toEqual(isTold)
  expect(await rebooted({ at: at(10), bootId: 'c' })).toEqual([])
  // It has not gone.
  expect(await rebooted({ at: at(130), bootId: 'b' })).toEqual([])
  expect(await rebooted(undefined, { allowed: 2 })).toEqual([])
  expect(await rebooted(undefined, { outcome: 'refused' })).toEqual([])
  // Who was down when it was let go was missed already.
  expect(await rebooted(undefined, { wasDownWhenLetGo: true })).toEqual(isTold)
  expect(await rebooted(undefined, { by: 'reset' })).toEqual(isTold)
  expect(await rebooted(undefined, { by: 'reset', wasDownWhenLetGo: true })).toEqual([])
  // Who goes is one of them until it is wiped.
  expect(await rebooted(undefined, { isLeaving: true })).toEqual(isTold)
  expect(await rebooted(undefined, { isLeaving: true, was: 'reset' })).toEqual([])
})

test('another try of an upgrade that nobody asked for is told', async () => {
  const turns = { isOwn: true, held: 1, allowed: 1, isOfControlPlane: false }
  const told = (image: string, bootId: string, more: object = {}) =>
    call('upgrade.lifecycle', { ...{ claims, turns, image, bootId, ...more } })
  const fetched = call('images.pull', { claims, image: 'i', fetchedAs: 'i@1' })
  const other = call('images.pull', { claims, image: 'j', fetchedAs: 'j@1' })
  const isTold = [expect.stringContaining('it went back to v1.13.0 after it was told the same')]

  expect(await saidOf(told('i@1', 'c'), fetched, told('i@1', 'b'))).toEqual(isTold)
  expect(await saidOf(told('i', 'c'), fetched, told('i@1', 'b'))).toEqual(isTold)
  expect(await saidOf(told('i@1', 'b'), fetched, told('i@1', 'b'))).toEqual([])
  expect(await saidOf(told('j@1', 'c'), fetched, other, told('i@1', 'b'))).toEqual([])
  expect(await saidOf(told('i@1', 'c'), fetched, told('i@1', 'b', { outcome: 'refused' }))).toEqual(
    [],
  )
  expect(await saidOf(told('i@1', 'c'))).toEqual([
    expect.stringContaining('nobody has seen that it can fetch i@1'),
  ])
})

test('a drain for what a machine may not be able to fetch is told', async () => {
  const turns = { isOwn: true, held: 1, allowed: 1, isOfControlPlane: false }
  const known = { claims, turns, node: 'n' }
  const cordoned = { to: 'kubernetes', method: 'PATCH', kind: 'nodes', name: 'n' } as const
  const drained = { ...cordoned, isCordon: true, outcome: 'done' }
  const fetched = call('images.pull', { ...known, image: 'i' })
  const told = call('upgrade.lifecycle', { ...known, image: 'i' })
  const reboot = call('reboot', known)
  const isTold = [expect.stringContaining('its node was drained before it had i')]

  expect(await saidOf(reboot, fetched, told, drained)).toEqual([])
  expect(await saidOf(reboot, drained, fetched, told)).toEqual(isTold)
  expect(await saidOf(reboot, { ...drained, name: 'm' }, fetched, told)).toEqual([])
  // It was drained for what it went down for before.
  expect(await saidOf(reboot, drained, reboot, fetched, told)).toEqual([])
  expect(await saidOf(call('upgrade.legacy', { ...known, image: 'i' }), drained, fetched)).toEqual(
    isTold,
  )
})

test('a byte of a secret in the log or in an object is told, in whatever form', async () => {
  const [secret] = await world.objects.list(Secret)
  const text = Buffer.from(secret?.data?.['secrets.yaml'] ?? '', 'base64').toString()
  const { certs, cluster } = Object(parseYaml(text))
  const pem = Buffer.from(certs.os.key, 'base64').toString().split('\n')[1]

  world.log.push(`{"key":"${pem}"}`)
  const inLog = await brokenInvariants(world)
  world.log.pop()
  await world.objects.create(ConfigMap, { metadata: { name: 'oh' }, data: { a: cluster.secret } })
  const inObject = await brokenInvariants(world)

  expect(inLog).toEqual(['a secret is in the log'])
  expect(inObject).toEqual(['a secret is in ConfigMap oh'])
})
