import { expect, test } from 'vitest'
import { RECONCILE_MODE } from '#api/labels.ts'
import { modeAmong, modeOf, unknownModeOf } from './reconcile-mode.ts'

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

test.each([
  ['reconcile', ['reconcile', 'import'], 'reconcile'],
  ['import', ['reconcile'], 'import'],
  ['reconcile', ['dryrun'], 'dryrun'],
  ['import', ['dryrun', 'reconcile'], 'dryrun'],
  ['dryrun', ['disable'], 'disable'],
  ['disable', ['dryrun', 'reconcile'], 'disable'],
  ['reconcile', ['dryrun', 'disable'], 'disable'],
  ['reconcile', [undefined, 'disable'], 'disable'],
  ['reconcile', [undefined], 'reconcile'],
] as const)('%s among %j is %s', (own, others, mode) => {
  const objects = others.map((said) => said && annotated(said))

  expect(modeAmong(annotated(own), objects)).toBe(mode)
})
