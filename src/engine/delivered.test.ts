import { X509Certificate } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { Secret } from '#base/secret.ts'
import { parseYaml } from '#base/yaml.ts'
import { newAuthority } from '#machineconfig/secrets/authority.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { readTalosconfig } from '#machineconfig/secrets/talosconfig-file.ts'
import {
  aBundle,
  aControlPlane,
  aSecret,
  entry,
  NOW,
  OWNER,
  stored,
} from './cluster-secrets.cases.ts'
import { holds } from './cluster-secrets-draft.ts'
import type { SecretObject } from './cluster-secrets-entry.ts'
import { configSecret } from './delivered-config.ts'
import { isKubeconfigDue, kubeconfigSecret } from './delivered-kubeconfig.ts'
import { isTalosconfigDue, talosconfigSecret } from './delivered-talosconfig.ts'

const DAY_MS = 24 * 3_600_000
const daysOn = (days: number) => new Date(NOW.getTime() + days * DAY_MS)

let bundle: SecretsBundle
let other: SecretsBundle
beforeAll(async () => {
  ;[bundle, other] = await Promise.all([aBundle(), aBundle()])
})

const controlPlane = aControlPlane()
const kubernetes = () => ({ controlPlane, bundle, endpoint: 'https://192.0.2.1:6443', now: NOW })
const talos = () => ({
  ...{ controlPlane, bundle, now: NOW },
  ...{ endpoints: ['192.0.2.3', '192.0.2.2'], nodes: ['192.0.2.2'] },
})

/** Both files, and what is asked of them. */
const files = {
  kubeconfig: {
    key: 'kubeconfig',
    make: async (change: object = {}) =>
      stored(await kubeconfigSecret({ ...kubernetes(), ...change, owner: OWNER })),
    isDue: (secret: SecretObject | undefined, change: object = {}) =>
      isKubeconfigDue(secret, { ...kubernetes(), ...change }),
    elsewhere: { endpoint: 'https://192.0.2.9:6443' },
  },
  talosconfig: {
    key: 'prod.talosconfig',
    make: async (change: object = {}) =>
      stored(await talosconfigSecret({ ...talos(), ...change, owner: OWNER })),
    isDue: (secret: SecretObject | undefined, change: object = {}) =>
      isTalosconfigDue(secret, { ...talos(), ...change }),
    elsewhere: { endpoints: ['192.0.2.2'] },
  },
}

describe.each(Object.entries(files))('the Secret with the %s', (what, file) => {
  test('belongs to the control plane and says when its certificate ends', async () => {
    const secret = await file.make()
    expect(secret.metadata).toMatchObject({
      name: `prod-${what}`,
      annotations: { 'talos.alperen.cloud/expires': '2031-01-01T00:00:00Z' },
      ownerReferences: [OWNER],
    })
    expect(Object.keys(secret.data ?? {})).toEqual([file.key])
  })

  test('is named after the first owner of the control plane', async () => {
    const owned = aControlPlane({ metadata: { ownerReferences: [{ ...OWNER, name: 'main' }] } })
    const secret = await file.make({ controlPlane: owned })
    expect(secret.metadata.name).toBe(`main-${what}`)
    expect(Object.keys(secret.data ?? {})).toEqual([file.key])
  })

  test('is settled until half of its life is over', async () => {
    const secret = await file.make()
    expect(file.isDue(secret)).toBe(false)
    expect(file.isDue(secret, { now: daysOn(182) })).toBe(false)
    expect(file.isDue(secret, { now: daysOn(183) })).toBe(true)
    expect(file.isDue(secret, { now: daysOn(1_000) })).toBe(true)
    expect(file.isDue(await file.make({ now: daysOn(183) }), { now: daysOn(183) })).toBe(false)
  })

  test('is settled for an operator whose clock is a little behind, not for one that is far off', async () => {
    const secret = await file.make()
    expect(file.isDue(secret, { now: new Date(NOW.getTime() - 60_000) })).toBe(false)
    expect(file.isDue(secret, { now: daysOn(-1) })).toBe(true)
  })

  test('is due when it is missing, empty or unreadable', async () => {
    const { metadata } = await file.make()
    const holding = (text: string) => ({ ...aSecret('x', { [file.key]: text }), metadata })
    expect(file.isDue(undefined)).toBe(true)
    expect(file.isDue({ metadata })).toBe(true)
    for (const text of ['', 'x: [', '[]', 'contexts: 1', '{}']) {
      expect([text, file.isDue(holding(text))]).toEqual([text, true])
    }
    expect(file.isDue({ metadata, data: { [file.key]: '?' } })).toBe(true)
  })

  test('is due when it says nothing of its end, or something else', async () => {
    const secret = await file.make()
    const { annotations, ...metadata } = secret.metadata
    expect(file.isDue({ ...secret, metadata })).toBe(true)
    const wrong = { ...annotations, 'talos.alperen.cloud/expires': '2031-01-02T00:00:00Z' }
    expect(file.isDue({ ...secret, metadata: { ...metadata, annotations: wrong } })).toBe(true)
  })

  test('is due when it is for another authority or another place', async () => {
    expect(file.isDue(await file.make({ bundle: other }))).toBe(true)
    expect(file.isDue(await file.make(file.elsewhere))).toBe(true)
  })

  test('is due when its parts do not belong together', async () => {
    const [mine, foreign] = [await file.make(), await file.make({ bundle: other })]
    const [ca, certificate, key] = [
      / *(certificate-authority-data|ca): .*\n/,
      / *(client-certificate-data|crt): .*\n/,
      / *(client-key-data|key): .*\n/,
    ] as const
    const lineOf = (secret: SecretObject, line: RegExp) => line.exec(entry(secret, file.key))?.[0]
    for (const lines of [[ca], [certificate], [key], [certificate, key]]) {
      let text = entry(mine, file.key)
      for (const line of lines) {
        expect(lineOf(foreign, line)).not.toBe(lineOf(mine, line))
        text = text.replace(line, lineOf(foreign, line) ?? '')
      }
      const mixed = { ...mine, data: aSecret('x', { [file.key]: text }).data ?? {} }
      expect([lines, file.isDue(mixed)]).toEqual([lines, true])
    }
  })

  test('is judged by what it says now, however often it was looked at', async () => {
    const at = (secret: SecretObject, resourceVersion: string): SecretObject => ({
      ...secret,
      metadata: { ...secret.metadata, uid: `of-${what}`, resourceVersion },
    })
    const secret = at(await file.make(), '1')
    expect([file.isDue(secret), file.isDue(secret)]).toEqual([false, false])
    expect(file.isDue(secret, { bundle: other })).toBe(true)
    expect(file.isDue(secret, file.elsewhere)).toBe(true)
    expect(file.isDue(secret, { now: daysOn(183) })).toBe(true)
    expect(file.isDue(secret, { now: daysOn(-1) })).toBe(true)
    expect(file.isDue(at(await file.make({ bundle: other }), '2'))).toBe(true)
    expect(file.isDue(secret)).toBe(false)
  })

  test('is not read again while it is the same', async () => {
    const { metadata, ...secret } = await file.make()
    const known = { ...metadata, uid: `once-${what}`, resourceVersion: '1' }
    expect(file.isDue({ ...secret, metadata: known })).toBe(false)
    expect(file.isDue({ metadata: known })).toBe(false)
  })

  test('is left alone when it ends with its authority, for no other would last longer', async () => {
    const short = { now: new Date(NOW.getTime() - 3_600 * DAY_MS), family: 'ecdsa' as const }
    const ca = await newAuthority(short)
    const ending = { bundle: { ...bundle, kubernetes: ca, talos: ca } }
    const secret = await file.make(ending)
    expect(file.isDue(secret, { ...ending, now: daysOn(49) })).toBe(false)
    expect(file.isDue(secret, { ...ending, now: daysOn(51) })).toBe(false)
  })
})

test('the kubeconfig leads to the endpoint, as administrator', async () => {
  const secret = await files.kubeconfig.make()
  expect(parseYaml(entry(secret, 'kubeconfig'))).toMatchObject({
    'current-context': 'admin@prod',
    clusters: [{ name: 'prod', cluster: { server: 'https://192.0.2.1:6443' } }],
  })
})

test('the talosconfig leads to the machines, in an order of its own', async () => {
  const secret = await files.talosconfig.make()
  const { context, contexts } = readTalosconfig(entry(secret, 'prod.talosconfig'))
  expect(context).toBe('prod')
  expect(contexts.get('prod')).toMatchObject({
    endpoints: ['192.0.2.2', '192.0.2.3'],
    nodes: ['192.0.2.2'],
  })
  expect(new X509Certificate(contexts.get('prod')?.certificate ?? '').subject).toBe('O=os:admin')
  const turned = { endpoints: ['192.0.2.2', '192.0.2.3', '192.0.2.2'] }
  expect(files.talosconfig.isDue(secret, turned)).toBe(false)
  expect(files.talosconfig.isDue(secret, { nodes: [] })).toBe(true)
})

describe('the Secret with a generated configuration', () => {
  const config = { owner: OWNER, text: new Secret('machine: {}\n') }

  test.each([['controlplane.yaml'], ['worker.yaml']] as const)('has it in base64 as %s', (key) => {
    const secret = stored(configSecret(controlPlane, { ...config, key }))
    expect(secret.metadata.name).toBe('prod-config')
    expect(entry(secret, key)).toBe(Buffer.from('machine: {}\n').toString('base64'))
  })

  test('is owned and not controlled, for a pool of the same name has a part in it', () => {
    const secret = stored(configSecret(controlPlane, { ...config, key: 'worker.yaml' }))
    const { controller, blockOwnerDeletion, ...owner } = OWNER
    expect(secret.metadata.ownerReferences).toEqual([owner])
  })

  test('is written again when it lost its owner', () => {
    const draft = configSecret(controlPlane, { ...config, key: 'worker.yaml' })
    const secret = stored(draft)
    const { ownerReferences, ...metadata } = secret.metadata
    expect(holds(secret, draft)).toBe(true)
    expect(holds({ ...secret, metadata }, draft)).toBe(false)
  })
})
