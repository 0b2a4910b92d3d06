import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { Secret } from '#base/secret.ts'
import { MachineConfig } from '#machineconfig/machine-config.ts'
import { documentKind } from '#machineconfig/shapes/shapes.ts'
import type { SecretsBundle } from './bundle.ts'
import { readBundle, writeBundle } from './bundle-file.ts'
import { bundleFromConfig } from './bundle-from-config.ts'
import { adminCertificate } from './certificates.ts'
import { generateBundle } from './generate-bundle.ts'
import { kubeconfigFor } from './kubeconfig.ts'
import { apidCertificate } from './machine-certificates.ts'
import { privateKeyOf } from './private-key.ts'
import { talosconfigFor } from './talosconfig.ts'
import { readTalosconfig, writeTalosconfig } from './talosconfig-file.ts'

const now = new Date('2026-11-16T07:00:00Z')

/** All values that are Secrets, however deep. */
function secretsIn(value: unknown): string[] {
  if (value instanceof Secret) return [String(value.open())]
  if (value instanceof Map) return [...value.values()].flatMap(secretsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(secretsIn)
}

/**
 * Pieces by which a secret would be known: of the text, and of what it is once it is encoded. Only the
 * first line of a key is one: the others hold the public key, which certificates show.
 */
function piecesOf(secret: string): string[] {
  const line = secret.split('\n').find((one) => !one.startsWith('-----')) ?? ''
  const encoded = Buffer.from(secret).toString('base64')
  const middle = encoded.length / 2
  return [line.slice(10, 50), encoded.slice(middle - 10, middle + 10)]
}

const printed = (value: unknown): string =>
  [
    JSON.stringify(value),
    inspect(value, { depth: 20, showHidden: true }),
    inspect(value, { depth: 20, getters: true }),
    String(value),
    `${value}`,
  ].join('\n')

function shown(bundle: SecretsBundle, text: string): string[] {
  return secretsIn(bundle)
    .flatMap(piecesOf)
    .filter((piece) => text.includes(piece))
}

test('no secret of a bundle shows in what is made from it', async () => {
  for (let round = 0; round < 5; round++) {
    const bundle = await generateBundle({ talosVersion: 'v1.6', now })
    expect(secretsIn(bundle)).toHaveLength(9)
    const cluster = { clusterName: 'prod', endpoint: 'https://prod:6443', endpoints: [], now }
    const talosconfig = await talosconfigFor({ ...cluster, ca: bundle.talos })
    const made = [
      bundle,
      readBundle(writeBundle(bundle).open()),
      writeBundle(bundle),
      talosconfig,
      writeTalosconfig(talosconfig),
      readTalosconfig(writeTalosconfig(talosconfig).open()),
      await kubeconfigFor({ ...cluster, ca: bundle.kubernetes }),
      await adminCertificate({ ca: bundle.talos, roles: ['os:admin'], now }),
      await apidCertificate({ ca: bundle.talos, name: 'x', hosts: ['x'], now }),
      privateKeyOf(bundle.talos.key),
    ]
    for (const one of made) expect(shown(bundle, printed(one))).toEqual([])
    const own = secretsIn(talosconfig).flatMap(piecesOf)
    expect(own).toHaveLength(2)
    expect(own.filter((piece) => printed(talosconfig).includes(piece))).toEqual([])
  }
})

test('no secret of a file shows in the error that refuses it', async () => {
  const bundle = await generateBundle({ talosVersion: 'v1.6', now })
  const text = writeBundle(bundle).open()
  const lines = text.split('\n')
  const spoilt = (spoil: (line: string) => string) =>
    lines.map((_, at) => lines.map((line, other) => (at === other ? spoil(line) : line)).join('\n'))
  const files = [
    ...spoilt((line) => line.replace(/: (.*)$/, ': [$1]')),
    ...spoilt((line) => line.replace(/: (.*)$/, ': {$1: $1}')),
    ...spoilt((line) => line.replace(/: (.*)$/, ': "$1')),
    ...spoilt((line) => `${line.slice(0, -3)}`),
    ...spoilt((line) => line.replace(/: (.{40}).*$/, ': $1')),
    ...spoilt((line) => `\t${line}`),
    ...spoilt((line) => line.replace(/^( *)[a-z0-9]+: (.+)$/, '$1$2: x')),
    ...spoilt((line) => `${line}\n${line}`),
    ...spoilt((line) => line.replace(/: (.+)$/, ' $1')),
  ]

  let refused = 0
  for (const file of files) {
    for (const read of [readBundle, readTalosconfig]) {
      try {
        read(file)
      } catch (error) {
        refused += 1
        expect(shown(bundle, printed(error))).toEqual([])
      }
    }
  }
  expect(refused).toBeGreaterThan(files.length / 2)
})

test('no secret of a configuration shows in the error that refuses it', async () => {
  const bundle = await generateBundle({ talosVersion: 'v1.6', now })
  const kind = documentKind('')
  if (!kind) throw new Error('there is no legacy document')
  const machine = {
    token: bundle.trustdToken.open(),
    ca: { crt: '', key: bundle.talos.key.open() },
  }
  const config = new MachineConfig([{ kind, fields: { machine } }])
  try {
    bundleFromConfig(config)
    expect.unreachable()
  } catch (error) {
    expect(shown(bundle, printed(error))).toEqual([])
  }
})
