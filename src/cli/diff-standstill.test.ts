import { describe, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { Worker } from '#api/worker.ts'
import { aControlPlane, aWorker, aWorkerMachine } from '#test/builders.ts'
import { HeldObjects } from './diff-held.ts'
import type { ChangedMachine, ObjectDiff } from './diff-report.ts'
import { type Judged, type Standing, withStandstills } from './diff-standstill.ts'

const change = (name: string, over: Partial<ChangedMachine> = {}): ChangedMachine => ({
  ...{ do: 'change', name, effort: 'upgrade', upgrade: { from: 'v1.13.0', to: 'v1.13.1' } },
  ...{ changes: [], isMetaWritten: false, comparedWith: 'machine', ...over },
})
const { upgrade: _, ...meta } = change('m', { effort: 'live', isMetaWritten: true })
const relabelled: ChangedMachine = {
  ...{ ...meta, isMetaWritten: false },
  changes: [
    {
      document: 'v1alpha1',
      path: 'machine.nodeLabels',
      after: {},
      isHidden: false,
      effort: 'live',
    },
  ],
}

const standing = (name: string, reason = 'UpgradeFailed'): Standing => ({
  ...{ name, problem: { reason, message: `${name} is wrong` } },
})
const judged = (
  kind: { kind: string },
  name: string,
  { machines = [], stands = [], atOnce = 1, cluster = 'prod' }: Given,
): Judged => {
  const diff: ObjectDiff = {
    ...{ kind: kind.kind, namespace: 'lab', name, cluster, change: 'changed' },
    ...{ fields: [], notes: [], machines, atOnce },
  }
  return { diff, standing: stands }
}
interface Given {
  machines?: ChangedMachine[]
  stands?: Standing[]
  atOnce?: number
  cluster?: string
}
const controlPlane = (given: Given) => judged(ControlPlane, 'prod', given)
const pool = (given: Given, name = 'pool') => judged(Worker, name, given)
const NOBODY = new HeldObjects([])

/** Why machines stay as they are: `name reason`. */
const heldIn = (all: Judged[], held = NOBODY): string[] =>
  withStandstills(all, held).flatMap(({ machines }) =>
    machines.map(({ name, problem }) => [name, problem?.reason].join(' ').trim()),
  )

describe('what stands still keeps others waiting:', () => {
  test.each<[string, Judged[], string[]]>([
    ['nothing does', [controlPlane({ machines: [change('a')] })], ['a']],
    [
      'the others of its control plane, whatever it is',
      [controlPlane({ machines: [change('b')], stands: [standing('a', 'ExtensionsWouldBeLost')] })],
      ['b MachinesNotReady'],
    ],
    [
      'all workers, when it is of the control plane',
      [
        controlPlane({ stands: [standing('a', 'DowngradeRefused')] }),
        pool({ machines: [change('w'), relabelled] }),
      ],
      ['w WaitsForControlPlane', 'm WaitsForControlPlane'],
    ],
    [
      'all upgrades of workers, when one failed',
      [
        pool({ machines: [change('w')], stands: [standing('v')], atOnce: 3 }),
        pool({ machines: [change('x'), relabelled] }, 'other'),
      ],
      ['w RolloutStopped', 'x RolloutStopped', 'm'],
    ],
    [
      'no configuration, when an upgrade failed and more may be down',
      [pool({ machines: [relabelled], stands: [standing('v')], atOnce: 2 })],
      ['m'],
    ],
    [
      'the configuration of its pool, when it does not take that',
      [pool({ machines: [relabelled], stands: [standing('v', 'ConfigRejected')], atOnce: 2 })],
      ['m RolloutStopped'],
    ],
    [
      'nobody, while more of its pool may be down',
      [pool({ machines: [change('w')], stands: [standing('v', 'Other')], atOnce: 2 })],
      ['w'],
    ],
    [
      'the rest of its pool, when as many are down as may be',
      [pool({ machines: [change('w')], stands: [standing('v', 'Other')] })],
      ['w MachinesNotReady'],
    ],
    [
      'nobody of another cluster',
      [
        controlPlane({ stands: [standing('a')] }),
        pool({ machines: [change('w')], cluster: 'other' }),
      ],
      ['w'],
    ],
    [
      'nobody who is given something without a turn',
      [
        controlPlane({
          machines: [change('n', { effort: 'install' }), meta],
          stands: [standing('a')],
        }),
      ],
      ['n', 'm'],
    ],
  ])('%s', (_title, all, expected) => {
    expect(heldIn(all)).toEqual(expected)
  })

  test('also who is of a pool that nothing is asked of', () => {
    const conditions = [
      {
        ...{ type: 'Ready', status: 'False' as const, reason: 'UpgradeFailed', message: 'it is' },
        lastTransitionTime: '2030-01-01T00:00:00Z',
      },
    ]
    const held = new HeldObjects([
      aControlPlane(),
      aWorker({ metadata: { name: 'other' } }),
      aWorkerMachine({
        metadata: { name: 'other-1' },
        spec: { workerRef: { name: 'other' } },
        status: { conditions },
      }),
    ])
    const [diff] = withStandstills([pool({ machines: [change('w')] })], held)

    expect(diff?.machines[0]?.problem).toEqual({
      reason: 'RolloutStopped',
      message:
        'w is not changed while something is wrong with other-1, which was to be changed in the same way: it is',
    })
  })
})
