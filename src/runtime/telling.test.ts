import { expect, test } from 'vitest'
import { Secret } from '#base/secret.ts'
import { toldOf } from './telling.ts'

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
])('%j is told in its own words', (step, reason, message) => {
  expect(toldOf(step)).toEqual({ reason, message })
})

test('a secret that got into a step is not told', () => {
  const step = { do: 'join', token: new Secret('hunter2') }

  expect(toldOf(step).message).toBe('join: token "***"')
})
