import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { kubeletPhase } from '#engine/kubelet-moves.ts'
import { isMoving, kubernetesRecord } from '#engine/kubernetes-record.ts'
import { ACTORS, KUBERNETES, type Shown, TALOS, VersionsModel } from './versions-model.ts'
import type { Deed } from './versions-model-machine.ts'

// Another Talos and another Kubernetes wait for each other, everywhere in a cluster. Whoever waits says so, and whom it waits for
// goes on: nobody waits for somebody who waits for it.

const [BEHIND, OLD, NEW] = KUBERNETES
const EDITS = {
  'Talos of the control plane': (model: VersionsModel) => model.raiseTalos('prod'),
  'Talos of the first pool': (model: VersionsModel) => model.raiseTalos('first'),
  'Talos of the second pool': (model: VersionsModel) => model.raiseTalos('second'),
  'kubelets of the first pool': (model: VersionsModel) => model.raiseKubernetes('first', OLD),
  'Kubernetes of the others': (model: VersionsModel) => {
    for (const name of ['prod', 'second']) model.raiseKubernetes(name, NEW)
  },
}
type Edit = keyof typeof EDITS
const ALL: readonly Edit[] = [
  'Talos of the control plane',
  'Talos of the first pool',
  'Talos of the second pool',
  'kubelets of the first pool',
  'Kubernetes of the others',
]

/** What a cluster runs in the end, after these edits. */
function wantedAfter(edits: readonly Edit[]): string[] {
  const [kubernetes, first] = [
    edits.includes('Kubernetes of the others') ? NEW : OLD,
    edits.includes('kubelets of the first pool') ? OLD : BEHIND,
  ]
  const talos = (edit: Edit) => TALOS[edits.includes(edit) ? 1 : 0]
  return [
    `prod-1 ${talos('Talos of the control plane')} ${kubernetes}`,
    `first-1 ${talos('Talos of the first pool')} ${first}`,
    `first-2 ${talos('Talos of the first pool')} ${first}`,
    `second-1 ${talos('Talos of the second pool')} ${kubernetes}`,
  ]
}

async function aModel(): Promise<VersionsModel> {
  const model = new VersionsModel()
  await model.settle()
  return model
}

async function expectDone(model: VersionsModel, edits: readonly Edit[]): Promise<void> {
  expect(await model.settle()).toBe(true)
  expect(model.runs()).toEqual(wantedAfter(edits))
  expect(kubeletPhase(model.controlPlane)).toBeUndefined()
  expect(isMoving(model.controlPlane)).toBe(false)
  expect(model.unready()).toEqual({})
}

/** Lets everybody pass until a machine has just done that. */
async function until(model: VersionsModel, done: Deed): Promise<void> {
  for (let rounds = 0; rounds < 100; rounds++) {
    for (const actor of ACTORS) {
      await model.look(actor)
      const deeds = model.finish(actor)
      if (deeds.some(({ machine, what }) => machine === done.machine && what === done.what)) return
    }
  }
  throw new Error(`it never happens that ${done.machine} is given another ${done.what}`)
}

const PENDING = 'KubernetesUpgradePending'

const FIRST_WAITS = { first: PENDING, 'first-1': PENDING, 'first-2': PENDING }
const SECOND_UPGRADED = { second: 'RollingOut', 'second-1': 'Upgrading' }
const SECOND_WAITS = { second: 'UpgradePending', 'second-1': 'UpgradePending' }
const FIRST_MOVED = { first: 'RollingOut', 'first-1': 'Configuring' }
const UPGRADING = { prod: 'UpgradingKubernetes' }

interface Row {
  /** Who waits for whom. */
  what: string
  begins: Edit
  /** Who is in the middle of it, what it was given, and what comes then. */
  middle: [machine: string, Deed['what']]
  comes: Edit
  /** Who is not ready as long as that one stands still, and why. */
  says: Record<string, string>
}

const ROWS: readonly Row[] = [
  {
    what: 'the kubelets of a pool for the Talos of another pool',
    ...{ begins: 'Talos of the second pool', middle: ['second-1', 'talos'] },
    comes: 'kubelets of the first pool',
    says: { prod: PENDING, ...FIRST_WAITS, ...SECOND_UPGRADED },
  },
  {
    what: 'the kubelets of a pool for the Talos of the control plane',
    ...{ begins: 'Talos of the control plane', middle: ['prod-1', 'talos'] },
    comes: 'kubelets of the first pool',
    says: { prod: 'RollingOut', 'prod-1': 'Upgrading', ...FIRST_WAITS },
  },
  {
    what: 'the kubelets of a pool for its own Talos',
    ...{ begins: 'Talos of the first pool', middle: ['first-1', 'talos'] },
    comes: 'kubelets of the first pool',
    says: { first: 'RollingOut', 'first-1': 'Upgrading', 'first-2': 'UpgradePending' },
  },
  {
    what: 'the kubelets of a pool for the Kubernetes of the others',
    ...{ begins: 'Kubernetes of the others', middle: ['prod-1', 'kubernetes'] },
    comes: 'kubelets of the first pool',
    says: { ...UPGRADING, 'prod-1': 'Configuring', ...FIRST_WAITS },
  },
  {
    what: 'the Talos of a pool for the kubelets of another pool',
    ...{ begins: 'kubelets of the first pool', middle: ['first-1', 'kubernetes'] },
    comes: 'Talos of the second pool',
    says: { ...UPGRADING, ...FIRST_MOVED, 'first-2': 'ConfigPending', ...SECOND_WAITS },
  },
  {
    what: 'the Talos of the control plane for the kubelets of a pool',
    ...{ begins: 'kubelets of the first pool', middle: ['first-1', 'kubernetes'] },
    comes: 'Talos of the control plane',
    says: {
      ...{ ...UPGRADING, 'prod-1': 'UpgradePending' },
      ...{ ...FIRST_MOVED, 'first-2': 'ConfigPending' },
    },
  },
  {
    what: 'the Talos of a pool for its own kubelets',
    ...{ begins: 'kubelets of the first pool', middle: ['first-1', 'kubernetes'] },
    comes: 'Talos of the first pool',
    says: { ...UPGRADING, ...FIRST_MOVED, 'first-2': 'ConfigPending' },
  },
  {
    what: 'the Talos of a pool for the Kubernetes of the others',
    ...{ begins: 'Kubernetes of the others', middle: ['prod-1', 'kubernetes'] },
    comes: 'Talos of the second pool',
    says: { ...UPGRADING, 'prod-1': 'Configuring', ...SECOND_WAITS },
  },
  {
    what: 'the Kubernetes of the others for the kubelets of a pool',
    ...{ begins: 'kubelets of the first pool', middle: ['first-1', 'kubernetes'] },
    comes: 'Kubernetes of the others',
    says: { ...UPGRADING, ...FIRST_MOVED, 'first-2': 'ConfigPending' },
  },
  {
    what: 'the Kubernetes of the others for the Talos of a pool',
    ...{ begins: 'Talos of the second pool', middle: ['second-1', 'talos'] },
    comes: 'Kubernetes of the others',
    says: { prod: PENDING, ...SECOND_UPGRADED },
  },
]

describe('whoever comes second waits, says so, and has its turn:', () => {
  for (const { what, begins, middle, comes, says } of ROWS) {
    test(what, async () => {
      const [machine, given] = middle
      const model = await aModel()
      EDITS[begins](model)
      await until(model, { machine, what: given })
      EDITS[comes](model)
      await model.settle(machine)

      expect(model.unready()).toEqual(says)
      await expectDone(model, [begins, comes])
    })
  }
})

describe('nobody waits for', () => {
  test('kubelets of a pool that is paused', async () => {
    const model = await aModel()
    model.pause('first')
    EDITS['kubelets of the first pool'](model)
    await model.settle()
    EDITS['Talos of the second pool'](model)
    await model.settle()

    expect(model.runs()).toEqual(wantedAfter(['Talos of the second pool']))
    expect(model.unready()).toMatchObject({ first: 'Paused' })
  })

  test.each<[who: string, { moment: Deed; sick: string; mend: Edit }]>([
    [
      'a control plane',
      {
        moment: { machine: 'first-1', what: 'kubernetes' },
        ...{ sick: 'prod-1', mend: 'Talos of the control plane' },
      },
    ],
    [
      'a worker',
      {
        moment: { machine: 'first-1', what: 'end' },
        ...{ sick: 'first-1', mend: 'Talos of the first pool' },
      },
    ],
  ])(
    'kubelets that cannot be moved because of %s that another Talos would mend',
    async (_who, { moment, sick, mend }) => {
      const model = await aModel()
      EDITS['kubelets of the first pool'](model)
      await until(model, moment)
      model.sicken(sick)
      EDITS[mend](model)

      await expectDone(model, ['kubelets of the first pool', mend])
    },
  )
})

describe('whoever has an old view does not begin the one beside the other', () => {
  const TALOS_GIVEN = { machine: 'second-1', what: 'talos' } as const

  test('kubelets beside a machine that is about to be given another Talos', async () => {
    const model = await aModel()
    EDITS['kubelets of the first pool'](model)
    for (const machine of ['first-1', 'first-2', 'first']) await model.pass(machine)
    const before = model.cached()
    EDITS['Talos of the second pool'](model)
    await untilPlanned(model, TALOS_GIVEN)
    // It sees nothing of Talos, nor of the turn that was given for it.
    await passWith(model, before)
    await passWith(model, before)

    expect(kubeletPhase(model.controlPlane)).toBe('preparing')
    expect(model.finish('second-1')).toEqual([TALOS_GIVEN])
    await model.settle('second-1')
    expect(kubeletPhase(model.controlPlane)).toBe('preparing')
    await expectDone(model, ['kubelets of the first pool', 'Talos of the second pool'])
  })

  test('Talos beside a worker that is about to be given another kubelet', async () => {
    const model = await aModel()
    const before = model.cached()
    EDITS['kubelets of the first pool'](model)
    await untilPlanned(model, { machine: 'first-1', what: 'kubernetes' })
    // It sees nobody who wants another kubelet.
    await passWith(model, before)
    await passWith(model, before)

    expect(kubeletPhase(model.controlPlane)).toBe('ending')
    EDITS['Talos of the second pool'](model)
    await model.settle('first-1')
    expect(model.unready()).toMatchObject(SECOND_WAITS)
    expect(model.finish('first-1')).toEqual([{ machine: 'first-1', what: 'kubernetes' }])
    await expectDone(model, ['kubelets of the first pool', 'Talos of the second pool'])
  })

  test('Talos beside a worker that is the last of an upgrade of Kubernetes', async () => {
    const model = await aModel()
    model.raiseKubernetes('prod', NEW)
    const stage = () => kubernetesRecord(model.controlPlane)?.stage
    while (stage() !== 'workers') for (const actor of ['prod', 'prod-1']) await model.pass(actor)
    const before = model.cached()
    model.raiseKubernetes('second', NEW)
    await untilPlanned(model, { machine: 'second-1', what: 'kubernetes' }, 'prod')
    for (const _pass of [1, 2, 3]) await passWith(model, before)

    expect(stage()).toBe('manifests')
    expect(model.finish('second-1')).toEqual([{ machine: 'second-1', what: 'kubernetes' }])
    await expectDone(model, ['Kubernetes of the others'])
  })
})

/** Lets everybody pass until a machine is about to do that, and has only looked. */
async function untilPlanned(model: VersionsModel, { machine, what }: Deed, without = '') {
  for (let rounds = 0; rounds < 100; rounds++) {
    for (const actor of ACTORS.filter((one) => one !== machine && one !== without))
      await model.pass(actor)
    await model.look(machine)
    if (model.plans(machine).includes(what)) return
    model.finish(machine)
  }
  throw new Error(`it never happens that ${machine} is about to be given another ${what}`)
}

/** A pass of the control plane, with this in its caches. */
async function passWith(model: VersionsModel, cached: Shown): Promise<void> {
  await model.look('prod', cached)
  model.finish('prod')
}

type Moment = { look: string; ago: number } | { finish: string } | { pass: string }

const anActor = fc.constantFrom(...ACTORS)
const aMoment: fc.Arbitrary<Moment> = fc.oneof(
  fc.record({ look: anActor, ago: fc.nat({ max: 6 }) }),
  fc.record({ finish: anActor }),
  fc.record({ pass: anActor }),
)

async function live(model: VersionsModel, moments: readonly Moment[]): Promise<Deed[]> {
  const deeds: Deed[] = []
  for (const moment of moments) {
    if ('look' in moment) await model.look(moment.look, model.cached(moment.ago))
    if ('pass' in moment) await model.look(moment.pass)
    if ('pass' in moment) deeds.push(...model.finish(moment.pass))
    if ('finish' in moment) deeds.push(...model.finish(moment.finish))
  }
  return deeds
}

/** What was begun while something else was under way. */
function beside(deeds: readonly Deed[]): string[] {
  const underWay = new Map<string, Deed['what']>()
  return deeds.flatMap(({ machine, what }) => {
    underWay.delete(machine)
    if (what === 'end') return []
    const others = [...underWay].filter(([, doing]) => doing !== what).map(([other]) => other)
    underWay.set(machine, what)
    return others.map((other) => `${machine} is given another ${what} beside ${other}`)
  })
}

test('whatever is raised, in whatever order, comes to an end, and never both at once', {
  timeout: 120_000,
}, async () => {
  const moments = fc.array(aMoment, { maxLength: 100 })
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([...ALL], { minLength: 1 }),
      fc.tuple(moments, moments, moments, moments, moments),
      async (edits, parts) => {
        const model = await aModel()
        const deeds: Deed[] = []
        for (const [at, part] of parts.entries()) {
          const edit = edits[at]
          if (edit) EDITS[edit](model)
          deeds.push(...(await live(model, part)))
        }
        deeds.push(
          ...(await live(
            model,
            ACTORS.map((finish) => ({ finish })),
          )),
        )

        expect(beside(deeds)).toEqual([])
        await expectDone(model, edits)
      },
    ),
    { numRuns: 20 },
  )
})
