import { beforeAll, describe, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import type { ApiKind, OwnerReference } from '#api/meta.ts'
import { Secret } from '#base/secret.ts'
import { aBundle, entry, stored } from '#engine/cluster-secrets.cases.ts'
import type { SecretObject } from '#engine/cluster-secrets-entry.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { ownedBy } from '#runtime/controller.ts'
import type { Reader } from '#runtime/reader.ts'
import { aControlPlane } from '#test/builders.ts'
import { aMember } from '#test/control-plane-world.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { delivery, dueOf, type From } from './deliveries.ts'
import type { Delivered } from './world.ts'

let bundle: SecretsBundle
beforeAll(async () => {
  bundle = await aBundle()
})

const controlPlane = aControlPlane()
const from = (over: Partial<From> = {}): From => ({
  ...{ controlPlane, bundle, machines: [aMember(1), aMember(2)], clock: new FakeClock() },
  config: new Secret('machine: {}\n'),
  ...over,
})

/** A reader of these Secrets alone. */
function reading(secrets: readonly SecretObject[]): Reader {
  const fetch = async (_kind: ApiKind, name: string) =>
    secrets.find(({ metadata }) => metadata.name === name)
  return { fetch } as unknown as Reader // nothing else is read
}

const ALL: readonly Delivered[] = ['kubeconfig', 'talosconfig', 'config', 'state']
const made = (over: Partial<From> = {}) =>
  Promise.all(ALL.map(async (what) => stored(await delivery(what, from(over)))))

const look = async (secrets: readonly SecretObject[], over: Partial<From> = {}) => {
  const { due, taken } = await dueOf(from(over), reading(secrets))
  return {
    due: due.map(({ what }) => what),
    taken: taken.map(({ what, why }) => `${what}: ${why}`),
  }
}

const owned = (secret: SecretObject, ownerReferences: OwnerReference[]): SecretObject => ({
  ...secret,
  metadata: { ...secret.metadata, ownerReferences },
})

describe('the Secrets of a control plane', () => {
  test('are all due at first, under the published names', async () => {
    const { due } = await dueOf(from(), reading([]))
    expect(due).toEqual(ALL.map((what) => ({ what, name: `prod-${what}`, isNew: true })))
  })

  test('are settled once they were written', async () => {
    expect(await look(await made())).toEqual({ due: [], taken: [] })
  })

  test('without a configuration to show, only credentials are written', async () => {
    expect((await look([], { config: undefined })).due).toEqual(['kubeconfig', 'talosconfig'])
  })

  test('follow what they are made from', async () => {
    const secrets = await made()
    const config = new Secret('machine: {type: controlplane}\n')
    expect((await look(secrets, { config })).due).toEqual(['config', 'state'])
    expect((await look(secrets, { machines: [aMember(1)] })).due).toEqual(['talosconfig', 'state'])
    const upgraded = aControlPlane({ status: { observedKubeVersion: 'v1.35.1' } })
    expect((await look(secrets, { controlPlane: upgraded })).due).toEqual(['state'])
  })

  test('what is kept for a published operator says that the cluster has begun', async () => {
    const state = stored(await delivery('state', from()))
    expect(entry(state, 'state')).toBe('Bootstrapped')
    expect(entry(state, 'observedKubeVersion')).toBe('v1.35.0')
    expect(state.metadata.ownerReferences).toBeUndefined()
  })

  test('of another controller are not taken over', async () => {
    const stranger = { ...ownedBy(ControlPlane, controlPlane), uid: 'other', name: 'other' }
    const secrets = (await made()).map((secret) => owned(secret, [stranger]))
    const [kubeconfig, talosconfig] = secrets
    const some = [kubeconfig, talosconfig].filter((secret) => secret !== undefined)
    expect(await look(some)).toEqual({
      due: ['config', 'state'],
      taken: [
        'kubeconfig: belongs to TalosControlPlane other',
        'talosconfig: belongs to TalosControlPlane other',
      ],
    })
  })

  test('of nobody are taken over if they are credentials, and left alone if they are not', async () => {
    const secrets = (await made({ bundle: await aBundle() })).map((secret) => {
      const { labels: _, ...metadata } = secret.metadata
      return owned({ ...secret, metadata }, [])
    })
    expect(await look(secrets)).toEqual({
      due: ['kubeconfig', 'talosconfig'],
      taken: ['config: belongs to somebody else', 'state: belongs to somebody else'],
    })
  })

  const type = 'cluster.x-k8s.io/secret'
  const retyped = `is of type ${type}, which cannot be changed to Opaque`
  const frozen = 'is immutable'
  test.each<{ are: string; over: Partial<SecretObject>; due: Delivered[]; taken: string[] }>([
    {
      ...{ are: 'immutable', over: { immutable: true }, due: [] },
      taken: [`talosconfig: ${frozen}`, `config: ${frozen}`, `state: ${frozen}`],
    },
    {
      ...{ are: 'of another type, as Cluster API leaves them', over: { type }, due: ['config'] },
      taken: [`talosconfig: ${retyped}`, `state: ${retyped}`],
    },
  ])('that are $are stay as they are, and say so when they are to be others', async (row) => {
    const { over, due, taken } = row
    const secrets = (await made()).map((secret) => ({ ...secret, ...over }))
    const config = new Secret('machine: {type: controlplane}\n')

    expect(await look(secrets)).toEqual({ due: [], taken: [] })
    expect(await look(secrets, { machines: [aMember(1)], config })).toEqual({ due, taken })
  })

  test('that cannot be written keep no other one from it', async () => {
    const [kubeconfig, ...rest] = await made()
    const expired = { data: {}, immutable: true }
    const secrets = kubeconfig ? [{ ...kubeconfig, ...expired }, ...rest] : []
    expect(await look(secrets, { machines: [aMember(1)] })).toEqual({
      due: ['talosconfig', 'state'],
      taken: ['kubeconfig: is immutable'],
    })
  })
})
