import { describe, expect, test } from 'vitest'
import { FORCE_DELETION, MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import { aReader } from '#test/a-reader.ts'
import { aCluster, aControlPlane, aMachine, aWorker, aWorkerMachine } from '#test/builders.ts'
import { NOW, UUID } from '#test/machine-world.ts'
import { parentFor, parentOf } from './parent.ts'

const LEAVING = { deletionTimestamp: NOW.toISOString() }
const CLAIMED = { annotations: { [MACHINE_UUID]: UUID } }

const typeOf = ({ apiVersion = '', kind = '' }: KubeObject) => ({ apiVersion, kind })

describe('what a machine belongs to', () => {
  const reading = (...cached: KubeObject[]) => aReader({ cached }).read

  test('is its control plane, or its pool and the control plane of that', () => {
    const [controlPlane, worker] = [aControlPlane(), aWorker()]
    const read = reading(controlPlane, worker)

    const there = { is: 'there', controlPlane, isClusterLeaving: false }
    expect(parentOf(aMachine(), read)).toEqual({ ...there, worker: undefined })
    expect(parentOf(aWorkerMachine(), read)).toEqual({ ...there, worker })
  })

  test('tells which pools remain, when the control plane is being deleted', () => {
    const leaving = aControlPlane({ metadata: LEAVING })
    const other = aWorker({ metadata: { name: 'x' }, spec: { controlPlaneRef: { name: 'y' } } })

    expect(parentOf(aMachine(), reading(leaving, aWorker(), other))).toMatchObject({
      remaining: ['pool'],
    })
  })

  test('goes as a whole with its control plane, and with the TalosCluster that made that', () => {
    const { apiVersion = '', kind = '', metadata } = aCluster()
    const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '' }
    const owned = aControlPlane({ metadata: { ownerReferences: [owner] } })
    const isLeaving = (...cached: KubeObject[]) =>
      parentOf(aWorkerMachine(), reading(aWorker(), ...cached))

    const yes = { isClusterLeaving: true }
    expect(isLeaving(aControlPlane({ metadata: LEAVING }))).toMatchObject(yes)
    expect(isLeaving(owned, aCluster({ metadata: LEAVING }))).toMatchObject(yes)
    expect(isLeaving(owned, aCluster())).toMatchObject({ isClusterLeaving: false })
    expect(isLeaving(owned)).toMatchObject({ isClusterLeaving: false })
  })

  test('is nobody who merely has the name: the object was made for another one, and then restored', () => {
    const [controlPlane, worker] = [aControlPlane(), aWorker()]
    const read = reading(controlPlane, worker)
    const made = (by: KubeObject, uid = by.metadata.uid ?? '') => ({
      ownerReferences: [{ ...typeOf(by), name: by.metadata.name, uid }],
    })

    const isThere = { is: 'there', controlPlane }
    expect(parentOf(aMachine({ metadata: made(controlPlane) }), read)).toMatchObject(isThere)
    expect(parentOf(aWorkerMachine({ metadata: made(worker) }), read)).toMatchObject(isThere)
    expect(parentOf(aMachine({ metadata: made(controlPlane, 'gone') }), read)).toMatchObject({
      ...{ is: 'missing', what: expect.stringMatching(/^the TalosControlPlane prod that/) },
    })
    expect(parentOf(aWorkerMachine({ metadata: made(worker, 'gone') }), read)).toMatchObject({
      ...{ is: 'missing', what: expect.stringMatching(/^the TalosWorker pool that/) },
    })
  })

  test('is named when it is missing', () => {
    const { spec: _, ...nobodys } = aMachine()

    expect(parentOf(aMachine(), reading(aWorker()))).toEqual({
      ...{ is: 'missing', what: 'TalosControlPlane prod' },
    })
    expect(parentOf(aWorkerMachine(), reading(aControlPlane()))).toEqual({
      ...{ is: 'missing', what: 'TalosWorker pool' },
    })
    expect(parentOf(aWorkerMachine(), reading(aWorker()))).toEqual({
      ...{ is: 'missing', what: 'TalosControlPlane prod' },
    })
    expect(parentOf(nobodys, reading())).toEqual({ is: 'missing', what: 'what it belongs to' })
  })
})

describe('what a machine that goes and is wiped belongs to', () => {
  const machine = aMachine({ metadata: { ...CLAIMED, ...LEAVING } })
  const ofPool = aWorkerMachine({ metadata: { ...CLAIMED, ...LEAVING } })
  const [controlPlane, worker] = [aControlPlane(), aWorker()]

  test('is what the caches show, and nobody asks where they do', async () => {
    const { read, asked } = aReader({ cached: [controlPlane, worker] })

    expect(await parentFor(ofPool, read)).toMatchObject({ is: 'there', controlPlane, worker })
    expect(asked).toEqual([])
  })

  test.each<[string, Machine, KubeObject[]]>([
    ['TalosControlPlane prod', machine, []],
    ['TalosWorker pool', ofPool, [controlPlane]],
    ['TalosControlPlane prod', ofPool, [worker]],
  ])('is %s, where only the API has it', async (what, leaving, cached) => {
    const { read, asked } = aReader({ cached, live: [controlPlane, worker] })

    expect(await parentFor(leaving, read)).toEqual({ is: 'unseen', what })
    expect(asked).toEqual([what])
  })

  test.each<[string, Machine, KubeObject[]]>([
    ['TalosControlPlane prod', machine, [worker]],
    ['TalosWorker pool', ofPool, [controlPlane]],
    ['TalosControlPlane prod', ofPool, [worker]],
  ])('is missing, where the API too has no %s', async (what, leaving, cached) => {
    const { read, asked } = aReader({ cached })

    expect(await parentFor(leaving, read)).toEqual({ is: 'missing', what })
    expect(asked).toEqual([what])
  })

  test('is not there, though one of its name is; and is, where only the API has the one that it was made for', async () => {
    const owner = (uid: string) => ({ ...typeOf(worker), name: worker.metadata.name, uid })
    const leaving = (uid: string) =>
      aWorkerMachine({ metadata: { ...CLAIMED, ...LEAVING, ownerReferences: [owner(uid)] } })
    const newer = aWorker({ metadata: { uid: 'newer' } })
    const { read } = aReader({ cached: [controlPlane, worker], live: [controlPlane, newer] })

    expect(await parentFor(leaving('gone'), read)).toMatchObject({ is: 'missing' })
    expect(await parentFor(leaving('newer'), read)).toMatchObject({ is: 'unseen' })
  })

  test('is nothing, if the spec names nothing that could be asked for', async () => {
    const { spec: _, ...nobodys } = machine
    const { spec: __, ...homeless } = aWorker()
    const { read, asked } = aReader({ cached: [homeless], live: [controlPlane, homeless] })
    const missing = { is: 'missing', what: 'what it belongs to' }

    expect(await parentFor(nobodys, read)).toEqual(missing)
    expect(await parentFor(ofPool, read)).toEqual(missing)
    expect(asked).toEqual([])
  })

  test('stays open while the API does not say: nobody lets the machine go by that', async () => {
    const { read } = aReader()
    const fetchAny = () => Promise.reject(new Error('the API is away'))

    await expect(parentFor(machine, { ...read, fetchAny })).rejects.toThrow('the API is away')
  })

  const preserved = { deletionPolicy: 'preserve' as const }
  const forced = { ...CLAIMED.annotations, [FORCE_DELETION]: 'true' }
  const unasked: [string, Machine][] = [
    ['is not being deleted', aMachine({ metadata: CLAIMED })],
    ['was never configured', aMachine({ metadata: LEAVING })],
    ['is preserved', aMachine({ metadata: machine.metadata, spec: preserved })],
    ['is let go by force', aMachine({ metadata: { ...LEAVING, annotations: forced } })],
  ]

  test.each(unasked)('is not asked of the API for a machine that %s', async (_why, other) => {
    const { read, asked } = aReader({ live: [controlPlane] })

    expect(await parentFor(other, read)).toEqual({ is: 'missing', what: 'TalosControlPlane prod' })
    expect(asked).toEqual([])
  })
})
