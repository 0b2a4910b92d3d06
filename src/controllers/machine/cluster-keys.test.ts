import { beforeAll, expect, test } from 'vitest'
import type { ControlPlane } from '#api/control-plane.ts'
import type { ApiKind } from '#api/meta.ts'
import { aBundle, stored } from '#engine/cluster-secrets.cases.ts'
import { secretsDraft } from '#engine/cluster-secrets.ts'
import type { SecretObject } from '#engine/cluster-secrets-entry.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import type { Reader } from '#runtime/reader.ts'
import { aControlPlane } from '#test/builders.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { ClusterKeys, type Occasion } from './cluster-keys.ts'

let bundle: SecretsBundle
beforeAll(async () => {
  bundle = await aBundle()
})

/** Keys of one cluster, and how often the API was asked for them. */
class Around {
  readonly clock = new FakeClock()
  asked = 0
  secret: SecretObject | undefined = stored(secretsDraft(aControlPlane(), bundle, {}))
  readonly #keys = new ClusterKeys(this)

  async ask(occasion: Occasion, controlPlane: ControlPlane = aControlPlane()) {
    const fetch = async (_kind: ApiKind, _name: string) => {
      this.asked += 1
      return this.secret
    }
    const { signal } = new AbortController()
    const read = { fetch, signal } as unknown as Reader // nothing else is read
    return (await this.#keys.of(controlPlane, occasion, read))?.cluster.id
  }
}

test('for machines at rest the keys are asked for every quarter of an hour', async () => {
  const around = new Around()
  const first = await around.ask('atRest')
  await around.clock.advance(14 * 60_000)
  const second = await around.ask('atRest')
  const within = around.asked

  await around.clock.advance(60_000)
  await around.ask('atRest')

  expect([first, second]).toEqual([bundle.cluster.id, bundle.cluster.id])
  expect(within).toBe(1)
  expect(around.asked).toBe(2)
})

test('whoever may be given something gets them as the API has them', async () => {
  const around = new Around()
  await around.ask('atRest')
  around.secret = undefined

  expect(await around.ask('underWay')).toBeUndefined()
  // And what is not there any more is forgotten.
  expect(await around.ask('atRest')).toBeUndefined()
})

test('another control plane, or another Secret of it, has keys of its own', async () => {
  const around = new Around()
  await around.ask('atRest')

  await around.ask('atRest', aControlPlane({ metadata: { uid: 'another' } }))
  await around.ask('atRest', aControlPlane({ spec: { secretsRef: { name: 'others' } } }))

  expect(around.asked).toBe(3)
})
