import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AnApi, anApi } from '#test/an-api.ts'
import { until } from '#test/until.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const HOLD = 'tests.example/hold'

let api: AnApi
beforeAll(async () => {
  api = await anApi()
})
afterAll(() => api[Symbol.asyncDispose]())

const find = async (name: string) => {
  const { status, body } = await api.send({ method: 'GET', path: `${MAPS}/${name}` })
  return status === 404 ? undefined : Object(body).metadata
}

const make = async (name: string, metadata: object = {}) => {
  const body = { metadata: { name, ...metadata } }
  return Object((await api.send({ method: 'POST', path: MAPS, body })).body).metadata
}

const ownedBy = ({ name, uid }: { name: string; uid: string }, more: object = {}) => ({
  ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid, ...more }],
})

const remove = (name: string, propagationPolicy?: string) =>
  api.send({ method: 'DELETE', path: `${MAPS}/${name}`, body: { propagationPolicy } })

const patch = (name: string, metadata: object) =>
  api.send({
    method: 'PATCH',
    path: `${MAPS}/${name}`,
    contentType: 'application/merge-patch+json',
    body: { metadata },
  })

const release = (name: string) => patch(name, { finalizers: null })

const untilGone = (name: string) =>
  until(
    `${name} to go`,
    () => find(name),
    (found) => found === undefined,
  )

test('in the background, what is owned goes after its owner, and what it owns after that', async () => {
  const owner = await make('bg-owner')
  const child = await make('bg-child', ownedBy(owner))
  await make('bg-grandchild', ownedBy(child))

  await remove('bg-owner', 'Background')
  expect(await find('bg-owner')).toBeUndefined()

  await untilGone('bg-child')
  await untilGone('bg-grandchild')
})

test('in the foreground, the owner stays until those are gone that block it', async () => {
  const owner = await make('fg-owner')
  const held = { ...ownedBy(owner, { blockOwnerDeletion: true }), finalizers: [HOLD] }
  await make('fg-child', held)

  await remove('fg-owner', 'Foreground')
  await until(
    'the child to be deleted',
    () => find('fg-child'),
    (found) => found?.deletionTimestamp !== undefined,
  )
  expect((await find('fg-owner'))?.finalizers).toEqual(['foregroundDeletion'])
  await release('fg-child')

  await untilGone('fg-child')
  await untilGone('fg-owner')
})

test('in the foreground, an owner goes when what blocked it no longer does', async () => {
  const owner = await make('freed-owner')
  await make('unblocking', {
    ...ownedBy(owner, { blockOwnerDeletion: true }),
    finalizers: [HOLD],
  })
  await remove('freed-owner', 'Foreground')
  await until(
    'the child to be deleted',
    () => find('unblocking'),
    (found) => found?.deletionTimestamp !== undefined,
  )

  await patch('unblocking', ownedBy(owner, { blockOwnerDeletion: false }))

  await untilGone('freed-owner')
  await release('unblocking')
})

test('in the foreground, two that own and block each other both go', async () => {
  const one = await make('circle-one')
  const other = await make('circle-two', ownedBy(one, { blockOwnerDeletion: true }))
  await patch('circle-one', ownedBy(other, { blockOwnerDeletion: true }))

  await remove('circle-one', 'Foreground')

  await untilGone('circle-one')
  await untilGone('circle-two')
})

test('orphans stay, and forget their owner', async () => {
  const owner = await make('lost-owner')
  await make('orphan', ownedBy(owner))

  await remove('lost-owner', 'Orphan')
  await untilGone('lost-owner')

  expect(await find('orphan')).toBeDefined()
  expect((await find('orphan'))?.ownerReferences).toBeUndefined()
})

test('what has another owner left stays, and what has an owner that never was does not', async () => {
  const [first, second] = [await make('first'), await make('second')]
  const owners = [first, second].flatMap((one) => ownedBy(one).ownerReferences)
  await make('shared', { ownerReferences: owners })
  await make('abandoned', ownedBy({ name: 'nobody', uid: 'no-such-uid' }))

  await remove('first', 'Background')
  await untilGone('abandoned')
  const names = (found: { ownerReferences?: { name: string }[] } | undefined) =>
    found?.ownerReferences?.map(({ name }) => name).join()

  await until(
    'one owner to be left',
    () => find('shared'),
    (found) => names(found) === 'second',
  )
})
