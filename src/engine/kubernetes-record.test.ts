import { expect, test } from 'vitest'
import { KUBE_UPGRADE } from '#api/labels.ts'
import { aControlPlane } from '#test/builders.ts'
import {
  eachOf,
  isMoving,
  isOlder,
  kubernetesRecord,
  kubernetesText,
  newerOf,
  STAGES,
} from './kubernetes-record.ts'

const written = (text: string) =>
  aControlPlane({ metadata: { annotations: { [KUBE_UPGRADE]: text } } })

test.each(STAGES)('what is written down in the stage %s is read back', (stage) => {
  const versions = { ...eachOf(() => 'v1.35.0'), apiServer: 'v1.36.0' }
  const record = { target: 'v1.36.0', stage, before: 'v1.35.0', versions }

  expect(kubernetesRecord(written(kubernetesText(record)))).toEqual(record)
})

test.each([
  '',
  'v1.36.0',
  'v1.36.0 preparing v1.35.0',
  'v1.36.0 preparing v1.35.0 apiServer=v1.35.0',
  'latest preparing v1.35.0 apiServer=v1,controllerManager=v1,scheduler=v1,proxy=v1,kubelet=v1',
])('what nobody of us wrote is not understood: %s', (text) => {
  expect(kubernetesRecord(written(text))).toBeUndefined()
})

test('a cluster is moved from the first stage on, until it is done or stopped', () => {
  const versions = eachOf(() => 'v1.35.0')
  const at = STAGES.filter((stage) =>
    isMoving(written(kubernetesText({ target: 'v1.36.0', stage, before: 'v1.35.0', versions }))),
  )

  expect(STAGES.filter((stage) => !at.includes(stage))).toEqual(['done', 'stopped'])
  expect(isMoving(aControlPlane())).toBe(false)
})

test('a version that is to become one is older than that', () => {
  expect(isOlder('v1.37.0-rc.0', 'v1.37.0')).toBe(true)
  expect(isOlder('v1.37.0', 'v1.37.0-rc.0')).toBe(false)
})

test('what is no version is no older one', () => {
  expect([isOlder('v1.35.9', 'v1.36.0'), isOlder('v1.36.0', 'v1.36.0')]).toEqual([true, false])
  expect([isOlder(undefined, 'v1.36.0'), isOlder('v1.35.0', 'mine')]).toEqual([false, false])
  expect([newerOf('v1.35.0', 'v1.36.0'), newerOf('v1.36.1', 'v1.36.0')]).toEqual([
    'v1.36.0',
    'v1.36.1',
  ])
})
