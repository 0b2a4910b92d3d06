import { expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { Worker } from '#api/worker.ts'
import { Secret } from '#base/secret.ts'
import { ownedBy } from '#runtime/controller.ts'
import { aWriter } from '#test/a-writer.ts'
import { aControlPlane, aWorker } from '#test/builders.ts'
import { stored } from './cluster-secrets.cases.ts'
import { configDue, writeConfigSecret } from './config-delivery.ts'
import { configSecret } from './delivered-config.ts'

const text = new Secret('machine: {}\n')
const controlPlane = aControlPlane()
const pool = aWorker({ metadata: { name: 'prod' } })
const draft = configSecret(controlPlane, {
  ...{ owner: ownedBy(ControlPlane, controlPlane), key: 'controlplane.yaml', text },
})
const ofPool = configSecret(pool, { owner: ownedBy(Worker, pool), key: 'worker.yaml', text })

test('it is created where there is none, and then left alone', () => {
  expect(configDue(undefined, draft)).toBe('create')
  expect(configDue(stored(draft), draft)).toBeUndefined()
})

test('a pool of the same name adds its part', () => {
  expect(configDue(stored(draft), ofPool)).toBe('update')
})

test('one that is none of ours is somebody else’s, whatever is in it', () => {
  const { ownerReferences: _, ...metadata } = stored(draft).metadata
  expect(configDue({ ...stored(draft), metadata }, draft)).toBe('taken')
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'u' }
  expect(
    configDue({ ...stored(draft), metadata: { ...metadata, ownerReferences: [owner] } }, draft),
  ).toBe('taken')
})

test('a new one is created, and an old one loses nothing that it had', async () => {
  const { write, written } = aWriter()
  await writeConfigSecret(write, draft, true)
  await writeConfigSecret(write, ofPool, false)
  expect(written).toMatchObject([
    { how: 'create', name: 'prod-config' },
    {
      ...{ how: 'patch', name: 'prod-config' },
      what: {
        type: 'strategic',
        body: {
          metadata: { ownerReferences: [{ kind: 'TalosWorker' }] },
          data: { 'worker.yaml': expect.any(String) },
        },
      },
    },
  ])
})
