import { expect, test } from 'vitest'
import { aControlPlane } from '#test/builders.ts'
import { sharedSecretsWarnings } from './shared-secrets.ts'

const named = (name: string, secret?: string) =>
  aControlPlane({
    metadata: { name },
    ...(secret !== undefined && { spec: { secretsRef: { name: secret } } }),
  })

test('who has the keys of another control plane is told which', () => {
  const prod = named('prod')
  const all = [prod, named('lab', 'prod-secrets'), named('dev', 'prod-secrets'), named('test')]

  const [warning, ...more] = sharedSecretsWarnings(prod, all)

  expect([warning?.reason, more]).toEqual(['SecretsShared', []])
  expect(warning?.message).toContain('TalosControlPlane dev, lab:')
})

test('who has keys of its own is told nothing', () => {
  const prod = named('prod')

  expect(sharedSecretsWarnings(prod, [prod, named('lab')])).toEqual([])
})
