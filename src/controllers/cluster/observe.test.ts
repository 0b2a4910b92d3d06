import { describe, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { COPIED, RECONCILE_MODE } from '#api/labels.ts'
import type { ApiKind, KubeObject } from '#api/meta.ts'
import { ownedBy } from '#runtime/controller.ts'
import type { Reader } from '#runtime/reader.ts'
import { aCluster, aControlPlane, aWorker } from '#test/builders.ts'
import { controlPlaneDraft, workerDraft } from './drafts.ts'
import { observe } from './observe.ts'

/** A reader of these objects alone. */
function reading(...objects: KubeObject[]): Reader {
  const of = ({ kind }: ApiKind) => objects.filter((object) => object.kind === kind)
  const reader = {
    get: (kind: ApiKind, name: string) => of(kind).find(({ metadata }) => metadata.name === name),
    list: (kind: ApiKind, { ownerUid = '' } = {}) =>
      of(kind).filter(({ metadata }) =>
        metadata.ownerReferences?.some(({ uid }) => uid === ownerUid),
      ),
  }
  return reader as unknown as Reader // a cluster only looks into the caches
}

const cluster = aCluster()
const owned = { ownerReferences: [ownedBy(Cluster, cluster)] }
const ownControlPlane = (name = 'prod') => ({
  ...aControlPlane(),
  metadata: { ...aControlPlane().metadata, ...owned, name },
})
const ownWorker = (name = 'prod') => {
  const { spec, ...worker } = aWorker()
  const controlPlaneRef = { name: 'prod' }
  return {
    ...worker,
    ...(spec && { spec: { ...spec, controlPlaneRef } }),
    metadata: { ...worker.metadata, ...owned, name },
  }
}

describe('the parts of a cluster', () => {
  test('are named like it, and not there at first', () => {
    const { controlPlane, worker, joined } = observe(cluster, reading())
    expect([controlPlane.name, worker.name, joined]).toEqual(['prod', 'prod', 'prod'])
    expect([controlPlane.child, controlPlane.isOwn, controlPlane.isAsWanted]).toEqual([
      undefined,
      false,
      false,
    ])
  })

  test('say what the cluster says, once they were made', () => {
    const world = observe(cluster, reading(ownControlPlane(), ownWorker()))
    expect(world.controlPlane).toMatchObject({ isOwn: true, isAsWanted: true, leftOver: undefined })
    expect(world.worker).toMatchObject({ isOwn: true, isAsWanted: true, leftOver: undefined })
  })

  test('of a stranger are not its own, also where they have its name', () => {
    const { controlPlane } = observe(cluster, reading(aControlPlane()))
    expect(controlPlane).toMatchObject({ isOwn: false, child: { metadata: { name: 'prod' } } })
  })

  test('keep the names that an older operator gave them', () => {
    const world = observe(
      cluster,
      reading(ownControlPlane('prod-controlplane'), ownWorker('prod-worker')),
    )
    expect(world.controlPlane).toMatchObject({ name: 'prod-controlplane', isOwn: true })
    expect(world.worker).toMatchObject({ name: 'prod-worker', isOwn: true, leftOver: undefined })
    expect(world.joined).toBe('prod-controlplane')
  })

  test('are left over when the spec has them no more', () => {
    const { controlPlane, worker } = observe(
      { ...cluster, spec: {} },
      reading(ownControlPlane(), ownWorker()),
    )
    expect([controlPlane.name, controlPlane.leftOver?.metadata.name]).toEqual(['', 'prod'])
    expect([worker.name, worker.leftOver?.metadata.name]).toEqual(['', 'prod'])
  })

  test('are not left over when the spec now refers to them', () => {
    const spec = { controlPlaneRef: { name: 'prod' }, workerRef: { name: 'prod' } }
    const { controlPlane, worker } = observe(
      { ...cluster, spec },
      reading(ownControlPlane(), ownWorker()),
    )
    expect([controlPlane.leftOver, worker.leftOver]).toEqual([undefined, undefined])
    expect([controlPlane.isInline, worker.isInline]).toEqual([false, false])
  })

  test.each([
    [
      'a field is another',
      { ...ownControlPlane(), spec: { ...aControlPlane().spec, version: 'v1.12.0' } },
    ],
    [
      'a field is too much',
      { ...ownControlPlane(), spec: { ...aControlPlane().spec, replicas: 3 } },
    ],
  ])('differ when %s', (_title, child) => {
    expect(observe(cluster, reading(child)).controlPlane.isAsWanted).toBe(false)
  })

  test('follow labels and annotations of the cluster, and may have others', () => {
    const child = ownControlPlane()
    const labels = { team: 'a' }
    const marked = { ...cluster, metadata: { ...cluster.metadata, labels, annotations: labels } }
    expect(observe(marked, reading(child)).controlPlane.isAsWanted).toBe(false)
    const { annotations = {} } = controlPlaneDraft(marked, 'prod').metadata
    const metadata = { ...child.metadata, labels: { ...labels, more: 'b' }, annotations }
    const followed = { ...child, metadata }
    expect(observe(marked, reading(followed)).controlPlane.isAsWanted).toBe(true)
    // What it has from the cluster goes with it, and what others put there does not count.
    expect(observe(cluster, reading(followed)).controlPlane.isAsWanted).toBe(false)
  })
})

describe('the control plane that workers join', () => {
  const { spec: controlPlane } = aControlPlane()
  const naming = (name: string | undefined) => {
    const { spec } = aWorker()
    if (!spec) throw new Error('it has one')
    const { controlPlaneRef: _, ...worker } = spec
    return name === undefined ? worker : { ...worker, controlPlaneRef: { name } }
  }

  test.each([
    ['that of the cluster, whatever they name', { controlPlane, worker: naming('own') }, 'prod'],
    ['the one referred to', { controlPlaneRef: { name: 'a' }, worker: naming('own') }, 'a'],
    ['the one they name, if the cluster has none', { worker: naming('own') }, 'own'],
    ['the one named like the cluster, if nobody says', { worker: naming(undefined) }, 'prod'],
  ])('is %s', (_title, spec, name) => {
    const { joined } = observe({ ...cluster, spec: JSON.parse(JSON.stringify(spec)) }, reading())
    expect(joined).toBe(name)
  })
})

describe('what is made of a cluster', () => {
  const marked = aCluster({
    metadata: {
      labels: { team: 'a' },
      annotations: {
        'example.com/note': 'kept',
        'kubectl.kubernetes.io/last-applied-configuration': '{}',
        'talos.alperen.cloud/force-deletion': 'true',
        [RECONCILE_MODE]: 'Import',
      },
    },
  })

  test('has what users put on it, and not what is meant for the cluster alone', () => {
    expect(controlPlaneDraft(marked, 'prod').metadata).toMatchObject({
      labels: { team: 'a' },
      annotations: { 'example.com/note': 'kept' },
      ownerReferences: [{ kind: 'TalosCluster', name: 'prod' }],
    })
    expect(controlPlaneDraft(marked, 'prod').metadata.annotations).toEqual({
      'example.com/note': 'kept',
      [RECONCILE_MODE]: 'Import',
      [COPIED]: `annotations:example.com/note annotations:${RECONCILE_MODE} labels:team`,
    })
  })

  test('is imported with the cluster, unless it has a mode of its own', () => {
    const moded = (mode: string) => ({
      ...{ name: 'prod', annotations: { [RECONCILE_MODE]: mode } },
    })
    const stopped = aWorker({ metadata: moded('disable') })
    const drafted = workerDraft(marked, { name: 'prod', controlPlane: 'x', child: stopped })

    expect(drafted.metadata.annotations).not.toHaveProperty([RECONCILE_MODE])
    const controlPlane = aControlPlane({ metadata: moded('import') })
    expect(controlPlaneDraft(marked, 'prod', controlPlane).metadata.annotations).toMatchObject({
      [RECONCILE_MODE]: 'Import',
    })
  })

  test('has a mode that forbids something from the cluster itself, and not by a copy of it', () => {
    const stopped = aCluster({ metadata: { annotations: { [RECONCILE_MODE]: 'disable' } } })
    expect(controlPlaneDraft(stopped, 'prod').metadata.annotations).toEqual({})
  })

  test('workers join the control plane that is said', () => {
    const { spec } = workerDraft(marked, { name: 'prod', controlPlane: 'x' })
    expect(spec).toMatchObject({ controlPlaneRef: { name: 'x' }, version: 'v1.13.0' })
  })
})
