import { beforeAll, describe, expect, test } from 'vitest'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { writeBundle } from '#machineconfig/secrets/bundle-file.ts'
import {
  aBundle,
  aControlPlane,
  aSecret,
  configOf,
  secretTextsOf,
} from './cluster-secrets.cases.ts'
import { isSameBundle } from './cluster-secrets-bundle.ts'
import {
  type SecretsDecision,
  type SecretsEvidence,
  secretsDecision,
} from './cluster-secrets-decision.ts'

let bundle: SecretsBundle
let other: SecretsBundle
beforeAll(async () => {
  ;[bundle, other] = await Promise.all([aBundle(), aBundle()])
})

const configRef = { name: 'mine', key: 'cp.yaml' }
const yaml = (secrets: SecretsBundle) => writeBundle(secrets).open()
const secretOf = (text: string) => aSecret('prod-secrets', { 'secrets.yaml': text })
const stateOf = (text: string) => aSecret('prod-state', { secretBundle: text })
const annotated = (annotations: Record<string, string>) =>
  aControlPlane({ metadata: { annotations } })
const configured = aControlPlane({ spec: { configRef } })
const cluster = (id: string) => ({ 'talos.alperen.cloud/cluster-id': id })

const nothing = (): SecretsEvidence => ({
  secret: undefined,
  stateSecret: undefined,
  controlPlane: aControlPlane(),
  configText: undefined,
  machinesAreClaimed: false,
})

/** The decision in a word, so that a table can hold it. */
function wordFor(decision: SecretsDecision): string {
  if (decision.do === 'refuse') return decision.reason
  const own = 'bundle' in decision && !isSameBundle(decision.bundle, bundle) ? ' of another' : ''
  return (decision.do === 'use' ? 'use' : decision.from) + own
}

type Row = [world: string, evidence: () => Partial<SecretsEvidence>, wanted: string]

const rows: Row[] = [
  ['nothing at all', () => ({}), 'generated'],
  [
    'an empty status',
    () => ({ controlPlane: aControlPlane({ status: { secretBundle: '', config: '' } }) }),
    'generated',
  ],
  ['the Secret', () => ({ secret: secretOf(yaml(bundle)) }), 'use'],
  [
    'the Secret, and every trace of it',
    () => ({
      secret: secretOf(yaml(bundle)),
      controlPlane: aControlPlane({
        metadata: { annotations: cluster(bundle.cluster.id) },
        status: { state: 'Ready' },
      }),
      machinesAreClaimed: true,
    }),
    'use',
  ],
  [
    'the Secret, and a mirror that says something else',
    () => ({ secret: secretOf(yaml(bundle)), stateSecret: stateOf(yaml(other)) }),
    'use',
  ],
  [
    'the Secret, and a mirror that is damaged',
    () => ({ secret: secretOf(yaml(bundle)), stateSecret: stateOf('x: [') }),
    'use',
  ],
  [
    'the Secret, and old secrets in the status',
    () => ({
      secret: secretOf(yaml(bundle)),
      controlPlane: aControlPlane({ status: { secretBundle: 'x' } }),
    }),
    'use',
  ],
  ['a Secret that is damaged', () => ({ secret: secretOf('x: [') }), 'SecretsUnusable'],
  [
    'a Secret that is damaged, and a good mirror',
    () => ({ secret: secretOf(''), stateSecret: stateOf(yaml(bundle)) }),
    'SecretsUnusable',
  ],
  [
    'the Secret of another cluster',
    () => ({
      secret: secretOf(yaml(other)),
      controlPlane: annotated(cluster(bundle.cluster.id)),
    }),
    'SecretsDiffer',
  ],
  [
    'the Secret, and the configuration that it came from',
    () => ({
      secret: secretOf(yaml(bundle)),
      controlPlane: configured,
      configText: configOf(bundle),
    }),
    'use',
  ],
  [
    'the Secret, and a configuration of another cluster',
    () => ({
      secret: secretOf(yaml(bundle)),
      controlPlane: configured,
      configText: configOf(other),
    }),
    'SecretsDiffer',
  ],
  [
    'the Secret, and a configuration that is damaged',
    () => ({ secret: secretOf(yaml(bundle)), controlPlane: configured, configText: 'x: [' }),
    'use',
  ],
  [
    'the Secret, and no configuration where one should be',
    () => ({ secret: secretOf(yaml(bundle)), controlPlane: configured }),
    'use',
  ],
  ['the published Secret', () => ({ stateSecret: stateOf(yaml(bundle)) }), 'state'],
  [
    'the mirror, after the Secret was deleted',
    () => ({
      stateSecret: stateOf(yaml(bundle)),
      controlPlane: annotated(cluster(bundle.cluster.id)),
      machinesAreClaimed: true,
    }),
    'state',
  ],
  [
    'the published Secret of another cluster',
    () => ({
      stateSecret: stateOf(yaml(other)),
      controlPlane: annotated(cluster(bundle.cluster.id)),
    }),
    'SecretsDiffer',
  ],
  [
    'a published Secret that is damaged',
    () => ({ stateSecret: stateOf('x: [') }),
    'SecretsUnusable',
  ],
  ['a published Secret without secrets', () => ({ stateSecret: stateOf('') }), 'SecretsUnusable'],
  [
    'the published Secret, and a configuration of another cluster',
    () => ({
      stateSecret: stateOf(yaml(bundle)),
      controlPlane: configured,
      configText: configOf(other),
    }),
    'SecretsDiffer',
  ],
  [
    'the published status',
    () => ({
      controlPlane: aControlPlane({ status: { secretBundle: yaml(bundle), state: 'Ready' } }),
    }),
    'status',
  ],
  [
    'a published status that is damaged',
    () => ({ controlPlane: aControlPlane({ status: { secretBundle: 'x: [' } }) }),
    'SecretsUnusable',
  ],
  [
    'the published status, and a published Secret that says something else',
    () => ({
      stateSecret: stateOf(yaml(other)),
      controlPlane: aControlPlane({ status: { secretBundle: yaml(bundle) } }),
    }),
    'SecretsDiffer',
  ],
  [
    'a configuration',
    () => ({ controlPlane: configured, configText: configOf(bundle) }),
    'configRef',
  ],
  [
    'a configuration of another cluster',
    () => ({
      controlPlane: aControlPlane({
        metadata: { annotations: cluster(bundle.cluster.id) },
        spec: { configRef },
      }),
      configText: configOf(other),
    }),
    'SecretsDiffer',
  ],
  [
    'a configuration that is damaged',
    () => ({ controlPlane: configured, configText: 'x: [' }),
    'SecretsUnusable',
  ],
  [
    'the configuration of a worker',
    () => ({ controlPlane: configured, configText: configOf(bundle, 'worker') }),
    'SecretsUnusable',
  ],
  ['no configuration where one should be', () => ({ controlPlane: configured }), 'SecretsUnusable'],
  [
    'no configuration where one may be',
    () => ({
      controlPlane: aControlPlane({ spec: { configRef: { ...configRef, optional: true } } }),
    }),
    'generated',
  ],
  ['machines that were configured', () => ({ machinesAreClaimed: true }), 'SecretsLost'],
  ['the id of the cluster', () => ({ controlPlane: annotated(cluster('of-old')) }), 'SecretsLost'],
  ['an empty id of the cluster', () => ({ controlPlane: annotated(cluster('')) }), 'SecretsLost'],
  [
    'a machine that etcd began on',
    () => ({ controlPlane: annotated({ 'talos.alperen.cloud/bootstrap-machine': 'u' }) }),
    'SecretsLost',
  ],
  [
    'a cluster that is to be taken over',
    () => ({ controlPlane: annotated({ 'talos.alperen.cloud/reconcile-mode': 'Import' }) }),
    'SecretsLost',
  ],
  ...(
    [{ state: 'Pending' }, { imported: true }, { config: 'x' }, { bundleConfig: '{}' }] as const
  ).map(
    (status): Row => [
      `a status with ${JSON.stringify(status)}`,
      () => ({ controlPlane: aControlPlane({ status }) }),
      'SecretsLost',
    ],
  ),
]

describe('what becomes of the secrets follows from what is there', () => {
  test.each(rows)('%s', (_world, evidence, wanted) => {
    expect(wordFor(secretsDecision({ ...nothing(), ...evidence() }))).toBe(wanted)
  })
})

test('a refusal says what is wrong and what to do, and no secret', () => {
  for (const [world, evidence] of rows) {
    const decision = secretsDecision({ ...nothing(), ...evidence() })
    if (decision.do !== 'refuse') continue
    expect(decision.message, world).toMatch(
      /(Restore|Delete|Put) .*\. Nothing is done to any machine before that\.$/,
    )
    expect(decision.message, world).not.toContain('\n')
    for (const text of [...secretTextsOf(bundle), ...secretTextsOf(other)]) {
      expect(decision.message).not.toContain(text)
    }
  }
})

test('lost secrets are told by what is left of them', () => {
  const decision = secretsDecision({
    ...nothing(),
    controlPlane: aControlPlane({ status: { state: 'Ready' } }),
    machinesAreClaimed: true,
  })
  expect(decision).toMatchObject({
    message: expect.stringContaining(
      'Secret lab/prod-secrets is not there, and the cluster had secrets before: machines were configured for it; status.state is "Ready". Restore prod-secrets or prod-state from a backup',
    ),
  })
})
