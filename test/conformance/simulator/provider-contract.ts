import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { finalizerOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import type { KubeClient } from '#kube/client.ts'
import { TalosClient } from '#talos/client.ts'
import type { Api, RunningApi } from '#test/conformance/apis.ts'
import { installKinds } from '#test/conformance/kinds/install.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import { until } from '#test/until.ts'
import { aProviderStage, type ProviderStage, readyOf } from './provider-stage.ts'

/** What the provider of simulated machines promises, whichever API it follows. */
export const providerContract = ({ name, start }: Api, net: string) =>
  describe(`a provider of simulated machines on ${name}`, () => {
    let api: RunningApi
    let client: KubeClient
    let count = 0
    beforeAll(async () => {
      api = await start()
      await installKinds(api.send, [ProvidedMachine])
      client = await clientOf(api)
    })
    afterAll(async () => {
      client.close()
      await api[Symbol.asyncDispose]()
    })

    async function aStage(addresses?: number): Promise<ProviderStage> {
      const namespace = `provider-${++count}`
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
      await api.send({ method: 'POST', path: '/api/v1/namespaces', body })
      const subnet = `${net}.${count}`
      return aProviderStage({ client, namespace, subnet, ...(addresses && { addresses }) })
    }

    test('makes of a Machine a machine that waits in maintenance mode, as its spec says', async () => {
      await using stage = await aStage()
      await stage.create('one', {
        cpu: { cores: 2, sockets: 2 },
        memory: 4 * 1024 ** 3,
        disks: [{ name: 'root', sizeGB: 30, boot: true, device: '/dev/vda' }, { sizeGB: 5 }],
        os: { distribution: 'talos', version: 'v1.12.0' },
      })

      const found = await stage.runs('one', stage.address(1))

      const machine = stage.simulation.fleet.machine(stage.address(1))
      expect(found?.metadata.finalizers).toEqual([finalizerOf(ProvidedMachine)])
      expect(found?.status).toMatchObject({
        ...{ phase: 'Running', state: 'Running', provider: 'simulated' },
        ...{ machineID: found?.metadata.uid, cpus: 4, memory: 4 * 1024 ** 3 },
        disks: [
          { name: 'root', device: '/dev/vda', size: 30 * 1024 ** 3 },
          { name: 'disk-1', device: '/dev/sda', size: 5 * 1024 ** 3 },
        ],
        publicIPAddresses: [stage.address(1)],
        privateIPAddresses: [stage.address(1)],
        networkInterfaces: [
          {
            name: 'eth0',
            macAddress: machine?.hardware.macAddress,
            ipAddresses: [stage.address(1)],
          },
        ],
      })
      expect(machine?.hardware.uuid).toBe(found?.metadata.uid)
      expect(machine?.disks.map(({ path }) => path)).toEqual(['/dev/vda', '/dev/sda'])
      expect(await answerAt(stage.address(1))).toEqual({
        ...{ version: 'v1.12.0', uuid: found?.metadata.uid },
      })
    })

    test('writes nothing while nothing happens, whatever else is in a status', async () => {
      await using stage = await aStage()
      await stage.create('one')
      const { metadata } = (await stage.runs('one', stage.address(1))) ?? never()
      const { name, namespace = '' } = metadata
      await stage.client.patch(
        ProvidedMachine,
        { name, namespace, subresource: 'status' },
        { type: 'merge', body: { status: { region: 'north', note: 'of somebody else' } } },
      )
      const before = await stage.find('one')

      // Each makes the provider look at everything once more, and the last one shows that it did.
      for (const round of [1, 2, 3]) stage.fault(`provider-slow:nobody-${round},by=1h`)()
      await stage.create('two')
      await stage.runs('two', stage.address(2))

      expect(await stage.find('one')).toEqual(before)
    })

    test('takes the machine away before it lets a Machine go, and gives its address to the next', async () => {
      await using stage = await aStage(1)
      await stage.create('one')
      const first = await stage.runs('one', stage.address(1))
      await stage.create('two')
      const waiting = await stage.says('two', 'NoFreeAddress')
      await stage.remove('one')
      await stage.gone('one')
      const second = await stage.runs('two', stage.address(1))

      expect(waiting?.status).toMatchObject({ phase: 'Pending', state: 'Pending' })
      expect(waiting?.status?.message).toContain(`this provider has ${stage.address(1)}, all taken`)
      expect(second?.status?.machineID).not.toBe(first?.status?.machineID)
      expect(stage.log.filter((line) => line.includes('"level":"warn"'))).toEqual([])
      expect(stage.simulation.fleet.machines).toHaveLength(1)
    })

    test('goes on where another one ended, and boots anew what is not there any more', async () => {
      await using stage = await aStage()
      await stage.create('one')
      await stage.runs('one', stage.address(1))
      await stage.create('two')
      const before = await stage.runs('two', stage.address(2))
      const [, machine] = stage.simulation.fleet.machines

      await stage.restart()
      await stage.create('three')
      await stage.runs('three', stage.address(3))
      expect(await stage.find('two')).toEqual(before)
      expect(stage.simulation.fleet.machine(stage.address(2))).toBe(machine)

      await stage.remove('one')
      await stage.gone('one')
      await stage.restart({ forgetful: true })
      await until(
        'the machines to be there again',
        async () => stage.simulation.fleet.machines.map(({ address }) => address).sort(),
        (addresses) => addresses.join() === `${stage.address(2)},${stage.address(3)}`,
      )
      const after = await stage.runs('two', stage.address(2))
      expect(after?.status?.machineID).toBe(before?.status?.machineID)
      expect(await answerAt(stage.address(2))).toMatchObject({ uuid: after?.metadata.uid })
    })

    test('removes machines whose Machines went while nobody looked', async () => {
      await using stage = await aStage()
      await stage.create('one')
      await stage.runs('one', stage.address(1))
      await stage.stop()
      await stage.forceRemove('one')
      await stage.create('one')

      stage.start()
      const again = await stage.runs('one', stage.address(1))

      expect(stage.simulation.fleet.machines.map(({ hardware }) => hardware.uuid)).toEqual([
        again?.metadata.uid,
      ])
    })

    test('leaves the Machines of other providers alone', async () => {
      await using stage = await aStage()
      await stage.create('other', { provider: 'kubevirt' })
      await stage.create('own', { provider: 'simulated' })

      await stage.runs('own', stage.address(1))

      const other = await stage.find('other')
      expect([other?.metadata.finalizers, other?.status]).toEqual([undefined, undefined])
    })

    test('says what it cannot make, and makes it when it can', async () => {
      await using stage = await aStage()
      await stage.create('old', { os: { version: 'v1.2.0' } })
      await stage.create('afar', { network: { privateIP: '192.0.2.1' } })
      const end = stage.fault('provider-fails:unlucky,reason=OutOfQuota')
      await stage.create('unlucky')

      const [old, afar, unlucky] = await Promise.all([
        stage.says('old', 'UnsupportedOperatingSystem'),
        stage.says('afar', 'AddressNotAvailable'),
        stage.says('unlucky', 'OutOfQuota'),
      ])
      end()
      const healed = await stage.runs('unlucky', stage.address(1))

      expect(old?.status).toMatchObject({
        ...{ phase: 'Failed', failureReason: 'UnsupportedOperatingSystem' },
        failureMessage: expect.stringContaining('only v1.5 to v1.14 are'),
      })
      expect(afar?.status?.message).toContain('192.0.2.1 is asked for')
      expect(unlucky?.status).toMatchObject({ phase: 'Failed', failureReason: 'OutOfQuota' })
      expect(healed?.status).not.toHaveProperty('failureReason')
    })

    test('can be silent, late with an address, and change it', async () => {
      await using stage = await aStage()
      const speak = stage.fault('provider-silent:mute')
      const tell = stage.fault('address-late:late,by=1h')
      await stage.create('mute')
      await stage.create('late')

      const late = await stage.says('late', 'WaitingForAddress')
      const mute = await stage.find('mute')
      speak()
      tell()
      const before = await stage.runs('late', stage.address(1))
      await stage.runs('mute', stage.address(2))
      stage.fault('address-changes:late')
      const after = await stage.runs('late', stage.address(3))

      expect(mute).not.toHaveProperty('status')
      expect(late?.status).toMatchObject({ phase: 'Running', disks: expect.anything() })
      expect(late?.status).not.toHaveProperty('ipAddresses')
      expect(after?.status?.machineID).toBe(before?.status?.machineID)
      expect(await answerAt(stage.address(3))).toMatchObject({ uuid: after?.metadata.uid })
      expect(stage.simulation.fleet.machine(stage.address(1))).toBeUndefined()
    })

    test('can be slow, to make a machine and to take it away', async () => {
      await using stage = await aStage()
      const hurry = stage.fault('provider-slow:one,by=1h')
      await stage.create('one')
      await stage.says('one', 'Creating')
      await stage.create('two')
      await stage.runs('two', stage.address(1))
      const slow = await stage.find('one')
      hurry()
      await stage.runs('one', stage.address(2))
      const hurryAgain = stage.fault('provider-slow:one,by=1h')
      await stage.remove('one')
      const leaving = await stage.says('one', 'Deleting')
      const machine = stage.simulation.fleet.machine(stage.address(2))
      hurryAgain()
      await stage.gone('one')

      expect([slow?.status?.phase, leaving?.status?.phase]).toEqual(['Creating', 'Terminating'])
      expect(machine).toBeDefined()
      expect(stage.simulation.fleet.machine(stage.address(2))).toBeUndefined()
    })

    test('goes on to the next address where something else listens', async () => {
      await using stage = await aStage()
      await using _taken = await listening(stage.address(1))
      await stage.create('one')

      await stage.runs('one', stage.address(2))

      expect(stage.log.join()).toContain('listens there')
    })

    test('knows which machine is whose, though another one has taken its place', async () => {
      await using stage = await aStage()
      await stage.create('one')
      await stage.runs('one', stage.address(1))

      stage.fault(`wrong-machine:${stage.address(1)}`)

      const other = await until(
        'another machine',
        () => stage.find('one'),
        (found) => found?.status?.machineID !== found?.metadata.uid,
      )
      expect(other?.status?.ipAddresses).toEqual([stage.address(1)])
      expect(stage.simulation.fleet.machines).toHaveLength(1)
    })

    test('shows that a machine is off', async () => {
      await using stage = await aStage()
      await stage.create('one')
      await stage.runs('one', stage.address(1))

      stage.simulation.fleet.machine(stage.address(1))?.powerOff()

      const off = await stage.says('one', 'PoweredOff')
      expect(off?.status).toMatchObject({ phase: 'Stopped', state: 'Stopped' })
      expect(readyOf(off)?.status).toBe('False')
    })
  })

/** What the machine at an address says to anyone, once it waits. */
async function answerAt(address: string) {
  const talos = new TalosClient()
  const machine = talos.machine({ address, access: { kind: 'maintenance' } })
  try {
    await until(
      `${address} to be in maintenance mode`,
      () => machine.state.status().catch(() => undefined),
      (status) => status?.stage === 'maintenance',
    )
    const [version, information] = await Promise.all([
      machine.state.version(),
      machine.state.systemInformation(),
    ])
    return { version, uuid: information?.uuid }
  } finally {
    talos.close()
  }
}

async function listening(host: string) {
  const server = createServer()
  await once(server.listen({ host, port: 50_000 }), 'listening')
  return {
    [Symbol.asyncDispose]: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

const never = (): never => {
  throw new Error('there is no such thing')
}
