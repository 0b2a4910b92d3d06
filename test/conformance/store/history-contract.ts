import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openStore } from '#apiserver/store/open-store.ts'
import type { Change, Store } from '#apiserver/store/store.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { type NewBackend, put, remove, texts } from './opened.ts'

const KEYS = ['g/a/n/x', 'g/a/n/y', 'g/a/n-1/x', 'g/b/x', 'g/b/y']
const PREFIXES = ['', 'g/a/', 'g/a/n/', 'g/a/n-1/', 'g/b/']

interface Step {
  key: string
  isRemoval: boolean
}

/** Steps that are taken at once, and after them perhaps a restart. */
interface Burst {
  steps: Step[]
  restarts: boolean
}

const step = fc.record({ key: fc.constantFrom(...KEYS), isRemoval: fc.boolean() })
const burst = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 12 }),
  restarts: fc.boolean(),
})

/** What every store promises about any history: it is compared with the plainest one there could be. */
export function historyContract(newBackend: NewBackend, runs: number): void {
  test('any history of writes at once, and every look back at it, is as a plain model has it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(burst, { minLength: 1, maxLength: 5 }), async (bursts) => {
        await holds(newBackend, bursts)
      }),
      { numRuns: runs },
    )
  }, 60_000)
}

async function holds(newBackend: NewBackend, bursts: Burst[]): Promise<void> {
  const backend = await newBackend()
  const open = () => openStore({ backend, clock: new FakeClock() })
  const model = new Model()
  let store = await open()
  store.onChanges((changes) => model.add(changes))
  for (const [number, { steps, restarts }] of bursts.entries()) {
    const asked = steps.map((each, index) => ({ ...each, text: `${number}.${index}` }))
    await Promise.all(
      asked.map(({ key, isRemoval, text }) =>
        isRemoval ? remove(store, key, text) : put(store, key, text),
      ),
    )
    model.expectLast(asked)
    model.expectSame(store)
    if (!restarts) continue
    await store[Symbol.asyncDispose]()
    store = await open()
    store.onChanges((changes) => model.add(changes))
    model.forget()
    model.expectSame(store)
  }
  await store[Symbol.asyncDispose]()
}

/** Every state that there was, whole, by its revision. */
class Model {
  #states = new Map<number, Map<string, string>>([[0, new Map()]])
  #changes: Change[] = []
  #revision = 0

  add(changes: readonly Change[]): void {
    for (const change of changes) {
      const state = new Map(this.#states.get(this.#revision))
      expect(change.revision).toBeGreaterThan(this.#revision)
      expect(change.previous?.value.toString()).toBe(state.get(change.key))
      if (change.type === 'put') state.set(change.key, change.value.toString())
      else expect(state.delete(change.key)).toBe(true)
      this.#revision = change.revision
      this.#states.set(change.revision, state)
      this.#changes.push(change)
    }
  }

  forget(): void {
    this.#states = new Map([[this.#revision, this.#states.get(this.#revision) ?? new Map()]])
    this.#changes = []
  }

  /** Each key is as the last one who asked for it wanted it. */
  expectLast(asked: readonly (Step & { text: string })[]): void {
    const state = this.#states.get(this.#revision)
    const last = new Map(asked.map((each) => [each.key, each]))
    for (const { key, isRemoval, text } of last.values()) {
      expect(state?.get(key)).toBe(isRemoval ? undefined : text)
    }
  }

  expectSame(store: Store): void {
    expect(store.revision).toBe(this.#revision)
    for (const prefix of PREFIXES) {
      for (const [revision, state] of this.#states) {
        const expected = [...state]
          .filter(([key]) => key.startsWith(prefix))
          .map(([key, text]) => `${key}=${text}`)
        expect(texts(store.list(prefix, revision))).toEqual(expected.sort())
        expect(store.changesSince(revision, prefix)).toEqual(
          this.#changes.filter((one) => one.revision > revision && one.key.startsWith(prefix)),
        )
      }
    }
  }
}
