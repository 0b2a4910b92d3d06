import { describe, expect, test } from 'vitest'
import { ApiError } from '#kube/api-error.ts'
import { aControlPlane } from '#test/builders.ts'
import type { MachineEntry } from './pool.ts'
import { type Fetch, hasUnwatched, referencedObjects, resolveEntries } from './pool-entries.ts'

const parentOf = (...machines: MachineEntry[]) =>
  aControlPlane({ spec: { metalSpec: { machines } } })
const reference = (name: string, over: object = {}): MachineEntry => ({
  machineRef: {
    ...{ apiVersion: 'example.com/v1', kind: 'Host', name, fieldPath: '.status.address' },
    ...over,
  },
})

const answering =
  (answer: Awaited<ReturnType<Fetch>>): Fetch =>
  async () =>
    answer
const nobody: Fetch = () => Promise.reject(new Error('nobody is to be asked'))

describe('the machines of a parent', () => {
  test('are where their entries say, and nobody is asked', async () => {
    const entries = [{ address: '192.0.2.1' }, { address: '192.0.2.2' }]
    expect(await resolveEntries(parentOf(...entries), nobody)).toEqual({
      entries: entries.map((entry) => ({ entry, address: entry.address })),
      problems: [],
    })
  })

  test('are where an object says that they refer to, in their order', async () => {
    const asked: string[] = []
    const fetch: Fetch = async ({ apiVersion, kind, name }) => {
      asked.push(`${apiVersion} ${kind} ${name}`)
      return {
        is: 'found',
        object: { status: { address: name === 'a' ? '192.0.2.7' : '2001:db8::1' } },
      }
    }
    const { entries, problems } = await resolveEntries(
      parentOf(reference('a'), { address: '192.0.2.1' }, reference('b')),
      fetch,
    )
    expect(entries.map(({ address }) => address)).toEqual(['192.0.2.7', '192.0.2.1', '2001:db8::1'])
    expect([problems, asked]).toEqual([[], ['example.com/v1 Host a', 'example.com/v1 Host b']])
  })

  test.each([
    [{ is: 'absent' }, 'WaitingForAddress', 'there is no such object'],
    [{ is: 'found', object: {} }, 'WaitingForAddress', 'Host a'],
    [{ is: 'noSuchKind' }, 'MachineRefInvalid', 'example.com/v1 Host'],
    [
      { is: 'forbidden', rule: '{"verbs":["get"]}', role: 'ClusterRole' },
      'MachineRefForbidden',
      'Add this rule to its ClusterRole: {"verbs":["get"]} (the setting machineRefKinds with example.com/v1/Host in it',
    ],
    [{ is: 'refused', why: 'it is no name' }, 'MachineRefInvalid', 'it is no name'],
  ] as const)('have no address if the answer is %o', async (answer, reason, words) => {
    const { entries, problems } = await resolveEntries(parentOf(reference('a')), answering(answer))
    expect(entries.map(({ address }) => address)).toEqual([undefined])
    expect(problems).toMatchObject([{ reason }])
    expect(problems[0]?.message).toContain(words)
  })

  test('have no address if the API fails, in its own words, and the others are found', async () => {
    const said = 'conversion webhook failed: read tcp 10.0.0.1:4711->10.0.0.2:443: i/o timeout'
    const fetch: Fetch = async ({ name }) => {
      if (name === 'a') throw new ApiError(said, { status: 500, reason: 'InternalError' })
      return { is: 'found', object: { status: { address: '192.0.2.7' } } }
    }
    const { entries, problems } = await resolveEntries(
      parentOf(reference('a'), reference('b')),
      fetch,
    )
    expect(entries.map(({ address }) => address)).toEqual([undefined, '192.0.2.7'])
    expect(problems).toMatchObject([{ reason: 'MachineRefUnreadable' }])
    expect(problems[0]?.message).toContain('failed: read tcp 10.0.0.2:443: i/o timeout. It is')
  })

  test('are a mistake of ours if it is not the API that fails', async () => {
    await expect(resolveEntries(parentOf(reference('a')), nobody)).rejects.toThrow('nobody is')
  })

  test('are asked of nobody once their parent goes', async () => {
    const { metadata, ...rest } = parentOf(reference('a'), { address: '192.0.2.1' })
    const going = { ...rest, metadata: { ...metadata, deletionTimestamp: '2030-01-01' } }
    const { entries, problems } = await resolveEntries(going, nobody)
    expect([entries.map(({ address }) => address), problems]).toEqual([
      [undefined, '192.0.2.1'],
      [],
    ])
  })

  test('are not looked for in other namespaces', async () => {
    const { problems } = await resolveEntries(parentOf(reference('a', { namespace: 'x' })), nobody)
    expect(problems).toMatchObject([{ reason: 'MachineRefInvalid' }])
  })

  test('an entry that says nothing leads nowhere, and the others are found all the same', async () => {
    const { entries, problems } = await resolveEntries(
      parentOf({}, { address: '192.0.2.1' }),
      nobody,
    )
    expect(entries.map(({ address }) => address)).toEqual([undefined, '192.0.2.1'])
    expect(problems).toHaveLength(1)
  })
})

test('what matters of the objects that are referred to is the address, as far as references can be read', () => {
  const objects = referencedObjects(
    parentOf(
      { address: '192.0.2.1' },
      reference('a'),
      reference('b', { apiVersion: undefined, fieldPath: 'x[0]' }),
      reference('c', { namespace: 'elsewhere' }),
      reference('d', { fieldPath: '[' }),
    ),
  )

  expect(objects.map(({ apiVersion, kind, name }) => `${apiVersion} ${kind} ${name}`)).toEqual([
    'example.com/v1 Host a',
    'v1 Host b',
  ])
  const object = { status: { address: '192.0.2.7', seen: 1 }, x: ['192.0.2.8'] }
  expect(objects.map(({ part }) => part(object))).toEqual(['192.0.2.7', '192.0.2.8'])
})

test('whether addresses may change without anybody being told is seen in the spec', () => {
  expect(hasUnwatched(parentOf({ address: '192.0.2.1' }))).toBe(false)
  expect(hasUnwatched(parentOf({ address: '192.0.2.1' }, reference('a')))).toBe(true)
  // Those the operator always watches.
  const provided = { apiVersion: 'vitistack.io/v1alpha1', kind: 'Machine', name: 'a' }
  expect(hasUnwatched(parentOf({ machineRef: provided }))).toBe(false)
  const other = { ...provided, apiVersion: 'example.com/v1' }
  expect(hasUnwatched(parentOf({ machineRef: other }))).toBe(true)
})
