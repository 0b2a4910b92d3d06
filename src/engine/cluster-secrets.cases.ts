// A control plane, its secrets and the Secrets that hold them, for tests.

import type { ControlPlane } from '#api/control-plane.ts'
import type { OwnerReference } from '#api/meta.ts'
import type { Secret } from '#base/secret.ts'
import { generateConfig } from '#machineconfig/generate/generate-config.ts'
import type { Role } from '#machineconfig/generate/options.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import type { SecretDraft } from './cluster-secrets-draft.ts'
import type { SecretObject } from './cluster-secrets-entry.ts'

export const NOW = new Date('2030-01-01T00:00:00Z')

/** Secrets without an RSA key, which would take seconds. */
export const aBundle = (): Promise<SecretsBundle> =>
  generateBundle({ talosVersion: 'v1.6', now: NOW })

const spec: NonNullable<ControlPlane['spec']> = {
  version: 'v1.13.0',
  kubeVersion: 'v1.35.0',
  mode: 'metal',
  clusterDomain: 'cluster.local',
  deletionPolicy: 'reset',
  rolloutStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
}

interface Given {
  metadata?: Partial<ControlPlane['metadata']>
  spec?: Partial<typeof spec>
  status?: ControlPlane['status']
}

export const aControlPlane = (given: Given = {}): ControlPlane => ({
  apiVersion: 'talos.alperen.cloud/v1alpha1',
  kind: 'TalosControlPlane',
  metadata: { name: 'prod', namespace: 'lab', uid: 'uid-of-prod', ...given.metadata },
  spec: { ...spec, ...given.spec },
  ...(given.status && { status: given.status }),
})

export const OWNER: OwnerReference = {
  apiVersion: 'talos.alperen.cloud/v1alpha1',
  kind: 'TalosControlPlane',
  name: 'prod',
  uid: 'uid-of-prod',
  controller: true,
  blockOwnerDeletion: true,
}

/** A Secret with these texts, as the API serves it. */
export const aSecret = (name: string, texts: Record<string, string>): SecretObject => ({
  metadata: { name, namespace: 'lab' },
  data: Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  ),
})

/** What the API serves after a draft was written. */
export function stored(draft: Secret<SecretDraft>): SecretObject {
  const { metadata, data = {}, ...rest } = draft.open()
  const texts = Object.entries(data).map(([key, text]) => [key, text ?? ''])
  return {
    metadata: structuredClone({ ...metadata, namespace: 'lab', uid: 'of-the-secret' }),
    data: Object.fromEntries(texts),
    ...(rest.immutable && { immutable: true }),
  }
}

/** The text under a key of a Secret. */
export const entry = (secret: SecretObject, key: string): string =>
  Buffer.from(secret.data?.[key] ?? '', 'base64').toString()

/** The configuration of a machine of the cluster. */
export const configOf = (secrets: SecretsBundle, role: Role = 'controlplane'): string =>
  writeConfig(
    generateConfig(role, {
      clusterName: 'prod',
      endpoint: 'https://192.0.2.1:6443',
      secrets,
      talosVersion: 'v1.13.0',
      kubernetesVersion: '1.35.0',
    }),
  )

/** Every secret text of a bundle, as it could come to light somewhere. */
export function secretTextsOf(bundle: SecretsBundle): string[] {
  const pairs = [bundle.etcd, bundle.kubernetes, bundle.aggregator, bundle.talos]
  const pems = [...pairs.map(({ key }) => key.open()), bundle.serviceAccountKey.open()]
  return [
    bundle.cluster.secret.open(),
    bundle.bootstrapToken.open(),
    bundle.encryption.secret.open(),
    bundle.trustdToken.open(),
    ...pems,
    ...pems.map((pem) => Buffer.from(pem).toString('base64')),
  ]
}
