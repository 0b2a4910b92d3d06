import { expect, test } from 'vitest'
import { MACHINE_UUID } from '#api/labels.ts'
import { MachineError } from '#talos/outcome.ts'
import { aMachine } from '#test/builders.ts'
import { hexId } from './etcd-members.ts'
import { type Asking, assertBearable, assertUnlisted } from './etcd-peers.ts'

interface Answers {
  /** The ids of the voters that it lists, and whether it is at its address and has a leader. */
  lists?: number[]
  learners?: number[]
  isOther?: boolean
  isSilent?: boolean
}

/** Machines whose member has their number, as they answer at this moment. */
function asking(answers: Answers[]): Asking {
  const machineAt = (at: number) => {
    const { lists = [], learners = [], isOther, isSilent } = answers[at - 1] ?? {}
    const silent = () =>
      Promise.reject(new MachineError({ outcome: 'unreachable', message: 'off' }))
    const same = {
      where: `${at}`,
      state: {
        systemInformation: async () =>
          isSilent ? silent() : { uuid: isOther ? 'another' : `uuid-${at}` },
      },
      cluster: { etcdMemberId: async () => BigInt(at) },
      etcd: {
        members: async () => [
          ...lists.map((id) => ({ id: BigInt(id), isLearner: false })),
          ...learners.map((id) => ({ id: BigInt(id), isLearner: true })),
        ],
      },
    }
    return { bound: (work: (bound: typeof same) => unknown) => work(same) }
  }
  return {
    machines: { machine: ({ address }) => machineAt(Number(address)) as never }, // no more of it is asked
    access: {} as never, // nobody looks into it
    signal: new AbortController().signal,
  }
}

const machine = (at: number) =>
  aMachine({
    metadata: { name: `one-${at}`, annotations: { [MACHINE_UUID]: `uuid-${at}` } },
    spec: { endpoint: `${at}` },
  })

const bearable = (answers: Answers[]) =>
  assertBearable(
    asking(answers),
    machine(1),
    answers.slice(1).map((_, at) => machine(at + 2)),
  )

const three = { lists: [1, 2, 3] }

test.each<[string, Answers[]]>([
  ['one of three goes down while the others are well', [three, three, three]],
  ['it is the only one', [{ lists: [1] }]],
  [
    'another one only learns yet',
    [
      { lists: [1], learners: [2] },
      { lists: [1], learners: [2] },
    ],
  ],
  ['it does not answer itself', [{ isSilent: true }, three, three]],
])('it can be borne that %s', async (_what, answers) => {
  await expect(bearable(answers)).resolves.toBeUndefined()
})

test.each<[string, Answers[]]>([
  ['one of two goes down', [{ lists: [1, 2] }, { lists: [1, 2] }]],
  ['another one of three is off', [three, three, { isSilent: true }]],
  [
    'at the address of another one there is somebody else',
    [three, three, { ...three, isOther: true }],
  ],
  [
    'a member is of no machine that is known',
    [{ lists: [1, 2, 3, 4] }, { lists: [1, 2, 3, 4] }, { isSilent: true }],
  ],
  ['nobody lists anybody', [{}, { isSilent: true }]],
])('it cannot be borne that %s', async (_what, answers) => {
  await expect(bearable(answers)).rejects.toMatchObject({ outcome: 'not-ready' })
})

test.each<[string, boolean, Answers[]]>([
  ['an etcd with a leader does not list it', true, [{ lists: [1] }, { isSilent: true }]],
  ['a machine lists it', false, [{ lists: [1] }, three]],
  ['a machine lists it as one that learns', false, [{ lists: [1], learners: [3] }]],
  ['nobody answers', false, [{ isSilent: true }, { ...three, isOther: true }]],
])('a member is forgotten, or not, when %s', async (_what, isForgotten, answers) => {
  const asked = assertUnlisted(
    asking(answers),
    hexId(3n),
    answers.map((_, at) => machine(at + 1)),
  )

  await (isForgotten
    ? expect(asked).resolves.toBeUndefined()
    : expect(asked).rejects.toMatchObject({ outcome: 'not-ready' }))
})
