import { beforeEach, expect, test } from 'vitest'
import { builtinKinds } from '#apiserver/builtin-kinds.ts'
import type { Fields } from '#apiserver/objects.ts'
import type { Resource } from '#apiserver/resource.ts'
import { memoryBackend } from '#apiserver/store/backends/memory.ts'
import { openStore } from '#apiserver/store/open-store.ts'
import { surroundingsIn } from '#apiserver/surroundings.ts'
import { FakeClock } from '#test/fake-clock.ts'
import type { Ask, Writes } from './ask.ts'
import { create } from './create.ts'
import { decoded } from './decode-body.ts'

// It stands still, so that nobody's turn is over before the work is.
const clock = new FakeClock()
let writes: Writes
let kinds: readonly Resource[]

beforeEach(async () => {
  const store = await openStore({ backend: memoryBackend(), clock })
  writes = { store, clock }
  kinds = builtinKinds(surroundingsIn(store))
  await created('namespaces', { metadata: { name: 'n' } })
})

const ADDRESS = '10.96.0.9'
const service = (name: string): Fields => ({
  metadata: { name },
  spec: { clusterIP: ADDRESS, type: 'NodePort', ports: [{ port: 80, nodePort: 30_009 }] },
})

/** What became of it: `created`, or why not. */
function created(plural: string, given: Fields, dryRun = false): Promise<string> {
  const resource = kinds.find((one) => one.group === '' && one.plural === plural)
  if (!resource) throw new Error(`there are no ${plural}`)
  const ask: Ask = {
    ...{ resource, namespace: 'n', name: '', subresource: '', owner: 'test', dryRun },
    user: { name: 'test', groups: [] },
    fieldValidation: 'Ignore',
    warn: () => undefined,
  }
  return create(writes, ask, { object: decoded(ask, { given }) }).then(
    ({ outcome }) => outcome,
    (error) => String(error),
  )
}

test('of several services that want an address at once, one gets it', async () => {
  const results = await Promise.all(
    ['a', 'b', 'c'].map((name) => created('services', service(name))),
  )

  expect(results).toEqual([
    'created',
    expect.stringContaining('provided IP is already allocated'),
    expect.stringContaining('provided port is already allocated'),
  ])
})

test('an address that was wanted in vain is free again', async () => {
  await created('services', { ...service('a'), spec: { ports: [{ port: 80 }] } })

  expect(await created('services', service('a'))).toContain('already exists')
  expect(await created('services', service('b'), true)).toBe('created')
  expect(await created('services', service('c'))).toBe('created')
})
