import { expect, test } from 'vitest'
import type { Secret } from '#base/secret.ts'
import { aCluster } from '#machineconfig/generate/a-cluster.cases.ts'
import { generateConfig } from '#machineconfig/generate/generate-config.ts'
import type { Role } from '#machineconfig/generate/options.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import { classifyChange } from './classify.ts'
import { diffConfigs } from './diff-configs.ts'
import { redacted } from './redact.ts'

// Without an RSA key, which takes seconds to make: what is hidden does not depend on its kind.
const aBundle = () => generateBundle({ talosVersion: 'v1.6', now: new Date() })

const ROLES: readonly Role[] = ['controlplane', 'worker']
const VERSIONS = ['v1.5', 'v1.6', 'v1.8', 'v1.11', 'v1.12', 'v1.13']

/** Every secret as it could stand in a text: as it is, in base64, and line by line. */
function secretsOf(bundle: SecretsBundle): string[] {
  const found: Secret<string>[] = [
    bundle.cluster.secret,
    bundle.bootstrapToken,
    bundle.encryption.secret,
    bundle.trustdToken,
    bundle.serviceAccountKey,
    ...[bundle.etcd, bundle.kubernetes, bundle.aggregator, bundle.talos].map(({ key }) => key),
  ]
  return found.flatMap((secret) => {
    const text = secret.open()
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('-----'))
    return [Buffer.from(text).toString('base64'), ...lines]
  })
}

const leaked = (text: string, bundles: readonly SecretsBundle[]): string[] =>
  bundles.flatMap(secretsOf).filter((secret) => text.includes(secret))

test('nothing of a bundle is in what is shown of a configuration, whatever its role and version', async () => {
  const [one, other] = await Promise.all([aBundle(), aBundle()])
  const made = (secrets: SecretsBundle, role: Role, talosVersion: string): MachineConfig =>
    generateConfig(role, aCluster({ secrets, talosVersion }))

  for (const role of ROLES) {
    for (const talosVersion of VERSIONS) {
      const before = made(one, role, talosVersion)
      const after = made(other, role, talosVersion)
      const shown = [
        writeConfig(redacted(before)),
        diffConfigs(before, after),
        JSON.stringify(classifyChange(before, after, { talosVersion })),
        JSON.stringify(before),
        `${before}`,
      ]

      expect(leaked(writeConfig(before), [one]), 'the test sees secrets').not.toEqual([])
      expect(leaked(shown.join('\n'), [one, other])).toEqual([])
      expect(diffConfigs(before, after)).toContain('machine.token: a secret, which changes')
    }
  }
})
