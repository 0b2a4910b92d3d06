import { describe, expect, test } from 'vitest'
import { KUBE_UPGRADE, KUBELETS } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { KubeletsSeen, World } from '#controllers/control-plane/world.ts'
import { eachOf, kubernetesText } from '#engine/kubernetes-record.ts'
import { aControlPlane } from '#test/builders.ts'
import { aMember, aSilent, aWorld, NOW } from '#test/control-plane-world.ts'
import { endKubelets, kubelets } from './kubelets.ts'

const parent = (phase?: string, annotations: Record<string, string> = {}) =>
  aControlPlane({
    metadata: { annotations: { ...annotations, ...(phase && { [KUBELETS]: phase }) } },
  })

/** A machine that is well, and waits for another Talos. */
const pending = (): Machine => {
  const machine = aMember(1)
  const ready = { type: 'Ready', status: 'False' as const, reason: 'UpgradePending', message: '' }
  const lastTransitionTime = NOW.toISOString()
  return {
    ...machine,
    status: { ...machine.status, conditions: [{ ...ready, lastTransitionTime }] },
  }
}

const inTurn = (machine: Machine): Pick<World, 'turns'> => {
  const { name, uid = '' } = machine.metadata
  return {
    turns: { turns: { last: 1, held: [{ id: 1, machine: name, uid }] }, gone: new Set() },
  }
}

const ASKED: KubeletsSeen = { ...aWorld().kubelets, asking: ['pool'], isAnyWaiting: true }

const decided = (
  rule: typeof kubelets,
  phase: string | undefined,
  over: Partial<KubeletsSeen> & { world?: Partial<World> } = {},
) => {
  const { world, ...seen } = over
  const decision = rule(parent(phase), aWorld({ kubelets: { ...ASKED, ...seen }, ...world }))
  const [step] = decision?.steps ?? []
  const moves = step?.do === 'moveKubelets' ? [step.phase ?? 'over'] : []
  return decision && [...moves, decision.ready?.reason]
}

const [PENDING, UPGRADING] = ['KubernetesUpgradePending', 'UpgradingKubernetes']
const problem = { reason: 'KubeletTooOld' as const, message: 'too old' }

describe('kubelets that a pool asks for', () => {
  test('are prepared, and moved when nobody is in the middle of anything', () => {
    expect(decided(kubelets, undefined)).toEqual(['preparing', UPGRADING])
    expect(decided(kubelets, 'preparing')).toEqual(['moving', UPGRADING])
    expect(decided(kubelets, 'moving')).toEqual([UPGRADING])
  })

  test('wait for Talos, and for who is being changed, whom they name', () => {
    expect(decided(kubelets, undefined, { unlikeTalos: ['other-1'] })).toEqual([PENDING])
    expect(decided(kubelets, undefined, { busy: ['other'] })).toEqual([PENDING])
    expect(decided(kubelets, 'preparing', { busy: ['other'] })).toEqual([UPGRADING])
    const said = kubelets(parent(), aWorld({ kubelets: { ...ASKED, unlikeTalos: ['other-1'] } }))
      ?.ready?.message
    expect(said).toMatch(/workers of pool .* until other-1 runs the Talos/)
  })

  test('do not wait for Talos that was raised after they were prepared', () => {
    const world = { machines: [pending()] }
    expect(decided(kubelets, 'preparing', { unlikeTalos: ['one-1'], world })).toEqual([
      ...['moving', UPGRADING],
    ])
    expect(decided(kubelets, 'moving', { unlikeTalos: ['one-1'], world })).toEqual([UPGRADING])
  })

  test('are refused when something speaks against them', () => {
    expect(decided(kubelets, undefined, { problem })).toEqual(['KubeletTooOld'])
    expect(decided(endKubelets, 'preparing', { problem })).toEqual(['over', UPGRADING])
  })

  test.each<[string, Partial<World>]>([
    ['a machine is off', { machines: [aMember(1), aSilent(2)] }],
    ['a machine has a turn', inTurn(aMember(1))],
    ['a machine waits for another Talos', { machines: [pending()] }],
    ['nobody asks', { kubelets: { ...ASKED, asking: [] } }],
  ])('are not begun while %s', (_what, world) => {
    expect(decided(kubelets, undefined, { world })).toBeUndefined()
  })

  test('come with an upgrade of the cluster, while there is one', () => {
    const versions = eachOf(() => 'v1.35.0')
    const record = { target: 'v1.36.0', stage: 'apiServer' as const, before: 'v1.35.0', versions }
    const controlPlane = parent(undefined, { [KUBE_UPGRADE]: kubernetesText(record) })

    expect(kubelets(controlPlane, aWorld({ kubelets: ASKED }))).toBeUndefined()
  })
})

describe('what keeps Talos as it is', () => {
  const nobody = { asking: [] }
  const sick = { machines: [aMember(1), aSilent(2)] }

  test('is over when nobody asks for kubelets any more, and those who got one are done', () => {
    expect(decided(endKubelets, 'preparing', nobody)?.[0]).toBe('over')
    expect(decided(endKubelets, 'moving', nobody)?.[0]).toBe('ending')
    expect(decided(endKubelets, 'moving', { ...nobody, busy: ['pool'] })).toBeUndefined()
    expect(decided(endKubelets, 'ending', nobody)?.[0]).toBe('over')
    expect(decided(endKubelets, 'ending')?.[0]).toBe('over')
    expect(decided(endKubelets, 'ending', { busy: ['pool'] })).toBeUndefined()
  })

  test('goes on while somebody does', () => {
    expect(decided(endKubelets, 'preparing')).toBeUndefined()
    expect(decided(endKubelets, 'moving')).toBeUndefined()
    expect(decided(endKubelets, undefined)).toBeUndefined()
  })

  test('is over when a machine of the control plane is not well, which another Talos may mend', () => {
    expect(decided(endKubelets, 'preparing', { world: sick })?.[0]).toBe('over')
    expect(decided(endKubelets, 'moving', { world: sick })?.[0]).toBe('ending')
    expect(decided(endKubelets, 'moving', { world: sick, busy: ['pool'] })).toBeUndefined()
    const changed = { ...sick, ...inTurn(aSilent(2)) }
    expect(decided(endKubelets, 'moving', { world: changed })).toBeUndefined()
  })
})
