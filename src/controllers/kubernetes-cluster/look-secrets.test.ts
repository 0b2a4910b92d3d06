import { expect, test } from 'vitest'
import { Secret } from '#api/foreign.ts'
import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { KubeObject } from '#api/meta.ts'
import { looseSecretsDraft } from '#engine/cluster-secrets.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { aReader } from '#test/a-reader.ts'
import { aControlPlane, aKubernetesCluster } from '#test/builders.ts'
import { lookAtSecrets } from './look-secrets.ts'
import { judge } from './shape.ts'

const NOW = new Date('2030-01-01T00:00:00Z')
const NAME = 'prod-talos-secrets'
const TOKEN = 'a-token-that-was-brought'

const bundle = await generateBundle({ talosVersion: 'v1.6', now: NOW })
const own = { ...looseSecretsDraft({ name: NAME, labels: {} }, bundle).open(), kind: Secret.kind }
const whole = { ...own, metadata: { name: 'brought' } }

const inline = (token: string) =>
  aKubernetesCluster({ spec: { talosConfig: { machine: { token } } } })
const referring = aKubernetesCluster({ spec: { talosConfig: { secretRef: { name: 'brought' } } } })
const parts = (token: string): KubeObject & { data: object } => ({
  ...{ kind: Secret.kind, metadata: { name: 'brought' } },
  data: { token: Buffer.from(token).toString('base64') },
})
const CONTROL_PLANE = aControlPlane({
  metadata: { name: 'prod' },
  spec: { secretsRef: { name: NAME } },
})

async function look(cluster: KubernetesCluster, there: readonly KubeObject[], isBegun = false) {
  const { read } = aReader({ cached: there })
  const controlPlane = isBegun ? CONTROL_PLANE : undefined
  return lookAtSecrets({ ...of(cluster), controlPlane, isBeginning: false }, read)
}

function of(cluster: KubernetesCluster) {
  const judged = judge(cluster)
  if ('problems' in judged) throw new Error(judged.problems.join())
  return { cluster, shape: judged.shape }
}

test('A7: keys that the user brings, and that are not those of the Secret that is there, are refused by its name', async () => {
  const problem = expect.stringContaining(
    `has another token than Secret ${NAME}, which is there already`,
  )

  expect(await look(inline(TOKEN), [own])).toEqual({ is: 'wrong', problem })
  expect(await look(referring, [own, parts(TOKEN)])).toEqual({ is: 'wrong', problem })
})

test('A7: those that are the same are there, and whoever brings none has those', async () => {
  const token = bundle.trustdToken.open()

  expect(await look(inline(token), [own])).toEqual({ is: 'there', name: NAME, isInSpec: true })
  expect(await look(referring, [own, parts(token)])).toMatchObject({ is: 'there', name: NAME })
  expect(await look(aKubernetesCluster(), [own])).toMatchObject({ is: 'there', name: NAME })
})

test('keys that another control plane has are refused, by its name', async () => {
  const theirs = (name: string) =>
    aControlPlane({ metadata: { name: 'other' }, spec: { secretsRef: { name } } })
  const problem = expect.stringContaining('the keys of TalosControlPlane other')

  expect(await look(aKubernetesCluster(), [own, theirs(NAME)])).toEqual({ is: 'wrong', problem })
  expect(await look(referring, [whole, theirs('brought')])).toEqual({ is: 'wrong', problem })
})

test('keys that another control plane has, and that no cache shows, are found before one begins, and asked for by nobody else', async () => {
  const theirs = aControlPlane({
    metadata: { name: 'other' },
    spec: { secretsRef: { name: NAME } },
  })
  const asking = async (isBeginning: boolean) => {
    const { read, asked } = aReader({ cached: [own], live: [own, theirs] })
    const known = { ...of(aKubernetesCluster()), controlPlane: undefined, isBeginning }
    return { seen: await lookAtSecrets(known, read), asked }
  }
  const problem = expect.stringContaining('the keys of TalosControlPlane other')

  expect((await asking(true)).seen).toEqual({ is: 'wrong', problem })
  const idle = await asking(false)
  expect(idle.seen).toMatchObject({ is: 'there' })
  expect(idle.asked).not.toContain('all TalosControlPlane')
})

test('once there is a control plane, keys that an edit brings are told to be ignored', async () => {
  expect(await look(inline(TOKEN), [own], true)).toMatchObject({
    ...{ is: 'with the control plane', ignored: 'the token of spec.talosConfig.machine' },
  })
  expect(await look(referring, [own, whole], true)).toMatchObject({ ignored: 'Secret brought' })
  expect(await look(inline(bundle.trustdToken.open()), [own], true)).not.toHaveProperty('ignored')
  const told = inline(TOKEN)
  const seen = { ...told, status: { observedGeneration: told.metadata.generation ?? 0 } }
  expect(await look(seen, [own], true)).not.toHaveProperty('ignored')
})

test('a Secret that cannot be read is refused before there is a control plane, and left to that later', async () => {
  const spoilt = { ...own, data: { 'secrets.yaml': Buffer.from('{}').toString('base64') } }

  expect(await look(inline(TOKEN), [spoilt])).toMatchObject({ is: 'wrong' })
  expect(await look(inline(TOKEN), [spoilt], true)).toMatchObject({ is: 'with the control plane' })
})
