import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { COPIED } from '#api/labels.ts'
import { Worker } from '#api/worker.ts'
import { wordsFor } from './boundary.ts'
import { brokenInvariants } from './invariants.ts'
import { conditionOf, untilReady, writesSince } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000
const PARTS = [ControlPlane, Worker] as const

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.24', machines: 2 })
  await world.bringSecrets('one')
}, LONG)
afterAll(() => world[Symbol.asyncDispose](), LONG)

// One life of one cluster: each test begins where the one before it ended.

const NOTE = 'example.com/note'
const OWN = 'example.com/own'

type Texts = Record<string, string>

/** The cluster with these labels and annotations, as its user applies it. */
const marked = (labels: Texts, annotations: Texts) => {
  const cluster = world.cluster('one', [1], [2])
  return { ...cluster, metadata: { ...cluster.metadata, labels, annotations } }
}

/** What of these keys each part of the cluster has: its labels, then its annotations. */
async function marksOfParts(...keys: string[]): Promise<Texts[][]> {
  const parts = await Promise.all(PARTS.map((kind) => world.objects.find(kind, 'one')))
  const some = (texts: Texts = {}) =>
    Object.fromEntries(Object.entries(texts).filter(([key]) => keys.includes(key)))
  return parts.map((part) => [some(part?.metadata.labels), some(part?.metadata.annotations)])
}

const untilEach = (what: string, isSo: (marks: Texts[]) => boolean): Promise<void> =>
  world.until(what, async () => (await marksOfParts('team', NOTE, OWN, COPIED)).every(isSo))

test('labels and annotations of a cluster are on its control plane and its workers', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(marked({ team: 'a' }, { [NOTE]: 'kept' }))
  await untilReady(world, 'one')

  expect(await marksOfParts('team', NOTE)).toEqual([
    [{ team: 'a' }, { [NOTE]: 'kept' }],
    [{ team: 'a' }, { [NOTE]: 'kept' }],
  ])
})

test('what is taken off a cluster leaves its parts, whenever the operator dies, and what others put there stays', {
  timeout: LONG,
}, async () => {
  const own = { [OWN]: 'theirs' }
  for (const kind of PARTS) {
    await world.objects.patch(kind, 'one', { metadata: { labels: own, annotations: own } })
  }
  // Between the two writes that it takes, and before the first.
  world.killAfter(`PATCH ${ControlPlane.plural}/one`)
  world.killBefore(`PATCH ${Worker.plural}/one`)
  await world.objects.apply(marked({ team: 'b' }, {}))
  await untilEach('the annotation to leave', ([, annotations]) => !(NOTE in (annotations ?? {})))
  await untilEach('the other label', ([labels]) => labels?.team === 'b')

  expect(world.boundary.pending).toEqual([])

  await world.objects.apply(marked({}, {}))
  await untilEach('the label to leave', ([labels]) => !('team' in (labels ?? {})))

  expect(await marksOfParts('team', NOTE, OWN, COPIED)).toEqual([
    [own, own],
    [own, own],
  ])
})

test('then nothing is written any more, and the cluster is as Ready as before', {
  timeout: LONG,
}, async () => {
  await world.pass(2)
  const before = world.history.length

  await world.restartOperator()
  await world.pass(10)

  expect(writesSince(world, before).map(wordsFor)).toEqual([])
  expect(await conditionOf(world, [Cluster, 'one'], 'Ready')).toMatchObject({ status: 'True' })
  expect(await brokenInvariants(world)).toEqual([])
})
