import { expect, test } from 'vitest'
import { OperatorError } from '#base/operator-error.ts'
import { Secret } from '#base/secret.ts'
import { ApiError } from '#kube/api-error.ts'
import { failureOf, toldOf } from './telling.ts'

test.each([
  [{ do: 'bootstrap' }, 'Bootstrap', 'bootstrap'],
  [{ do: 'startBackup', name: 'hourly-1' }, 'StartBackup', 'start backup: name hourly-1'],
  [
    { do: 'pruneBackup', name: 'old', because: 'beyond the newest 5' },
    'PruneBackup',
    'prune backup: name old, because beyond the newest 5',
  ],
  [{ do: 'scale', to: 3, force: false }, 'Scale', 'scale: to 3, force false'],
  [{ do: 'drain', pods: ['a', 'b'] }, 'Drain', 'drain: pods ["a","b"]'],
  [{ do: 'label', with: { role: 'etcd' } }, 'Label', 'label: with {"role":"etcd"}'],
  [{ do: 'clear', field: null, value: undefined }, 'Clear', 'clear: field null, value nothing'],
])('%j is told in its own words', (step, reason, deed) => {
  expect(toldOf(step)).toEqual({
    ...{ reason, failure: `Failed${reason}` },
    ...{ deed, done: `done: ${deed}` },
  })
})

test('a secret that got into a step is not told', () => {
  const step = { do: 'join', token: new Secret('hunter2') }

  expect(toldOf(step).deed).toBe('join: token "***"')
})

const create = { ...toldOf({ do: 'create' }), deed: 'create TalosMachine one' }

test.each([
  [
    'refused by the API server',
    new ApiError('could not create talosmachines ns/one: quota exceeded: 3 of 3', {
      ...{ status: 403, reason: 'Forbidden' },
    }),
    'quota exceeded: 3 of 3',
  ],
  ['known by name', new OperatorError('MachineRefused', { message: 'not now' }), 'not now'],
  ['not even an error', 'a text', 'a text'],
])('a failure that is %s says once what could not be done, and why', (_what, failure, why) => {
  expect(failureOf(create, failure)).toBe(`could not create TalosMachine one: ${why}`)
})
