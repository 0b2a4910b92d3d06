import { describe, expect, test } from 'vitest'
import {
  BOOTSTRAP_ACCEPTED,
  CLUSTER_ID,
  COPIED,
  FORCE_DELETION,
  RECONCILE_MODE,
} from '#api/labels.ts'
import type { ObjectMeta } from '#api/meta.ts'
import { aCluster, aControlPlane } from '#test/builders.ts'
import { copiedFrom, isNothing, takenOff, withoutThese } from './copied.ts'

type Marks = Pick<ObjectMeta, 'labels' | 'annotations'>

const aMarkedCluster = (marks: Marks) => aCluster({ metadata: marks })
const aPart = (marks: Marks) => aControlPlane({ metadata: marks })

/** A part as it is after it was made, or followed, when the cluster had these. */
const partOf = (marks: Marks) => aPart(copiedFrom(aMarkedCluster(marks)))

/** What goes from a part when its cluster has these. */
const goesFrom = (part: ReturnType<typeof aPart>, marks: Marks = {}) =>
  takenOff(part, copiedFrom(aMarkedCluster(marks)))

const NOTHING = { labels: [], annotations: [] }

describe('what a part has from its cluster', () => {
  test('is its labels and annotations, and a note of which these are', () => {
    const labels = { team: 'a', 'example.com/tier': 'gold' }
    const annotations = { 'example.com/note': 'kept' }

    expect(copiedFrom(aMarkedCluster({ labels, annotations }))).toEqual({
      labels,
      annotations: {
        ...annotations,
        [COPIED]: 'annotations:example.com/note labels:example.com/tier labels:team',
      },
    })
  })

  test('is noted in the same words in whatever order it was written', () => {
    const one = copiedFrom(aMarkedCluster({ labels: { a: '1', b: '2' } }))
    const other = copiedFrom(aMarkedCluster({ labels: { b: '2', a: '1' } }))

    expect(one.annotations).toEqual(other.annotations)
  })

  test('is nothing, and no note, where the cluster has nothing', () => {
    expect(copiedFrom(aCluster())).toEqual({ annotations: {} })
  })

  test.each([
    CLUSTER_ID,
    COPIED,
    FORCE_DELETION,
    'talos.alperen.cloud/whatever-comes',
    'kubectl.kubernetes.io/last-applied-configuration',
    'kubectl.kubernetes.io/restartedAt',
  ])('is never %s, which is meant for the cluster alone', (key) => {
    expect(copiedFrom(aMarkedCluster({ annotations: { [key]: 'x' } }))).toEqual({ annotations: {} })
    expect(copiedFrom(aMarkedCluster({ labels: { [key]: 'x' } }))).toEqual({
      ...{ labels: {}, annotations: {} },
    })
  })

  test('may be named like what is not copied, if it is of somebody else', () => {
    const annotations = { 'talos.alperen.cloud.example.com/a': '1', 'kubectl.kubernetes.io': '2' }

    expect(copiedFrom(aMarkedCluster({ annotations })).annotations).toMatchObject(annotations)
  })
})

describe('what goes from a part', () => {
  const marks = { labels: { team: 'a', tier: 'gold' }, annotations: { note: 'x', other: 'y' } }

  test('is nothing while the cluster has all that it had', () => {
    expect(goesFrom(partOf(marks), marks)).toEqual(NOTHING)
  })

  test('is what the cluster does not have any more', () => {
    const left = { labels: { tier: 'gold' }, annotations: { other: 'y' } }

    expect(goesFrom(partOf(marks), left)).toEqual({ labels: ['team'], annotations: ['note'] })
  })

  test('is nothing because of another value, which is only written over', () => {
    const changed = { ...marks, labels: { team: 'b', tier: 'gold' } }

    expect(goesFrom(partOf(marks), changed)).toEqual(NOTHING)
  })

  test('is everything from the cluster and the note of it, with the last', () => {
    expect(goesFrom(partOf(marks))).toEqual({
      labels: ['team', 'tier'],
      annotations: ['note', 'other', COPIED],
    })
  })

  test('is not what others put there', () => {
    const part = partOf(marks)
    const { labels, annotations } = part.metadata
    const shared = aPart({
      labels: { ...labels, owner: 'somebody' },
      annotations: { ...annotations, 'example.com/own': 'theirs', [CLUSTER_ID]: 'id-1' },
    })

    expect(goesFrom(shared)).toEqual(goesFrom(part))
  })

  test('is nothing where nobody noted anything, as on parts that are older than the note', () => {
    expect(goesFrom(aPart({ labels: { team: 'a' }, annotations: { note: 'x' } }))).toEqual(NOTHING)
  })

  test('is not an annotation for which only a label was noted, nor the other way round', () => {
    const annotations = { team: 'mine', [COPIED]: 'labels:team annotations:tier' }
    const part = aPart({ labels: { tier: 'mine' }, annotations })

    expect(goesFrom(part, { labels: { other: 'x' } })).toEqual(NOTHING)
  })

  test('is not what somebody has taken off the part already', () => {
    const { annotations = {} } = partOf(marks).metadata
    const { note: _, ...rest } = annotations

    expect(goesFrom(aPart({ annotations: rest }), marks)).toEqual(NOTHING)
    expect(goesFrom(aPart({ annotations: rest }))).toEqual({
      ...{ labels: [], annotations: ['other', COPIED] },
    })
  })

  test('is nothing of ours, whatever somebody writes into the note', () => {
    const own = { [CLUSTER_ID]: 'id-1', [BOOTSTRAP_ACCEPTED]: 'uuid-1' }
    const forged = Object.keys(own).map((key) => `annotations:${key}`)
    const annotations = { ...own, [COPIED]: [...forged, `annotations:${COPIED}`].join(' ') }

    expect(goesFrom(aPart({ annotations }))).toEqual({ labels: [], annotations: [COPIED] })
    expect(goesFrom(aPart({ annotations }), { labels: { team: 'a' } })).toEqual(NOTHING)
  })

  test.each(['', ' ', 'labels', ':', 'labels: annotations:', 'constructor'])(
    'is at most the note, if that says %j',
    (note) => {
      const part = aPart({ labels: { team: 'a' }, annotations: { note: 'x', [COPIED]: note } })

      expect(goesFrom(part)).toEqual({ labels: [], annotations: [COPIED] })
    },
  )
})

describe('taking something off a part', () => {
  test('has nothing to do only where neither a label nor an annotation goes', () => {
    expect(isNothing(NOTHING)).toBe(true)
    expect(isNothing({ labels: ['team'], annotations: [] })).toBe(false)
    expect(isNothing({ labels: [], annotations: ['note'] })).toBe(false)
  })

  test('names these alone, and exactly this part', () => {
    const part = aPart({})

    expect(withoutThese(part, { labels: ['team'], annotations: ['note', COPIED] })).toEqual({
      type: 'merge',
      body: {
        metadata: {
          uid: part.metadata.uid,
          labels: { team: null },
          annotations: { note: null, [COPIED]: null },
        },
      },
    })
  })

  test('leaves nothing to take off', () => {
    const part = partOf({ labels: { team: 'a' }, annotations: { note: 'x' } })
    const { labels: gone, annotations: off } = goesFrom(part)
    const { labels = {}, annotations = {} } = part.metadata
    const without = (texts: Record<string, string>, keys: readonly string[]) =>
      Object.fromEntries(Object.entries(texts).filter(([key]) => !keys.includes(key)))

    const after = aPart({ labels: without(labels, gone), annotations: without(annotations, off) })

    expect(goesFrom(after)).toEqual(NOTHING)
    expect([after.metadata.labels, after.metadata.annotations]).toEqual([{}, {}])
  })
})

describe('that a cluster is to be imported', () => {
  const IMPORT = { annotations: { [RECONCILE_MODE]: 'import' } }

  test('holds for its parts, and no longer than for the cluster', () => {
    expect(partOf(IMPORT).metadata.annotations).toMatchObject(IMPORT.annotations)
    expect(goesFrom(partOf(IMPORT), IMPORT)).toEqual(NOTHING)
    expect(goesFrom(partOf(IMPORT)).annotations).toContain(RECONCILE_MODE)
  })

  test('takes no mode away that somebody gave a part since', () => {
    const { annotations = {} } = partOf(IMPORT).metadata
    const stopped = aPart({ annotations: { ...annotations, [RECONCILE_MODE]: 'disable' } })

    expect(goesFrom(stopped).annotations).not.toContain(RECONCILE_MODE)
    expect(copiedFrom(aMarkedCluster(IMPORT), stopped)).toEqual({ annotations: {} })
  })
})
