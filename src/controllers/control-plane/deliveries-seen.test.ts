import { beforeAll, describe, expect, test } from 'vitest'
import type { ApiKind } from '#api/meta.ts'
import { Secret } from '#base/secret.ts'
import { aBundle, stored } from '#engine/cluster-secrets.cases.ts'
import type { SecretObject } from '#engine/cluster-secrets-entry.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import type { Reader } from '#runtime/reader.ts'
import { aControlPlane } from '#test/builders.ts'
import { aMember } from '#test/control-plane-world.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { delivery, type From } from './deliveries.ts'
import { DeliveriesSeen } from './deliveries-seen.ts'

let bundle: SecretsBundle
beforeAll(async () => {
  bundle = await aBundle()
})

/** A control plane, its Secrets, and how often these were asked for. */
class Around {
  readonly clock = new FakeClock()
  readonly secrets = new Map<string, SecretObject>()
  asked = 0
  readonly #seen = new DeliveriesSeen(this.clock)

  from(over: Partial<From> = {}): From {
    return {
      ...{ controlPlane: aControlPlane(), bundle, machines: [aMember(1)], clock: this.clock },
      ...{ config: new Secret('machine: {}\n'), ...over },
    }
  }

  async deliver(): Promise<void> {
    for (const what of ['kubeconfig', 'talosconfig', 'config', 'state'] as const) {
      const secret = stored(await delivery(what, this.from()))
      this.secrets.set(secret.metadata.name, secret)
    }
  }

  async due(over: Partial<From> = {}): Promise<string[]> {
    const fetch = async (_kind: ApiKind, name: string) => {
      this.asked += 1
      return this.secrets.get(name)
    }
    const read = { fetch } as unknown as Reader // nothing else is read
    return (await this.#seen.dueOf(this.from(over), read)).due.map(({ what }) => what)
  }
}

describe('Secrets that were delivered', () => {
  test('are asked for until they are as they should be, and then once a minute', async () => {
    const around = new Around()
    const missing = await around.due()
    await around.deliver()
    await around.due()
    const before = around.asked

    await around.clock.advance(59_000)
    await around.due()
    const within = around.asked
    await around.clock.advance(1_000)
    await around.due()

    expect(missing).toHaveLength(4)
    expect(before).toBe(8)
    expect(within).toBe(before)
    expect(around.asked).toBe(before + 4)
  })

  test('are asked for at once when they are to be others', async () => {
    const around = new Around()
    await around.deliver()
    await around.due()

    expect(await around.due({ machines: [aMember(1), aMember(2)] })).toEqual([
      ...['talosconfig', 'state'],
    ])
    expect(await around.due({ config: new Secret('machine: {type: worker}\n') })).toEqual([
      ...['config', 'state'],
    ])
  })

  test('that somebody took away are missed within a minute', async () => {
    const around = new Around()
    await around.deliver()
    await around.due()
    around.secrets.delete('prod-kubeconfig')

    await around.clock.advance(60_000)

    expect(await around.due()).toEqual(['kubeconfig'])
  })
})
