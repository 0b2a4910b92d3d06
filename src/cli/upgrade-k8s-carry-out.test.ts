import { expect, test } from 'vitest'
import { aControlPlane } from '#test/builders.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { carryOut } from './upgrade-k8s-carry-out.ts'
import type { Leader } from './upgrade-k8s-leases.ts'

const MINUTE = 60_000
const OPERATOR: Leader = { is: 'leading', holder: 'operator-1' }
const NOBODY: Leader = { is: 'nobody' }
const DEAD: Leader = { is: 'silent', holder: 'operator-1' }
const BUSY: Leader = { is: 'busy', holder: 'upgrade-k8s:default/two:laptop_1' }

/** What is so from a time on, in milliseconds. */
type Course<Of> = readonly (readonly [fromMs: number, is: Of])[]

interface Plot {
  /** Who else leads. */
  readonly leads: Course<Leader>
  /** Whether this process does, where it tries. */
  readonly works?: Course<boolean | Error>
  readonly thereAtMs?: number
  readonly calmAtMs?: number
}

const at = <Of>(course: Course<Of>, nowMs: number): Of | undefined =>
  course.findLast(([fromMs]) => fromMs <= nowMs)?.[1]

function play({ leads, works = [], thereAtMs = 10 * MINUTE, calmAtMs = 0 }: Plot) {
  const clock = new FakeClock()
  const stop = new AbortController()
  const happened: string[] = []
  const note = (what: string) => happened.push(`${Math.round(clock.monotonicMs() / 1_000)} ${what}`)
  const printed = { out: '', err: '' }
  const annotations = { 'talos.alperen.cloud/kube-version': 'v1.35.0' }
  const end = carryOut({
    ...{ what: 'TalosControlPlane default/prod', to: 'v1.35.0', clock, signal: stop.signal },
    timeout: { ms: 60 * MINUTE },
    ask: async () => void note('asked'),
    look: async () => ({
      controlPlane: aControlPlane({
        metadata: { annotations },
        status: {
          observedGeneration: 1,
          observedKubeVersion: clock.monotonicMs() >= thereAtMs ? 'v1.35.0' : 'v1.34.0',
        },
      }),
      ...{ pools: [], machines: [], shapes: [] },
    }),
    isCalm: async () => clock.monotonicMs() >= calmAtMs,
    leases: { words: 'ops/lease', look: async () => at(leads, clock.monotonicMs()) ?? NOBODY },
    startWork: async () => {
      note('stands')
      return {
        get isWorking() {
          const is = at(works, clock.monotonicMs()) ?? false
          if (is instanceof Error) throw is
          return is
        },
        [Symbol.asyncDispose]: async () => void note('ends'),
      }
    },
    out: (text) => {
      printed.out += text
    },
    err: (text) => {
      printed.err += text
    },
  }).then(
    () => note('there'),
    (error: Error) => note(error.message),
  )
  return { clock, stop, happened, printed, end }
}

async function played(plot: Plot) {
  const { clock, end, ...rest } = play(plot)
  await clock.advance(0)
  await clock.advance(90 * MINUTE)
  await end
  expect(clock.waiting).toBe(0)
  return rest
}

test('an operator that leads is asked, and followed', async () => {
  const { happened, printed } = await played({ leads: [[0, OPERATOR]] })

  expect(happened).toEqual(['0 asked', '600 there'])
  expect(printed.err).toBe('')
})

test('where nobody leads an operator is given a moment, and then it is done here', async () => {
  const { happened, printed } = await played({ leads: [[0, NOBODY]], works: [[12_000, true]] })

  expect(happened).toEqual(['10 stands', '12 asked', '600 ends', '600 there'])
  expect(printed.out).toContain('an operator is given 10 s to begin\nno operator leads: this')
})

test('an operator that begins in that moment does it', async () => {
  const { happened } = await played({ leads: [[4_000, OPERATOR]] })

  expect(happened).toEqual(['4 asked', '600 there'])
})

test('the Lease of an operator that is dead is waited for, and that is said', async () => {
  const leads: Plot['leads'] = [
    [0, DEAD],
    [15_000, NOBODY],
  ]
  const { happened, printed } = await played({ leads, works: [[32_000, true]] })

  expect(happened).toEqual(['15 stands', '32 asked', '600 ends', '600 there'])
  expect(printed.out).toMatch(/^operator-1 holds the Lease ops\/lease, and has not renewed it: /)
})

test('one that is alive after all is not kept from its work', async () => {
  const leads: Plot['leads'] = [
    [0, DEAD],
    [4_000, OPERATOR],
  ]
  const { happened, printed } = await played({ leads })

  expect(happened).toEqual(['4 asked', '600 there'])
  expect(printed.out).toBe('')
})

test('an operator that is away for less than a minute is followed again', async () => {
  const leads: Plot['leads'] = [
    [0, OPERATOR],
    [100_000, NOBODY],
    [150_000, OPERATOR],
  ]
  const { happened, printed } = await played({ leads })

  expect(happened).toEqual(['0 asked', '600 there'])
  expect(printed.out).toContain('an operator is given 60 s to begin')
})

test('for one that stays away it is done here, and asked for no second time', async () => {
  const leads: Plot['leads'] = [
    [0, OPERATOR],
    [100_000, NOBODY],
  ]
  const { happened } = await played({ leads, works: [[170_000, true]] })

  expect(happened).toEqual(['0 asked', '160 stands', '600 ends', '600 there'])
})

test('who leads no more ends its work and follows whoever does', async () => {
  const leads: Plot['leads'] = [
    [0, NOBODY],
    [200_000, OPERATOR],
  ]
  const works: Plot['works'] = [
    [12_000, true],
    [190_000, false],
  ]
  const { happened } = await played({ leads, works })

  expect(happened).toEqual(['10 stands', '12 asked', '200 ends', '600 there'])
})

test('while nobody else leads, it stands again', async () => {
  const works: Plot['works'] = [
    [12_000, true],
    [190_000, false],
    [250_000, true],
  ]
  const { happened } = await played({ leads: [[0, NOBODY]], works })

  expect(happened).toEqual(['10 stands', '12 asked', '600 ends', '600 there'])
})

test('whoever works for another cluster is waited for, and nothing is asked before', async () => {
  const alone = await played({ leads: [[0, BUSY]], works: [[300_000, true]] })
  const overtaken = await played({
    leads: [
      [0, BUSY],
      [300_000, OPERATOR],
    ],
  })

  expect(alone.printed.out).toMatch(/^upgrade-k8s:default\/two:laptop_1 works for another cluster/)
  expect(alone.happened).toEqual(['0 stands', '300 asked', '600 ends', '600 there'])
  expect(overtaken.happened).toEqual(['0 stands', '300 ends', '300 asked', '600 there'])
})

test('who may not see whether somebody leads is told so, and what to do', async () => {
  const { happened, printed } = await played({ leads: [[0, { is: 'hidden', why: 'so it is' }]] })

  expect(happened).toEqual(['0 asked', '600 there'])
  expect(printed.err).toMatch(/cannot be seen.*\n {2}why: so it is\n {2}what to do: let this acc/)
})

test('what keeps it from working for good ends it, and nothing is asked', async () => {
  const works: Plot['works'] = [[11_000, new Error('it may not')]]
  const { happened } = await played({ leads: [[0, NOBODY]], works })

  expect(happened).toEqual(['10 stands', '11 ends', '11 it may not'])
})

test('time is up while it is waited for, too', async () => {
  const { happened } = await played({ leads: [[0, BUSY]] })

  expect(happened.slice(0, 2)).toEqual(['0 stands', '3600 ends'])
  expect(happened[2]).toMatch(/^3600 .*not at v1\.35\.0 after 1h/)
})

test('who is stopped ends its work in good order', async () => {
  const { clock, stop, happened, end } = play({ leads: [[0, NOBODY]], works: [[10_000, true]] })
  await clock.advance(0)
  await clock.advance(100_000)
  stop.abort()
  await end

  expect(happened.slice(0, 3)).toEqual(['10 stands', '10 asked', '100 ends'])
  expect(happened[3]).toMatch(/told to stop; all stays as it is until an operator runs/)
})

test('when it is there, what remains to be said is waited for, for a minute', async () => {
  const plot: Plot = { leads: [[0, NOBODY]], works: [[10_000, true]] }
  const soon = await played({ ...plot, calmAtMs: 620_000 })
  const never = await played({ ...plot, calmAtMs: 9_999_000 })

  expect(soon.happened.slice(2)).toEqual(['620 ends', '620 there'])
  expect(never.happened.slice(2)).toEqual(['660 ends', '660 there'])
})
