import { beforeAll, describe, expect, test } from 'vitest'
import {
  CHANGE,
  CLUSTER,
  IMPORT,
  KUBERNETES,
  type Lived,
  lived,
  POOL,
  SCALE,
} from './operator-dies.cases.ts'
import { differences } from './operator-dies-fates.ts'
import { SHAPE } from './operator-dies-shape.ts'

// Each call in each way takes minutes: `make conformance` has them all. These are the ones that matter most, one
// in each chapter of a life.

const SUBNET = '127.80.20'
const LONG = 120_000
const [FIRST, SECOND] = [`${SUBNET}.1`, `${SUBNET}.2`]
const [ONE, TWO] = [`one-${FIRST}`, `one-${SECOND}`]

const diesBefore = (at: string) => ({ how: 'killed before', at }) as const
const diesAfter = (at: string) => ({ how: 'killed after', at }) as const
const lost = (at: string) => ({ how: 'reply lost', at }) as const

describe('a cluster ends in the same way if the operator is', () => {
  let clean: Lived
  beforeAll(async () => {
    clean = await lived(SUBNET, CLUSTER)
  }, LONG)

  test.each(
    [
      [diesAfter('POST secrets/one-secrets #1'), lost('DELETE talosworkers/one #1')],
      [lost('POST secrets/one-secrets #1'), diesAfter(`DELETE talosmachines/${TWO} #1`)],
      [lost(`POST talosmachines/${ONE} #1`), diesBefore(`reset ${SECOND} #1`)],
      [diesAfter(`PATCH talosmachines/${ONE} #2`), diesAfter(`reset ${FIRST} #1`)],
      [diesBefore(`configuration.apply ${FIRST} #1`), lost(`reset ${FIRST} #1`)],
      [lost(`configuration.apply ${SECOND} #1`), lost(`PATCH talosmachines/${ONE} #1`)],
      [diesAfter(`configuration.apply ${FIRST} #1`), diesBefore(`PATCH talosmachines/${ONE} #2`)],
      [diesAfter(`bootstrap ${FIRST} #1`), diesAfter('PATCH secrets/one-secrets #1')],
      [lost(`bootstrap ${FIRST} #1`), diesAfter('DELETE taloscontrolplanes/one #1')],
      [diesBefore('PATCH taloscontrolplanes/one #4'), diesBefore('PATCH talosclusters/one #1')],
    ].map(([made, deleted]) => ({ made, deleted })),
  )(
    '$made.how at "$made.at", and then $deleted.how at "$deleted.at"',
    { timeout: LONG },
    async ({ made, deleted }) => {
      const found = await lived(SUBNET, CLUSTER, [made, deleted])

      expect(found.missed).toEqual([])
      expect(differences(clean, found)).toEqual([])
    },
  )
})

test('the Node of a machine that was in a pool goes, also if nobody hears of it', {
  timeout: LONG,
}, async () => {
  const clean = await lived(SUBNET, POOL)
  const [, alone = []] = clean.points
  const node = alone.find((point) => point.startsWith('DELETE nodes/')) ?? 'the Node is not deleted'

  const found = await lived(SUBNET, POOL, [undefined, lost(node), lost(`reset ${FIRST} #1`)])

  expect(found.missed).toEqual([])
  expect(differences(clean, found)).toEqual([])
})

test('machines are changed and upgraded, also if the operator dies or hears nothing', {
  timeout: 2 * LONG,
}, async () => {
  const clean = await lived(SUBNET, CHANGE)

  const told = await lived(SUBNET, CHANGE, [
    undefined,
    diesAfter(`configuration.apply ${FIRST} #1`),
    diesAfter(`configuration.apply ${FIRST} #1`),
    diesAfter(`upgrade.legacy ${FIRST} #1`),
  ])
  const unheard = await lived(SUBNET, CHANGE, [
    undefined,
    lost('PATCH taloscontrolplanes/one #1'),
    lost(`configuration.apply ${SECOND} #1`),
    lost(`upgrade.legacy ${SECOND} #1`),
  ])

  expect([...told.missed, ...unheard.missed]).toEqual([])
  expect([...differences(clean, told), ...differences(clean, unheard)]).toEqual([])
})

test('Kubernetes, and Talos in its new way, are upgraded, also if the operator dies or hears nothing', {
  timeout: 3 * LONG,
}, async () => {
  const clean = await lived(SUBNET, KUBERNETES)

  const died = await lived(SUBNET, KUBERNETES, [
    ...[undefined, diesAfter('PATCH taloscontrolplanes/one #2')],
    ...[diesAfter(`images.pull ${FIRST} #1`), diesAfter(`upgrade.lifecycle ${FIRST} #1`)],
  ])
  const unheard = await lived(SUBNET, KUBERNETES, [
    ...[undefined, lost(`configuration.apply ${SECOND} #1`)],
    ...[lost(`configuration.apply ${FIRST} #1`), lost(`reboot ${SECOND} #1`)],
  ])

  expect([...died.missed, ...unheard.missed]).toEqual([])
  expect([...differences(clean, died), ...differences(clean, unheard)]).toEqual([])
})

test('a control plane loses and renews machines, also if the operator dies or hears nothing', {
  timeout: LONG,
}, async () => {
  const clean = await lived(SUBNET, SCALE)
  const [THIRD, LAST] = [`${SUBNET}.3`, `${SUBNET}.4`]

  const left = await lived(SUBNET, SCALE, [
    ...[undefined, diesAfter(`etcd.removeMember ${FIRST} #1`)],
    ...[diesAfter(`etcd.leave ${THIRD} #1`), lost(`etcd.leave ${FIRST} #1`)],
  ])
  const noted = await lived(SUBNET, SCALE, [
    ...[undefined, diesBefore(`PATCH talosmachines/one-${LAST} #2`)],
    ...[diesBefore(`PATCH talosmachines/one-${THIRD} #2`), diesAfter(`reset ${FIRST} #1`)],
  ])

  expect([...left.missed, ...noted.missed]).toEqual([])
  expect([...differences(clean, left), ...differences(clean, noted)]).toEqual([])
})

test('a cluster by its shape comes, grows, shrinks and goes, also if the operator dies or hears nothing', {
  timeout: LONG,
}, async () => {
  const clean = await lived(SUBNET, SHAPE)

  const died = await lived(SUBNET, SHAPE, [
    ...[diesAfter('PATCH machines/one-cp-0 #1'), diesAfter('PATCH taloscontrolplanes/one #1')],
    ...[
      diesAfter('PATCH taloscontrolplanes/one #1'),
      diesBefore('PATCH kubernetesclusters/one #1'),
    ],
  ])
  const unheard = await lived(SUBNET, SHAPE, [
    ...[lost('POST secrets/one-talos-secrets #1'), lost('PATCH machines/one-cp-1 #1')],
    ...[lost('DELETE machines/one-cp-2 #1'), diesAfter('DELETE machines/one-cp-0 #1')],
  ])

  expect([...died.missed, ...unheard.missed]).toEqual([])
  expect([...differences(clean, died), ...differences(clean, unheard)]).toEqual([])
})

describe('a cluster of somebody else is taken over, and let go, in the same way if the operator is', () => {
  let clean: Lived
  beforeAll(async () => {
    clean = await lived(SUBNET, IMPORT)
  }, LONG)

  test.each(
    [
      [diesAfter('POST secrets/one-secrets #1'), diesAfter(`DELETE talosmachines/${ONE} #1`)],
      [diesBefore('PATCH taloscontrolplanes/one #3'), diesAfter('DELETE talosworkers/one #1')],
      [diesAfter('PATCH taloscontrolplanes/one #3'), lost(`DELETE talosmachines/${ONE} #1`)],
      [lost('PATCH taloscontrolplanes/one #3'), diesBefore('DELETE taloscontrolplanes/one #1')],
      [diesAfter(`PATCH talosmachines/${ONE} #1`), diesBefore(`DELETE talosmachines/${TWO} #1`)],
      [lost(`PATCH talosmachines/${TWO} #1`), diesAfter('DELETE taloscontrolplanes/one #1')],
    ].map(([taken, letGo]) => ({ taken, letGo })),
  )(
    '$taken.how at "$taken.at", and then $letGo.how at "$letGo.at"',
    { timeout: LONG },
    async ({ taken, letGo }) => {
      const found = await lived(SUBNET, IMPORT, [taken, letGo])

      expect(found.missed).toEqual([])
      expect(differences(clean, found)).toEqual([])
    },
  )
})
