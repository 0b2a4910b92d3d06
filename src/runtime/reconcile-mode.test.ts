import { expect, test } from 'vitest'
import { RECONCILE_MODE } from '#api/labels.ts'
import { modeOf, unknownModeOf } from './reconcile-mode.ts'

const annotated = (said: string) => ({
  metadata: { name: 'm1', annotations: { [RECONCILE_MODE]: said } },
})

test.each([
  ['reconcile', 'reconcile'],
  ['disable', 'disable'],
  ['dryrun', 'dryrun'],
  ['import', 'import'],
  ['Disable', 'disable'],
  ['DryRun', 'dryrun'],
  [' disable\n', 'disable'],
])('%j asks for %s', (said, mode) => {
  expect([modeOf(annotated(said)), unknownModeOf(annotated(said))]).toEqual([mode, undefined])
})

test.each(['disabled', 'dry-run', 'yes', 'constructor', ' '])(
  '%j is no mode: we go on, and say so',
  (said) => {
    expect([modeOf(annotated(said)), unknownModeOf(annotated(said))]).toEqual(['reconcile', said])
  },
)

test.each([
  ['an object without annotations', { metadata: { name: 'm1' } }],
  [
    'an object with another annotation',
    { metadata: { name: 'm1', annotations: { a: 'disable' } } },
  ],
  ['an annotation that is empty', annotated('')],
])('%s is reconciled', (_what, object) => {
  expect([modeOf(object), unknownModeOf(object)]).toEqual(['reconcile', undefined])
})
