import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Secret } from '#base/secret.ts'
import type { TalosMachines } from '#engine/talos-machines.ts'
import { META_METAL_NETWORK } from '#machineconfig/generate/meta-values.ts'
import { TalosClient } from '#talos/client.ts'
import type { ClusterAccess } from '#talos/machine-target.ts'
import { lentBy } from '#test/our-client/lent-machine.ts'
import { type OurFleet, ourFleet, type Who } from '#test/our-client/our-fleet.ts'
import { ConfigFingerprints } from './config-fingerprints.ts'
import { look } from './look.ts'

// Against machines of the simulator, over TLS.

const V = 'v1.13.0'
let our: OurFleet
let client: TalosClient

beforeAll(async () => {
  our = await ourFleet('127.62.1', {
    ...{ cp: V, worker: V, waiting: V, foreign: V, refusing: V, dark: V, old: 'v1.7.0' },
  })
  client = new TalosClient()
  await our.bringUp(['cp'], ['worker'])
  await our.configure('controlplane', ['foreign'], 'other')
  await our.answers(
    'a machine that has not begun its cluster',
    () => our.machine('foreign', 'other').state.status(),
    (seen) => seen?.stage === 'booting',
  )
})

afterAll(async () => {
  client?.close()
  await our?.[Symbol.asyncDispose]()
})

const machines = (): TalosMachines => ({
  machine: (target) => client.machine({ ...our.target('cp'), ...target }),
})

function accessOf(who: Who): ClusterAccess {
  const { access } = our.target('cp', who)
  if (access.kind !== 'cluster') throw new Error(`${who} has no access to a cluster`)
  return access
}

interface As {
  isClaimed?: boolean
  readsMeta?: boolean
  isSettled?: boolean
  access?: ClusterAccess | undefined
  through?: TalosMachines
}

const anyone = () => ({
  machines: machines(),
  fingerprints: new ConfigFingerprints(),
  readsMeta: false,
  readsBoot: true,
  isSettled: false,
})

const lookAt = (name: string, as: As = {}) =>
  look({
    fingerprints: new ConfigFingerprints(),
    machines: as.through ?? machines(),
    address: our.address(name),
    access: async () => ('access' in as ? as.access : accessOf('admin')),
    isClaimed: as.isClaimed ?? false,
    readsMeta: as.readsMeta ?? true,
    readsBoot: true,
    isSettled: as.isSettled ?? false,
    signal: new AbortController().signal,
  })

const uuidOf = (name: string) => our.inside(name).hardware.uuid.toLowerCase()

describe('a machine that waits for its configuration', () => {
  test.each([false, true])('is seen as such with its disks (claimed: %s)', async (isClaimed) => {
    expect(await lookAt('waiting', { isClaimed })).toMatchObject({
      is: 'waiting',
      uuid: uuidOf('waiting'),
      version: V,
      disks: expect.arrayContaining([expect.objectContaining({ path: '/dev/sda' })]),
    })
  })

  test('is seen without any keys', async () => {
    expect(await lookAt('waiting', { access: undefined })).toMatchObject({ is: 'waiting' })
  })

  test('is seen with its disks though it is of an old version', async () => {
    const seen = await lookAt('old')

    expect(seen).toMatchObject({ is: 'waiting', uuid: uuidOf('old') })
    expect('disks' in seen && seen.disks.map(({ path }) => path)).toContain('/dev/sda')
  })
})

describe('a machine of the cluster', () => {
  test.each([false, true])('is seen as a member (claimed: %s)', async (isClaimed) => {
    expect(await lookAt('cp', { isClaimed })).toMatchObject({
      is: 'member',
      uuid: uuidOf('cp'),
      version: V,
      stage: 'running',
      isReady: true,
      type: 'controlplane',
      addresses: expect.arrayContaining([our.address('cp')]),
      etcdMember: { id: expect.stringMatching(/^[0-9a-f]{16}$/), learner: false },
      etcdMembers: [
        { id: expect.stringMatching(/^[0-9a-f]{16}$/), name: expect.any(String), learner: false },
      ],
      isKubeletWell: true,
      fingerprint: expect.any(String),
    })
  })

  test('is asked for its kubelet only if it does not say by itself that all is well', async () => {
    const asked: unknown[] = []
    const aKubelet = (stage: string, isReady: boolean) =>
      lentBy(machines(), (same) => ({
        ...same,
        state: {
          ...same.state,
          status: async () => ({ stage, isReady, unmetConditions: [] }),
          service: async () => {
            asked.push([stage, isReady])
            return { running: true, healthy: false, unknown: false }
          },
        },
      }))
    const isWell = async (stage: string, isReady: boolean) => {
      const seen = await lookAt('cp', { isClaimed: true, through: aKubelet(stage, isReady) })
      return 'isKubeletWell' in seen && seen.isKubeletWell
    }

    expect(await isWell('running', true)).toBe(true)
    expect(asked).toEqual([])
    expect(await isWell('running', false)).toBe(false)
    // Nothing is looked at there, so nothing is amiss.
    expect(await isWell('rebooting', true)).toBe(false)
    expect(asked).toEqual([
      ['running', false],
      ['rebooting', true],
    ])
  })

  test('has no etcd if it is a worker, or before there is one', async () => {
    const none = { etcdMember: undefined, etcdMembers: undefined }

    expect(await lookAt('worker', { isClaimed: true })).toMatchObject({ type: 'worker', ...none })
    expect(await lookAt('foreign', { isClaimed: true, access: accessOf('other') })).toMatchObject({
      ...{ stage: 'booting', type: 'controlplane', ...none },
    })
  })

  test('shows what is in META, and that nothing is', async () => {
    const before = await lookAt('worker', { isClaimed: true })
    await our.machine('worker').meta.write(META_METAL_NETWORK, Buffer.from('addresses: []'))
    const after = await lookAt('worker', { isClaimed: true })

    const unasked = await lookAt('worker', { isClaimed: true, readsMeta: false })

    expect(before).toMatchObject({ metaText: '' })
    expect(after).toMatchObject({ metaText: 'addresses: []' })
    expect(unasked).toMatchObject({ metaText: undefined })
  })

  test('is seen though its configuration is none that we understand', async () => {
    const configuration = async () => ({ version: '1', text: new Secret('kind: Future') })
    const odd = lentBy(machines(), (same) => ({ ...same, state: { ...same.state, configuration } }))

    expect(await lookAt('cp', { isClaimed: true, through: odd })).toMatchObject({
      ...{ is: 'member', fingerprint: undefined, type: 'controlplane' },
    })
  })

  test('is let go of when it was well and is, and only then', async () => {
    const own = new TalosClient()
    const through: TalosMachines = {
      machine: (target) => own.machine({ ...our.target('cp'), ...target }),
    }
    const openAfter = async (name: string, as: As) => {
      await lookAt(name, { isClaimed: true, through, ...as })
      return own.openConnections
    }
    const open = [
      await openAfter('cp', { isSettled: true }),
      await openAfter('cp', { isSettled: false }),
      await openAfter('foreign', { isSettled: true, access: accessOf('other') }),
    ]
    own.close()

    expect(open).toEqual([0, 1, 2])
  })

  test('is not asked without the keys of the cluster', async () => {
    const nobody: TalosMachines = {
      machine: () => {
        throw new Error('it was asked')
      },
    }

    expect(await lookAt('cp', { isClaimed: true, access: undefined, through: nobody })).toEqual({
      is: 'unasked',
    })
    expect(await lookAt('cp', { access: undefined })).toMatchObject({
      ...{ is: 'stranger', mismatch: 'not-in-maintenance' },
    })
  })
})

describe('whoever else is there', () => {
  test.each([false, true])('of another cluster is a stranger (claimed: %s)', async (isClaimed) => {
    expect(await lookAt('foreign', { isClaimed })).toMatchObject({
      ...{ is: 'stranger', mismatch: 'another-cluster' },
    })
  })

  test.each([
    ['refusing', 'how=refused'],
    ['dark', 'how=silent'],
  ])('and cannot be reached is silent: %s', async (name, how) => {
    const end = our.fault('unreachable', name, how)
    const impatient = new TalosClient({ limits: { dialMs: 300 } })
    const through: TalosMachines = {
      machine: (target) => impatient.machine({ ...our.target(name), ...target }),
    }
    const seen = [await lookAt(name, { through }), await lookAt(name, { through, isClaimed: true })]
    impatient.close()
    end()

    expect(seen).toEqual([
      { is: 'silent', message: expect.stringContaining(our.address(name)) },
      { is: 'silent', message: expect.stringContaining(our.address(name)) },
    ])
  })

  test('and cannot be reached needs nobody to fetch the keys, before it is ours', async () => {
    const end = our.fault('unreachable', 'refusing', 'how=refused')
    let fetched = 0
    const access = async () => {
      fetched += 1
      return accessOf('admin')
    }
    const at = { ...anyone(), address: our.address('refusing'), isClaimed: false }
    const { signal } = new AbortController()
    const seen = await look({ ...at, access, signal })
    end()

    expect(seen).toMatchObject({ is: 'silent' })
    expect(fetched).toBe(0)
  })

  test('and has no address at all is silent, and says what an address is', async () => {
    const nowhere = { ...anyone(), access: async () => accessOf('admin') }
    const { signal } = new AbortController()

    for (const isClaimed of [false, true]) {
      expect(await look({ ...nowhere, address: 'not an address', isClaimed, signal })).toEqual({
        ...{ is: 'silent', message: expect.stringContaining('is no address of a machine') },
      })
    }
  })

  test('is not waited for when the look is given up', async () => {
    const given = new AbortController()
    given.abort(new Error('given up'))
    const access = async () => accessOf('admin')
    const at = { ...anyone(), address: our.address('cp'), access }

    await expect(look({ ...at, isClaimed: true, signal: given.signal })).rejects.toThrow('given up')
  })
})
