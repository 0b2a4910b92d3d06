import { describe, expect, test } from 'vitest'
import { KUBE_UPGRADE, KUBE_VERSION } from '#api/labels.ts'
import { aControlPlane } from '#test/builders.ts'
import { aMember, aSilent } from '#test/control-plane-world.ts'
import {
  advanced,
  beginning,
  isThrough,
  oldestOf,
  retargeted,
  stopped,
  versionsHad,
} from './kubernetes-moves.ts'
import { eachOf, type KubernetesRecord, kubernetesText } from './kubernetes-record.ts'

const [OLD, NEW] = ['v1.35.0', 'v1.36.0']
const all = (version: string) => eachOf(() => version)
const having = (at: number, over: Partial<ReturnType<typeof eachOf>> = {}) =>
  aMember(at, { kubernetes: { ...all(OLD), ...over } })
const controlPlane = aControlPlane({ metadata: { annotations: { [KUBE_VERSION]: OLD } } })
const begun = beginning(controlPlane, [having(1)], NEW)

const walk = (record: KubernetesRecord): KubernetesRecord[] =>
  record.stage === 'done' ? [record] : [record, ...walk(advanced(record))]

test('components move one after the other, and none before the API servers', () => {
  expect(walk(begun).map(({ stage, before }) => [stage, before])).toEqual([
    ...[
      ['preparing', NEW],
      ['apiServer', OLD],
      ['controllerManager', OLD],
      ['scheduler', OLD],
    ],
    ...[
      ['proxy', OLD],
      ['kubelet', OLD],
      ['workers', NEW],
      ['manifests', NEW],
      ['done', NEW],
    ],
  ])
  for (const { versions } of walk(begun)) {
    const moved = Object.values(versions).map((version) => version === NEW)
    expect(moved).toEqual(moved.toSorted().toReversed())
  }
  expect(walk(begun).at(-1)?.versions).toEqual(all(NEW))
})

test('what a machine already has newer, all get', () => {
  const { versions } = beginning(controlPlane, [having(1), having(2, { apiServer: NEW })], NEW)
  expect(versions).toEqual({ ...all(OLD), apiServer: NEW })

  const record = kubernetesText({
    ...begun,
    stage: 'stopped',
    versions: { ...all(OLD), scheduler: NEW },
  })
  const before = aControlPlane({
    metadata: { annotations: { [KUBE_VERSION]: OLD, [KUBE_UPGRADE]: record } },
  })
  expect(beginning(before, [having(1)], NEW).versions).toEqual({ ...all(OLD), scheduler: NEW })
})

test('another target begins with the API servers again, and lowers nothing', () => {
  const half = advanced(advanced(advanced(begun)))
  const some = [having(1, { apiServer: NEW, controllerManager: NEW, scheduler: NEW }), having(2)]
  expect(retargeted(half, some, 'v1.36.1')).toEqual({
    ...{ target: 'v1.36.1', stage: 'apiServer', before: NEW },
    versions: { ...half.versions, apiServer: 'v1.36.1' },
  })
  const beyond = { ...half, versions: { ...half.versions, scheduler: 'v1.36.9' } }
  expect(retargeted(beyond, some, 'v1.36.1').versions).toEqual({
    ...half.versions,
    ...{ apiServer: 'v1.36.1', scheduler: OLD },
  })
})

describe('what is left when it is stopped', () => {
  const apiServers = advanced(begun)

  test('is nothing, where nothing was changed', () => {
    expect(stopped(begun, [having(1)], OLD)).toBeUndefined()
  })

  test('is what was before, where only some machines have got more', () => {
    const some = [having(1, { apiServer: NEW }), having(2)]
    expect(stopped(apiServers, some, OLD)).toMatchObject({ stage: 'stopped', versions: all(OLD) })
  })

  test('is what all machines have', () => {
    expect(stopped(apiServers, [having(1, { apiServer: NEW })], OLD)).toMatchObject({
      ...{ stage: 'stopped', versions: { ...all(OLD), apiServer: NEW } },
    })
    expect(stopped(advanced(apiServers), [having(1, { apiServer: NEW })], OLD)).toMatchObject({
      ...{ stage: 'stopped', versions: { ...all(OLD), apiServer: NEW } },
    })
  })
})

test('a stage is through when all machines have it, and are well', () => {
  const record = advanced(begun)
  const moved = having(1, { apiServer: NEW })

  expect(isThrough(record, [moved, having(2, { apiServer: 'v1.36.2' })])).toBe(true)
  expect(isThrough(record, [moved, having(2)])).toBe(false)
  expect(isThrough(record, [moved, aMember(2)])).toBe(false)
  expect(isThrough(record, [moved, aSilent(2)])).toBe(false)
  expect(isThrough(begun, [moved])).toBe(true)
  // That it is turned off is no reason to wait for it.
  expect(isThrough({ ...record, stage: 'proxy' }, [aMember(1, { kubernetes: {} })])).toBe(true)
})

test('the oldest is what anything has, and what answers is asked only where nobody knows', () => {
  expect(oldestOf(NEW, [having(1, { apiServer: NEW })])).toBe(OLD)
  expect(oldestOf('v1.33.0', [aMember(1), having(2)])).toBe(OLD)
  expect(oldestOf(NEW, [aMember(1)])).toBe(NEW)
})

test('what was had is what is written down, and what an upgrade has brought to all', () => {
  expect(versionsHad(controlPlane, [])).toEqual([OLD])
  expect(versionsHad(aControlPlane(), [])).toEqual([])
  const record = kubernetesText({
    ...begun,
    stage: 'stopped',
    versions: { ...all(OLD), proxy: NEW },
  })
  const annotations = { [KUBE_VERSION]: OLD, [KUBE_UPGRADE]: record }
  expect(versionsHad(aControlPlane({ metadata: { annotations } }), [])).toContain(NEW)
})
