import { beforeAll, describe, expect, test } from 'vitest'
import type { ControlPlane } from '#api/control-plane.ts'
import { BOOTSTRAP_MACHINE, CLUSTER_ID, MACHINE_UUID } from '#api/labels.ts'
import type { KubeObject } from '#api/meta.ts'
import { Secret } from '#base/secret.ts'
import { aBundle, stored } from '#engine/cluster-secrets.cases.ts'
import { secretsDraft } from '#engine/cluster-secrets.ts'
import { stateMirror } from '#engine/cluster-secrets-published.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { aReader } from '#test/a-reader.ts'
import { aControlPlane, aMachine, aWorkerMachine } from '#test/builders.ts'
import { lookAtSecrets } from './look-secrets.ts'

let bundle: SecretsBundle
let secret: KubeObject
let state: KubeObject
beforeAll(async () => {
  bundle = await aBundle()
  secret = { kind: 'Secret', ...stored(secretsDraft(aControlPlane(), bundle, {})) }
  const mirror = stateMirror(aControlPlane(), bundle, {
    ...{ endpoint: 'https://192.0.2.10:6443', addresses: [], config: new Secret('') },
    ...{ state: 'Bootstrapped', observedKubeVersion: 'v1.35.0' },
  })
  state = { kind: 'Secret', ...stored(mirror) }
})

const NEW = { do: 'create', from: 'generated' }
const LOST = { do: 'refuse', reason: 'SecretsLost' }
const CLAIMED = { annotations: { [MACHINE_UUID]: 'uuid-1' } }

const known = { controlPlane: aControlPlane(), machines: [], workers: [], configText: undefined }
const annotated = (annotations: Record<string, string>) =>
  aControlPlane({ metadata: { annotations } })

/** What is decided where the caches show a control plane without a trace, and the API has these. */
async function decided(...live: KubeObject[]) {
  const { read, asked } = aReader({ cached: [aControlPlane()], live })
  const { decision } = await lookAtSecrets(known, read)
  return { decision, asked }
}

describe('new secrets', () => {
  test('are made where the API too has no trace of others', async () => {
    const { decision, asked } = await decided(aControlPlane())

    expect(decision).toEqual(NEW)
    expect(asked.at(-1)).toBe('TalosControlPlane prod')
  })

  test.each<[string, () => ControlPlane]>([
    ['the cluster that it is', () => annotated({ [CLUSTER_ID]: 'id-1' })],
    ['the machine that it begins on', () => annotated({ [BOOTSTRAP_MACHINE]: 'uuid-1' })],
    ['its state', () => aControlPlane({ status: { state: 'Bootstrapped' } })],
  ])('are not made where the API has %s, which the caches do not show yet', async (_what, live) => {
    expect((await decided(live())).decision).toMatchObject(LOST)
  })

  test('are not made while the API does not say', async () => {
    const { read } = aReader({ cached: [aControlPlane()] })
    const fetchAny = () => Promise.reject(new Error('the API is away'))

    await expect(lookAtSecrets(known, { ...read, fetchAny })).rejects.toThrow('the API is away')
  })

  test('are decided on by what is known, where the control plane itself is gone meanwhile', async () => {
    expect((await decided()).decision).toEqual(NEW)
  })

  test.each([
    ['its own', { machines: [aMachine({ metadata: CLAIMED })] }, []],
    ['one of its pools', { workers: ['pool'] }, [aWorkerMachine({ metadata: CLAIMED })]],
  ])('are not made where a machine is configured, of %s', async (_whose, over, cached) => {
    const { read } = aReader({ cached: [aControlPlane(), ...cached] })

    expect((await lookAtSecrets({ ...known, ...over }, read)).decision).toMatchObject(LOST)
  })

  test('do not hang on the machines of the pools of others', async () => {
    const { read } = aReader({
      cached: [aControlPlane(), aWorkerMachine({ metadata: CLAIMED })],
    })

    expect((await lookAtSecrets({ ...known, workers: ['other'] }, read)).decision).toEqual(NEW)
  })
})

describe('secrets that are there', () => {
  test('are used, and what they are kept in is seen', async () => {
    const { read, asked } = aReader({ live: [secret] })
    const seen = await lookAtSecrets(known, read)

    expect(seen.decision).toMatchObject({
      do: 'use',
      bundle: { cluster: { id: bundle.cluster.id } },
    })
    expect(seen.secret?.metadata.name).toBe('prod-secrets')
    expect(asked).toEqual(['Secret prod-secrets'])
  })

  test('in what a published operator left are stored, and the control plane is not asked for', async () => {
    const { decision, asked } = await decided(state)

    expect(decision).toMatchObject({ do: 'create', from: 'state' })
    expect(asked).toEqual(['Secret prod-secrets', 'Secret prod-state'])
  })
})
