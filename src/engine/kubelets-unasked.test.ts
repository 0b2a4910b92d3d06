import { beforeAll, describe, expect, test } from 'vitest'
import { CONFIG, INSTALL_DISK, KUBE_VERSION } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Worker } from '#api/worker.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { aReader } from '#test/a-reader.ts'
import { aControlPlane, aWorker, aWorkerMachine } from '#test/builders.ts'
import { aBundle } from './cluster-secrets.cases.ts'
import { recordText } from './config-record.ts'
import { kubeletsUnasked } from './kubelets-unasked.ts'
import { aMachineSpec } from './pool.cases.ts'
import { wantedRecord } from './wanted-config.ts'

let bundle: SecretsBundle
beforeAll(async () => {
  bundle = await aBundle()
})

const controlPlane = aControlPlane({
  metadata: { annotations: { [KUBE_VERSION]: 'v1.35.0' } },
  spec: { kubeVersion: 'v1.35.0' },
})
const poolOf = (kubeVersion: string): Worker => aWorker({ spec: { kubeVersion } })
const PINNED = 'ghcr.io/siderolabs/kubelet:v1.33.9'

interface Given {
  kubelet?: string
  isReady?: boolean
  isPinned?: boolean
  /** The version of the pool when it was configured; undefined: nobody here did that. */
  givenFor?: string | undefined
}

/** A machine of a pool, with what it was given and says of itself. */
function machine({ kubelet, isReady = true, isPinned = false, givenFor }: Given): Machine {
  const configPatches = isPinned ? [{ machine: { kubelet: { image: PINNED } } }] : []
  const one = aWorkerMachine({
    metadata: { generation: 1, annotations: { [INSTALL_DISK]: '/dev/sda' } },
    spec: { machineSpec: aMachineSpec({ configPatches }) },
    status: {
      observedGeneration: 1,
      ...(kubelet && { kubernetes: { kubelet } }),
      conditions: [
        {
          ...{ type: 'Ready', status: isReady ? ('True' as const) : ('False' as const) },
          ...{ reason: 'Tested', message: '', lastTransitionTime: '2030-01-01T00:00:00Z' },
        },
      ],
    },
  })
  if (givenFor === undefined) return one
  const origin = { controlPlane, worker: poolOf(givenFor), machine: one, bundle }
  const record = wantedRecord({ ...origin, installDisk: '/dev/sda' })
  const annotations = { ...one.metadata.annotations, [CONFIG]: recordText(record) }
  return { ...one, metadata: { ...one.metadata, annotations } }
}

describe('a pool that is to have v1.35.0', () => {
  test.each<[string, Given, number]>([
    [
      'waits for one that is ready with the kubelet before',
      { kubelet: 'v1.34.1', givenFor: 'v1.34.1' },
      1,
    ],
    [
      'does not wait for one that is not ready: that says why itself',
      { kubelet: 'v1.34.1', givenFor: 'v1.34.1', isReady: false },
      0,
    ],
    ['does not wait for one that has it', { kubelet: 'v1.35.0', givenFor: 'v1.35.0' }, 0],
    [
      'does not wait for one that has it, and of which that is not noted yet',
      { kubelet: 'v1.35.0', givenFor: 'v1.34.1' },
      0,
    ],
    [
      'does not wait for one whose kubelet a patch holds, and that was looked at',
      { kubelet: 'v1.33.9', givenFor: 'v1.35.0', isPinned: true },
      0,
    ],
    [
      'waits for one whose kubelet a patch holds until it is looked at',
      { kubelet: 'v1.33.9', givenFor: 'v1.34.1', isPinned: true },
      1,
    ],
    ['does not wait for one that nobody here configured', { kubelet: 'v1.34.1' }, 0],
    ['does not wait for one whose kubelet is not known', { givenFor: 'v1.34.1' }, 0],
  ])('%s', async (_, given, count) => {
    const { read } = aReader({})
    const belonging = { controlPlane, worker: poolOf('v1.35.0'), bundle }

    expect(await kubeletsUnasked([machine(given)], belonging, read)).toHaveLength(count)
  })
})
