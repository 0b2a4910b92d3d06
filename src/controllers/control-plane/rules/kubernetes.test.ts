import { describe, expect, test } from 'vitest'
import {
  BOOTSTRAP_ACCEPTED,
  BOOTSTRAP_MACHINE,
  CLUSTER_ID,
  CONTRACT,
  ETCD_SEEN,
  KUBE_UPGRADE,
  KUBE_VERSION,
  TURN,
} from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { plan } from '#controllers/control-plane/plan.ts'
import type { KubernetesSeen, World } from '#controllers/control-plane/world.ts'
import { eachOf, kubernetesText, type Stage } from '#engine/kubernetes-record.ts'
import { aControlPlane } from '#test/builders.ts'
import { aMember, aSilent, aWorld, NOW, UNREACHABLE } from '#test/control-plane-world.ts'
import { asUpgrading, kubernetes, stopKubernetes } from './kubernetes.ts'

const [OLD, NEW] = ['v1.34.0', 'v1.35.0']
const having = (at: number, version = OLD) =>
  aMember(at, { observedVersion: 'v1.13.0', kubernetes: eachOf(() => version) })
const failing = (reason: string): Machine => {
  const machine = having(1)
  const failed = { type: 'Ready', status: 'False' as const, reason, message: 'it says so' }
  const lastTransitionTime = NOW.toISOString()
  return {
    ...machine,
    status: { ...machine.status, conditions: [{ ...failed, lastTransitionTime }] },
  }
}

/** One that knows of its turn. */
const { metadata: own, ...rest } = having(1, NEW)
const told = { ...rest, metadata: { ...own, annotations: { ...own.annotations, [TURN]: '1' } } }
const held = { last: 1, held: [{ id: 1, machine: own.name, uid: own.uid ?? '' }] }
const TAKEN = { what: 'talosconfig' as const, name: 'prod-talosconfig', why: 'is immutable' }

const BEGUN = {
  ...{ [CLUSTER_ID]: 'id-1', [CONTRACT]: 'v1.13', [BOOTSTRAP_MACHINE]: 'uuid-1' },
  ...{ [BOOTSTRAP_ACCEPTED]: 'uuid-1', [ETCD_SEEN]: 'uuid-1' },
}

interface Given {
  stage?: Stage
  wanted?: string
  has?: string
  paused?: boolean
  target?: string
}

const parent = ({ stage, wanted = NEW, has = OLD, paused = false, target = NEW }: Given) => {
  const versions = eachOf((component) => (component === stage ? target : OLD))
  const record = stage && kubernetesText({ target, stage, before: OLD, versions })
  return aControlPlane({
    metadata: {
      annotations: { ...BEGUN, [KUBE_VERSION]: has, ...(record && { [KUBE_UPGRADE]: record }) },
    },
    spec: { kubeVersion: wanted, rolloutStrategy: { type: 'RollingUpdate', paused } },
  })
}

const seen = (over: Partial<KubernetesSeen>): Pick<World, 'kubernetes'> => ({
  kubernetes: { ...aWorld().kubernetes, ...over },
})

/** What is done, where that leads, and what is said. */
const decided = (given: Given, over: Partial<World> = {}) => {
  const decision = kubernetes(parent(given), aWorld({ machines: [having(1)], ...over }))
  const [step] = decision?.steps ?? []
  const to = step && 'record' in step ? step.record?.stage : undefined
  return decision && [step?.do, to, decision.ready?.reason]
}

describe('another version in the spec', () => {
  test('is prepared first, and nothing is changed by that', () => {
    expect(decided({})).toEqual(['moveKubernetes', 'preparing', 'UpgradingKubernetes'])
  })

  const problem = { reason: 'KubeletTooOld' as const, message: 'too old' }
  test.each<[string, { given?: Given; over?: Partial<World>; says?: string }]>([
    ['it is what runs', { given: { wanted: OLD } }],
    ['a machine is off', { over: { machines: [having(1), aSilent(2)] } }],
    ['a machine has a turn', { over: { turns: { turns: undefined, gone: new Set() } } }],
    ['something speaks against it', { over: seen({ problem }), says: 'KubeletTooOld' }],
    ['Talos is upgraded', { over: seen({ unlikeTalos: ['a'] }), says: 'KubernetesUpgradePending' }],
    ['it is paused', { given: { paused: true }, says: 'Paused' }],
  ])('is left alone while %s', (_what, { given = {}, over, says }) => {
    const [step, , said] = decided(given, over) ?? []
    expect([step, said]).toEqual([undefined, says])
  })

  test('is left alone while nothing is written down of what runs', () => {
    const spec = { kubeVersion: NEW }
    expect(kubernetes(aControlPlane({ spec }), aWorld({ machines: [having(1)] }))).toBeUndefined()
  })
})

describe('what is prepared', () => {
  const stage = 'preparing'
  const problem = { reason: 'KubeletTooOld' as const, message: 'too old' }

  test('goes on to the API servers, also when Talos is to be upgraded since', () => {
    const on = ['moveKubernetes', 'apiServer', 'UpgradingKubernetes']
    expect(decided({ stage })).toEqual(on)
    expect(decided({ stage }, { machines: [failing('UpgradePending')] })).toEqual(on)
  })

  test('waits for workers that are being changed, and while it is paused', () => {
    expect(decided({ stage }, seen({ busyPools: ['pool'] }))).toEqual([
      ...[undefined, undefined, 'KubernetesUpgradePending'],
    ])
    expect(decided({ stage, paused: true })?.[2]).toBe('Paused')
    expect(decided({ stage }, { machines: [aSilent(1)] })).toBeUndefined()
  })

  test('is called off when something speaks against it, or the spec says otherwise', () => {
    const off = ['moveKubernetes', undefined, undefined]
    expect(decided({ stage }, seen({ problem }))).toEqual([...off.slice(0, 2), 'KubeletTooOld'])
    expect(decided({ stage, wanted: OLD })).toEqual(off)
    expect(decided({ stage, wanted: 'v1.35.1' })).toEqual(off)
  })
})

test('what was upgraded in part before stays written down when the next one is called off', () => {
  const versions = { ...eachOf(() => OLD), apiServer: NEW }
  const record = { target: NEW, stage: 'preparing' as const, before: NEW, versions }
  const annotations = { ...BEGUN, [KUBE_VERSION]: OLD, [KUBE_UPGRADE]: kubernetesText(record) }
  const controlPlane = aControlPlane({ metadata: { annotations }, spec: { kubeVersion: OLD } })

  expect(kubernetes(controlPlane, aWorld({ machines: [having(1)] }))?.steps).toMatchObject([
    { do: 'moveKubernetes', record: { stage: 'stopped', versions } },
  ])
})

describe('what is under way', () => {
  test.each<[Stage, Stage]>([
    ['apiServer', 'controllerManager'],
    ['controllerManager', 'scheduler'],
    ['scheduler', 'proxy'],
    ['proxy', 'kubelet'],
    ['kubelet', 'workers'],
    ['workers', 'manifests'],
  ])('goes from %s to %s when all machines have it', (stage, next) => {
    expect(decided({ stage }, { machines: [having(1, NEW), having(2, NEW)] })).toEqual([
      ...['moveKubernetes', next, 'UpgradingKubernetes'],
    ])
  })

  test('waits for who does not have it yet, or is not well', () => {
    const waits = [undefined, undefined, 'UpgradingKubernetes']
    expect(decided({ stage: 'apiServer' }, { machines: [having(1, NEW), having(2)] })).toEqual(
      waits,
    )
    expect(decided({ stage: 'apiServer' }, { machines: [aSilent(1)] })).toBeUndefined()
    expect(decided({ stage: 'workers', has: NEW }, seen({ poolsBehind: ['pool'] }))).toEqual(waits)
    expect(decided({ stage: 'scheduler', paused: true }, { machines: [having(1, NEW)] })?.[2]).toBe(
      'Paused',
    )
  })

  test('writes down that the control plane has it before workers get it', () => {
    const world = aWorld({ machines: [having(1, NEW)] })
    expect(kubernetes(parent({ stage: 'kubelet' }), world)?.steps).toMatchObject([
      { do: 'moveKubernetes', kubeVersion: NEW, record: { stage: 'workers' } },
    ])
    expect(kubernetes(parent({ stage: 'apiServer' }), world)?.steps).toMatchObject([
      { do: 'moveKubernetes', kubeVersion: OLD },
    ])
  })

  test('ends with what Talos runs in the cluster itself', () => {
    expect(decided({ stage: 'manifests', has: NEW }, { machines: [having(1, NEW)] })).toEqual([
      ...['syncManifests', 'done', 'UpgradingKubernetes'],
    ])
    expect(decided({ stage: 'manifests', has: NEW }, { machines: [] })).toBeUndefined()
  })

  test('turns to a newer version at once, unless something speaks against that', () => {
    const given = { stage: 'scheduler' as const, wanted: 'v1.35.1' }
    expect(decided(given)).toEqual(['moveKubernetes', 'apiServer', 'UpgradingKubernetes'])
    const problem = { reason: 'KubernetesPathUnsupported' as const, message: 'no' }
    expect(decided(given, seen({ problem }))).toEqual([
      ...[undefined, undefined, 'KubernetesPathUnsupported'],
    ])
  })

  test('goes on when only the rest is left, whatever the spec says, and begins anew once stopped', () => {
    expect(decided({ stage: 'workers', wanted: OLD, has: NEW })?.[1]).toBe('manifests')
    expect(decided({ stage: 'stopped', wanted: OLD })).toBeUndefined()
    expect(decided({ stage: 'stopped' })?.[1]).toBe('preparing')
  })
})

describe('what is called off', () => {
  const half = { machines: [having(1, NEW), having(2)] }
  /** What is left of it, by all rules of a control plane. */
  const left = (given: Given, over: Partial<World> = {}) => {
    const [step] = plan(parent(given), aWorld({ ...half, ...over }), NOW).steps
    return step?.do === 'moveKubernetes' ? step.record : step?.do
  }
  const stopping = { stage: 'scheduler' as const, wanted: OLD }
  const stops = { stage: 'stopped', versions: eachOf(() => OLD) }

  test('goes back on the machines that have it', () => {
    expect(left(stopping)).toMatchObject(stops)
  })

  test.each<[string, Partial<World>]>([
    ['the API is silent', { api: UNREACHABLE }],
    ['machines are not well', { machines: [having(1, NEW), aSilent(2)] }],
    [
      'a machine has a turn',
      { machines: [told, having(2)], turns: { turns: held, gone: new Set() } },
    ],
    ['a Secret for users cannot be written', { taken: [TAKEN] }],
  ])('goes back also while %s', (_what, over) => {
    expect(left(stopping, over)).toMatchObject(stops)
  })

  test('does not go back when only the rest is left, and is called off once', () => {
    const all = { machines: [having(1, NEW), having(2, NEW)] }
    expect(left({ stage: 'workers', wanted: OLD, has: NEW }, all)).toMatchObject({
      stage: 'manifests',
    })
    expect(stopKubernetes(parent({ ...stopping, stage: 'stopped' }), aWorld(half))).toBeUndefined()
    expect(stopKubernetes(parent({ stage: 'scheduler' }), aWorld(half))).toBeUndefined()
  })

  test('says what the matter was until it is written down', () => {
    const failed = { api: UNREACHABLE, machines: [failing('ComponentNotReady')] }
    const { status, conditions } = plan(parent(stopping), aWorld(failed), NOW)

    expect([status.state, conditions.Ready?.reason]).toEqual([
      ...['KubernetesUpgradeFailed', 'KubernetesUpgradeFailed'],
    ])
  })
})

describe('what is said of it', () => {
  const said = (given: Given, over: Partial<World> = {}) => {
    const world = aWorld({ machines: [having(1)], ...over })
    const { status, conditions } = plan(parent(given), world, NOW)
    return [status.state, conditions.Ready?.reason, Object.keys(conditions).toSorted()]
  }

  test('is that it goes on, while machines are changed for it', () => {
    const turns = { last: 1, held: [{ id: 1, machine: 'a', uid: having(1).metadata.uid ?? '' }] }
    expect(said({ stage: 'apiServer' }, { turns: { turns, gone: new Set() } }).slice(0, 2)).toEqual(
      [...['UpgradingKubernetes', 'UpgradingKubernetes']],
    )
  })

  test.each(['ImagePullFailed', 'ComponentNotReady', 'ConfigRejected', 'KubernetesDowngrade'])(
    'is that it failed, when a machine says %s',
    (reason) => {
      expect(said({ stage: 'apiServer' }, { machines: [failing(reason)] })).toEqual([
        ...['KubernetesUpgradeFailed', 'KubernetesUpgradeFailed'],
        ['KubernetesUpgradeFailed', 'Ready'],
      ])
    },
  )

  test('is what else is the matter, if something is', () => {
    const api = { is: 'silent' as const, since: NOW, reason: 'Unreachable' as const, message: 'no' }
    expect(said({ stage: 'apiServer' }, { api })[1]).toBe('ApiUnreachable')
    const turns = { last: 1, held: [{ id: 1, machine: 'a', uid: having(1).metadata.uid ?? '' }] }
    const told = having(1)
    told.metadata.annotations = { ...told.metadata.annotations, [TURN]: '1' }
    const inTurn = { api, machines: [told], turns: { turns, gone: new Set<string>() } }
    expect(said({ stage: 'apiServer' }, inTurn)[1]).toBe('UpgradingKubernetes')
    expect(said({ stage: 'apiServer', paused: true }, { machines: [having(1, NEW)] })[1]).toBe(
      'Paused',
    )
  })

  test('is that it succeeded, until the next one', () => {
    const done = { stage: 'done' as const, has: NEW }
    expect(said(done)).toEqual(['Ready', undefined, ['KubernetesUpgradeSucceeded']])
    expect(asUpgrading(parent({ wanted: OLD }), aWorld(), { state: 'Ready' }).conditions).toEqual(
      {},
    )
  })

  test('is the oldest version that anything has', () => {
    const at = (machines: Machine[], api: World['api']) =>
      plan(parent({}), aWorld({ machines, api }), NOW).status.observedKubeVersion
    const api = { is: 'answering' as const, version: NEW }

    expect(at([having(1, NEW), having(2)], api)).toBe(OLD)
    expect(at([having(1, NEW)], api)).toBe(NEW)
    expect(at([having(1, NEW)], { is: 'connecting' })).toBeUndefined()
  })
})
