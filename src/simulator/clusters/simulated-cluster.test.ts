import { expect, it } from 'vitest'
import { aFleet } from '#simulator/fleet/a-fleet.cases.ts'
import { FakeClock } from '#test/fake-clock.ts'

it.each(['left', 'was removed'])(
  'a control plane that %s is no member any more: it serves no API, and stays a node',
  async (how) => {
    const { cluster, seconds, kubernetes } = aFleet(new FakeClock())
    const [one, two] = await cluster(3, 0)
    const [address, name] = [two?.address ?? '', two?.hostname ?? '']
    const seen = () => [
      kubernetes[0]?.controlPlanes.has(address),
      kubernetes[0]?.kubelets.has(name),
    ]
    const before = seen()
    if (how === 'left') two?.etcd?.leave()
    else one?.etcd?.removeMember(two?.etcd?.id ?? 0n)
    await seconds(10)

    expect(before).toEqual([true, true])
    expect(seen()).toEqual([false, true])
  },
)
