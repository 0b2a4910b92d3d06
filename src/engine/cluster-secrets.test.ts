import { inspect } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ControlPlane } from '#api/control-plane.ts'
import { MADE_FOR } from '#api/labels.ts'
import { Secret } from '#base/secret.ts'
import type { Patch } from '#kube/client.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { writeBundle } from '#machineconfig/secrets/bundle-file.ts'
import { aBundle, aControlPlane, aSecret, secretTextsOf, stored } from './cluster-secrets.cases.ts'
import {
  areMadeFor,
  looseSecretsDraft,
  readSecrets,
  secretsDraft,
  secretsNameOf,
  takingPatch,
} from './cluster-secrets.ts'
import { bundleFromConfigRef, isSameBundle } from './cluster-secrets-bundle.ts'
import { holds } from './cluster-secrets-draft.ts'
import type { SecretObject } from './cluster-secrets-entry.ts'
import { SecretsError } from './cluster-secrets-error.ts'
import { holdPatch } from './cluster-secrets-hold.ts'

let bundle: SecretsBundle
let other: SecretsBundle
beforeAll(async () => {
  ;[bundle, other] = await Promise.all([aBundle(), aBundle()])
})

function refusalOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof SecretsError) return error.message
    throw error
  }
  return 'none'
}

/** The Secret as the API has it after a change of who holds it. */
function afterPatch(secret: SecretObject, { body }: Patch): SecretObject {
  const { finalizers, annotations } = Object(body).metadata
  const marks = annotations[MADE_FOR] === null ? {} : annotations
  return { ...secret, metadata: { ...secret.metadata, finalizers, annotations: marks } }
}

test('the Secret is the one that the spec names, or is named after the control plane', () => {
  expect(secretsNameOf(aControlPlane())).toBe('prod-secrets')
  expect(secretsNameOf(aControlPlane({ spec: { secretsRef: { name: 'keys' } } }))).toBe('keys')
})

test('the Secret is immutable, has no owner, is held, and says whose it is', () => {
  const labels = { 'talos.alperen.cloud/control-plane': 'prod' }
  expect(secretsDraft(aControlPlane(), bundle, { labels }).open()).toEqual({
    metadata: {
      name: 'prod-secrets',
      labels,
      annotations: { 'talos.alperen.cloud/cluster-id': bundle.cluster.id },
      finalizers: ['talos.alperen.cloud/in-use'],
    },
    type: 'Opaque',
    immutable: true,
    data: { 'secrets.yaml': Buffer.from(writeBundle(bundle).open()).toString('base64') },
  })
})

test('whether a cluster may have begun with the keys is known by whom they were made for', () => {
  const controlPlane = aControlPlane()
  const { uid } = controlPlane.metadata
  const isNew = (madeFor: string | undefined) =>
    areMadeFor(controlPlane, stored(secretsDraft(controlPlane, bundle, { madeFor })))

  expect(isNew(uid)).toBe(true)
  expect(isNew('of one that is gone')).toBe(false)
  expect(isNew(undefined)).toBe(false)
  expect(areMadeFor(controlPlane, undefined)).toBe(false)
})

describe('keys that were made for the owner of a control plane', () => {
  const owner = { apiVersion: 'v1', kind: 'KubernetesCluster', name: 'prod', uid: 'owner' }
  const owned = (uid: string) => aControlPlane({ metadata: { uid, ownerReferences: [owner] } })
  const [first, second] = [owned('first'), owned('second')]
  const made = (madeFor?: string) =>
    stored(looseSecretsDraft({ name: 'prod-secrets', madeFor }, bundle))
  const takenBy = (controlPlane: ControlPlane, madeFor?: string) =>
    afterPatch(made(madeFor), takingPatch(controlPlane, made(madeFor)))

  test('are new to the first that takes them, and to none that is made anew after it', () => {
    expect([first, second].map((one) => areMadeFor(one, made('owner')))).toEqual([true, true])
    const taken = takenBy(first, 'owner')

    expect([first, second].map((one) => areMadeFor(one, taken))).toEqual([true, false])
    const released = afterPatch(taken, holdPatch(taken, { isHeld: false }))
    expect(areMadeFor(second, released)).toBe(false)
    const retaken = afterPatch(released, takingPatch(second, released))
    expect(areMadeFor(second, retaken)).toBe(false)
  })

  test('may be in use where an older release of ours holds them, by whom it did not write down', () => {
    const held = stored(secretsDraft(first, bundle, { madeFor: 'owner' }))

    expect(areMadeFor(first, held)).toBe(false)
  })

  test('are not made for who takes what somebody brought along', () => {
    expect(areMadeFor(first, takenBy(first))).toBe(false)
  })
})

test('what was stored is read back whole', () => {
  const secret = stored(secretsDraft(aControlPlane(), bundle, {}))
  expect(isSameBundle(readSecrets(secret), bundle)).toBe(true)
})

test('a Secret without the annotation of its draft does not hold what the draft says', () => {
  const draft = secretsDraft(aControlPlane(), bundle, {})
  const secret = stored(draft)
  const { annotations, ...metadata } = secret.metadata
  expect(holds(secret, draft)).toBe(true)
  expect(holds({ ...secret, metadata }, draft)).toBe(false)
})

test('a draft shows nothing of the secrets, however it is printed', () => {
  const draft = secretsDraft(aControlPlane(), bundle, {})
  const printed = [inspect(draft, { depth: 9 }), JSON.stringify(draft), `${draft}`].join()
  expect(printed).toBe('***,"***",***')
})

describe('a Secret that cannot be used is told by name, key and reason', () => {
  const where = 'Secret lab/prod-secrets, key "secrets.yaml"'

  test.each([
    ['without the key', { other: 'x' }, `${where} is missing or empty. `],
    ['with nothing under the key', { 'secrets.yaml': '' }, `${where} is missing or empty. `],
    ['with too much', { 'secrets.yaml': 'x'.repeat(1_100_000) }, `${where} is longer than 1 MiB. `],
    ['with something else', { 'secrets.yaml': 'hunter2' }, `${where}: failed to load `],
    ['with half of it', { 'secrets.yaml': 'cluster: {id: a}' }, `${where}: failed to validate `],
  ])('%s', (_what, texts, message) => {
    const refusal = refusalOf(() => readSecrets(aSecret('prod-secrets', texts)))
    expect(refusal).toContain(message)
    expect(refusal).toContain('Restore the Secret from a backup')
    expect(refusal).not.toMatch(/hunter2|\n/)
  })

  test('with something that is not even base64', () => {
    const secret = { metadata: { name: 'prod-secrets', namespace: 'lab' } }
    expect(refusalOf(() => readSecrets({ ...secret, data: { 'secrets.yaml': '?' } }))).toContain(
      `${where} is not base64`,
    )
    expect(refusalOf(() => readSecrets(secret))).toContain(`${where} is missing or empty`)
  })

  test('with a key that is not that of its certificate', () => {
    const mixed = { ...bundle, talos: { ...bundle.talos, key: other.talos.key } }
    const secret = stored(secretsDraft(aControlPlane(), mixed, {}))
    const refusal = refusalOf(() => readSecrets(secret))
    expect(refusal).toContain(
      `${where}: certs.os is invalid: the key is not that of the certificate. `,
    )
    for (const text of secretTextsOf(mixed)) expect(refusal).not.toContain(text)
  })

  test('and is tried again, for no change of the spec heals it', () => {
    const read = () => readSecrets(aSecret('prod-secrets', {}))
    expect(read).toThrowError(expect.objectContaining({ retry: 'backoff' }))
  })
})

describe('two bundles are the same', () => {
  test('when the PEM in one of them is only laid out differently', () => {
    const indented = bundle.talos.certificate.replaceAll('\n', ' \r\n')
    const key = new Secret(`\n${bundle.talos.key.open()}\n`)
    const laidOut = { ...bundle, talos: { certificate: indented, key } }
    expect(isSameBundle(bundle, laidOut)).toBe(true)
  })

  test('but not when any part of them differs', () => {
    expect(isSameBundle(bundle, other)).toBe(false)
    const parts: (keyof SecretsBundle)[] = [
      ...(['cluster', 'bootstrapToken', 'encryption', 'trustdToken', 'etcd'] as const),
      ...(['kubernetes', 'aggregator', 'serviceAccountKey', 'talos'] as const),
    ]
    expect(parts.sort()).toEqual(Object.keys(bundle).sort())
    for (const part of parts) {
      expect([part, isSameBundle(bundle, { ...bundle, [part]: other[part] })]).toEqual([
        part,
        false,
      ])
    }
    const encryption = { ...bundle.encryption, as: 'aescbc' as const }
    expect(isSameBundle(bundle, { ...bundle, encryption })).toBe(false)
  })
})

test('a configuration that is none is refused by its place', () => {
  const where = 'ConfigMap lab/mine, key "cp.yaml"'
  const refusal = refusalOf(() => bundleFromConfigRef('hunter2: [', { where }))
  expect(refusal).toContain(`${where}: `)
  expect(refusal).not.toContain('hunter2')
})
