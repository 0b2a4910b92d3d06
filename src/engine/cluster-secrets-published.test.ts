import { beforeAll, describe, expect, test } from 'vitest'
import { Secret } from '#base/secret.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { writeBundle } from '#machineconfig/secrets/bundle-file.ts'
import { aBundle, aControlPlane, aSecret, entry, stored } from './cluster-secrets.cases.ts'
import { isSameBundle } from './cluster-secrets-bundle.ts'
import { holds } from './cluster-secrets-draft.ts'
import { publishedBundle, stateMirror } from './cluster-secrets-published.ts'

let bundle: SecretsBundle
let other: SecretsBundle
beforeAll(async () => {
  ;[bundle, other] = await Promise.all([aBundle(), aBundle()])
})

/** As the published operator writes it: two spaces a level. */
const published = (secrets: SecretsBundle) =>
  writeBundle(secrets).open().replaceAll('    ', '  ').concat('clock: null\n')

const aState = (text: string) => aSecret('prod-state', { secretBundle: text, state: 'Ready' })
const withStatus = (secretBundle: string) => aControlPlane({ status: { secretBundle } })

describe('the bundle of an installation that is there already is found', () => {
  test('in its Secret', () => {
    const stateSecret = aState(published(bundle))
    const found = publishedBundle({ stateSecret, controlPlane: aControlPlane() })
    expect(found?.from).toBe('state')
    expect(found && isSameBundle(found.bundle, bundle)).toBe(true)
  })

  test('in the status', () => {
    const controlPlane = withStatus(published(bundle))
    const found = publishedBundle({ stateSecret: undefined, controlPlane })
    expect(found?.from).toBe('status')
    expect(found && isSameBundle(found.bundle, bundle)).toBe(true)
    expect(publishedBundle({ stateSecret: aState(''), controlPlane })?.from).toBe('status')
  })

  test('in both', () => {
    const both = {
      stateSecret: aState(published(bundle)),
      controlPlane: withStatus(published(bundle)),
    }
    expect(publishedBundle(both)?.from).toBe('state')
  })

  test('in neither', () => {
    const controlPlane = aControlPlane()
    expect(publishedBundle({ stateSecret: undefined, controlPlane })).toBe(undefined)
  })
})

describe('a bundle that is there and cannot be had is never taken for none', () => {
  test.each([
    ['in the Secret', { stateSecret: aState('cluster: 1'), controlPlane: aControlPlane() }],
    ['in the status', { stateSecret: undefined, controlPlane: withStatus('cluster: 1') }],
    ['in a Secret without it', { stateSecret: aState(''), controlPlane: aControlPlane() }],
  ])('%s', (_where, given) => {
    expect(() => publishedBundle(given)).toThrowError(
      expect.objectContaining({ reason: 'SecretsUnusable' }),
    )
  })

  test('in a Secret, beside a whole one in the status', () => {
    const given = { stateSecret: aState('cluster: 1'), controlPlane: withStatus(published(bundle)) }
    expect(() => publishedBundle(given)).toThrowError(
      expect.objectContaining({ reason: 'SecretsUnusable' }),
    )
  })

  test('in two places that say different things', () => {
    const given = {
      stateSecret: aState(published(bundle)),
      controlPlane: withStatus(published(other)),
    }
    expect(() => publishedBundle(given)).toThrowError(
      expect.objectContaining({ reason: 'SecretsDiffer' }),
    )
  })
})

describe('the mirror', () => {
  const facts = {
    state: 'Ready',
    observedKubeVersion: 'v1.35.0',
    endpoint: 'https://192.0.2.1:6443',
    addresses: ['192.0.2.2'],
    config: new Secret('machine: {}\n'),
  }
  const controlPlane = aControlPlane({ spec: { podCIDR: ['10.244.0.0/16'] } })
  const mirror = () => stored(stateMirror(controlPlane, bundle, facts))

  test('has the five keys of the published layout, its label, and no owner', () => {
    const secret = mirror()
    expect(secret.metadata).toMatchObject({
      name: 'prod-state',
      labels: { 'talos.alperen.cloud/type': 'state' },
    })
    expect(secret.metadata.ownerReferences).toBe(undefined)
    expect(Object.keys(secret.data ?? {}).sort()).toEqual(
      ['bundleConfig', 'config', 'observedKubeVersion', 'secretBundle', 'state'].sort(),
    )
    expect(entry(secret, 'state')).toBe('Ready')
    expect(entry(secret, 'config')).toBe('machine: {}\n')
    expect(entry(secret, 'observedKubeVersion')).toBe('v1.35.0')
    expect(JSON.parse(entry(secret, 'bundleConfig'))).toEqual({
      clusterName: 'prod',
      endpoint: 'https://192.0.2.1:6443',
      version: 'v1.13.0',
      kubeVersion: 'v1.35.0',
      podCIDR: ['10.244.0.0/16'],
      clientEndpoint: ['192.0.2.2'],
    })
  })

  test('can be taken over from', () => {
    const found = publishedBundle({ stateSecret: mirror(), controlPlane: aControlPlane() })
    expect(found && isSameBundle(found.bundle, bundle)).toBe(true)
  })

  test('is written again only when it would say something else', () => {
    const draft = stateMirror(controlPlane, bundle, facts)
    const secret = stored(draft)
    const { data, metadata } = secret
    expect(holds(secret, draft)).toBe(true)
    expect(holds({ ...secret, data: { ...data, added: 'eA==' } }, draft)).toBe(true)
    expect(holds(undefined, draft)).toBe(false)
    expect(holds({ ...secret, metadata: { ...metadata, labels: {} } }, draft)).toBe(false)
    expect(holds({ metadata }, draft)).toBe(false)
    expect(holds(secret, stateMirror(controlPlane, bundle, { ...facts, state: 'X' }))).toBe(false)
  })
})
