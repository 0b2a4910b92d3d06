import { expect, test } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import { builtin } from './kind-behaviour.ts'
import { warningOfPullSecrets } from './pull-secret-warnings.ts'

interface Write {
  old?: Fields
  subresource?: string
  isWrong?: boolean
}

function warningsOf(kind: string, object: Fields, { old, subresource, isWrong }: Write = {}) {
  const problem = { reason: 'FieldValueInvalid', field: 'spec', message: 'wrong' } as const
  const behaviour = warningOfPullSecrets(
    kind,
    builtin({ validate: () => (isWrong ? [problem] : []) }),
  )
  const warnings: string[] = []
  const problems = behaviour.validate?.(object, old, {
    user: { name: 'me', groups: [] },
    now: '2030-01-01T00:00:00Z',
    dryRun: false,
    ...(subresource && { subresource }),
    warn: (text) => warnings.push(text),
  })
  expect(problems).toEqual(isWrong ? [problem] : [])
  return warnings
}

const namesOf = (...names: string[]) => ({
  spec: { imagePullSecrets: names.map((name) => ({ ...(name && { name }) })) },
})
const deployment = (names: string[], replicas = 1) => ({
  spec: { replicas, template: namesOf(...names) },
})
const DEPLOYMENTS = 'apps/deployments'

test('pull secrets with the same name are warned of, and then those without one', () => {
  expect(warningsOf('/pods', namesOf('', 'a', 'a', '', 'b'))).toEqual([
    'spec.imagePullSecrets[2].name: duplicate name "a"',
    'spec.imagePullSecrets[3].name: duplicate name ""',
    'spec.imagePullSecrets[0].name: invalid empty name ""',
    'spec.imagePullSecrets[3].name: invalid empty name ""',
  ])
  expect(warningsOf('/pods', namesOf('a', 'b'))).toEqual([])
})

test.each([
  ['/podtemplates', { template: namesOf('') }, 'template.spec'],
  ['/replicationcontrollers', deployment(['']), 'spec.template.spec'],
  ['apps/daemonsets', deployment(['']), 'spec.template.spec'],
  [DEPLOYMENTS, deployment(['']), 'spec.template.spec'],
  ['apps/replicasets', deployment(['']), 'spec.template.spec'],
  ['apps/statefulsets', deployment(['']), 'spec.template.spec'],
  ['batch/jobs', deployment(['']), 'spec.template.spec'],
  [
    'batch/cronjobs',
    { spec: { jobTemplate: deployment(['']) } },
    'spec.jobTemplate.spec.template.spec',
  ],
])('of %s where their pods are described', (kind, object, path) => {
  expect(warningsOf(kind, object)).toEqual([
    `${path}.imagePullSecrets[0].name: invalid empty name ""`,
  ])
})

test('no other kind has any', () => {
  expect(warningsOf('/secrets', namesOf('', ''))).toEqual([])
})

test('changes are warned of if they count', () => {
  const [one, two] = [deployment(['']), deployment([''], 2)]

  expect(warningsOf(DEPLOYMENTS, two, { old: one })).toHaveLength(1)
  expect(warningsOf(DEPLOYMENTS, one, { old: one })).toEqual([])
  expect(warningsOf(DEPLOYMENTS, two, { old: one, subresource: 'status' })).toEqual([])
  expect(warningsOf(DEPLOYMENTS, two, { old: one, subresource: 'scale' })).toHaveLength(1)
  expect(warningsOf('/pods', namesOf(''), { old: namesOf('a') })).toEqual([])
})

test('those of a DaemonSet if they are of its pods', () => {
  const [one, two] = [deployment(['']), deployment([''], 2)]

  expect(warningsOf('apps/daemonsets', two, { old: one })).toEqual([])
  expect(warningsOf('apps/daemonsets', two, { old: deployment(['a']) })).toHaveLength(1)
})

test('those of a replication controller tell of what was there before', () => {
  const kind = '/replicationcontrollers'

  expect(warningsOf(kind, deployment(['a']), { old: deployment(['']) })).toHaveLength(1)
  expect(warningsOf(kind, deployment(['']), { old: deployment(['a']) })).toEqual([])
})

test('what is refused is not warned of', () => {
  expect(warningsOf('/pods', namesOf(''), { isWrong: true })).toEqual([])
})
