import { describe, expect, test } from 'vitest'
import { aControlPlane, aMachineSpec, aWorker } from './pool.cases.ts'
import { machineDraft, machineName, mergedMachineSpec } from './pool.ts'

const SUBDOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/

describe('a machine is named', () => {
  test.each([
    ['192.0.2.1', 'prod-192.0.2.1'],
    ['2001:DB8:0::1', 'prod-2001-db8--1'],
    ['::1', 'prod---1'],
    ['fe80::', 'prod-fe80--0'],
    ['::ffff:192.0.2.1', 'prod-192.0.2.1'],
  ])('for its address %s', (address, name) => {
    expect(machineName('prod', { address })).toBe(name)
    expect(name).toMatch(SUBDOMAIN)
  })

  test('for the object that it is found through', () => {
    expect(machineName('prod', { reference: 'node-a' })).toBe('prod-node-a')
  })

  test.each(['Node_A', 'system:node:a', 'a..b', 'a-.b', '-', '.', 'ä', 'x/y'])(
    'so that an object can be called so, even for %j',
    (reference) => {
      const name = machineName('prod', { reference })

      expect(name).toMatch(SUBDOMAIN)
      expect(name).toMatch(/-[0-9a-f]{8}$/)
    },
  )

  test('otherwise for what differs only in letters that no name has', () => {
    const names = ['a_b', 'a:b', 'A-b', 'a-b'].map((reference) =>
      machineName('prod', { reference }),
    )

    expect(new Set(names).size).toBe(4)
  })

  test('within the length of names, and told apart beyond it', () => {
    const long = 'a'.repeat(250)
    const [one, other] = ['b', 'c'].map((end) => machineName(long, { reference: end.repeat(10) }))

    expect(one?.length).toBeLessThanOrEqual(253)
    expect(one).toMatch(SUBDOMAIN)
    expect(one).not.toBe(other)
  })
})

describe('what holds for one machine', () => {
  const all = aMachineSpec({
    image: 'theirs',
    configPatches: [{ machine: { env: { A: '1' } } }],
    additionalConfig: [{ kind: 'One' }],
  })

  test('is what holds for all, if it says nothing itself', () => {
    expect(mergedMachineSpec(all, { address: '192.0.2.1', configPatches: [] })).toBe(all)
    expect(mergedMachineSpec(undefined, { address: '192.0.2.1' })).toBeUndefined()
  })

  test('is its own image, and its patches and documents after those of all', () => {
    const merged = mergedMachineSpec(all, {
      image: 'mine',
      configPatches: [{ machine: { env: { B: '2' } } }],
      additionalConfig: [{ kind: 'Two' }],
    })

    expect(merged).toEqual({
      ...all,
      image: 'mine',
      configPatches: [{ machine: { env: { A: '1' } } }, { machine: { env: { B: '2' } } }],
      additionalConfig: [{ kind: 'One' }, { kind: 'Two' }],
    })
  })

  test('stands alone where nothing holds for all', () => {
    expect(mergedMachineSpec(undefined, { image: 'mine' })).toEqual(aMachineSpec({ image: 'mine' }))
  })
})

describe('the TalosMachine of an entry', () => {
  test('belongs to its control plane and has what that says', () => {
    const machineSpec = aMachineSpec({ installDisk: '/dev/vda' })
    const parent = aControlPlane({
      metalSpec: { machineSpec },
      configRef: { name: 'config', key: 'a' },
      deletionPolicy: 'preserve',
    })
    const pxeClientSpec = { macAddress: '02:00:00:00:00:01', cpuArchitecture: 'amd64' } as const

    const uuid = '9A0C5F2E-0000-4000-8000-000000000031'
    const entry = { address: '192.0.2.1', uuid, pxeClientSpec }

    expect(machineDraft(parent, entry, '192.0.2.1')).toEqual({
      apiVersion: 'talos.alperen.cloud/v1alpha1',
      kind: 'TalosMachine',
      metadata: {
        name: 'prod-192.0.2.1',
        namespace: 'default',
        labels: { 'talos.alperen.cloud/control-plane': 'prod' },
        ownerReferences: [
          {
            apiVersion: 'talos.alperen.cloud/v1alpha1',
            kind: 'TalosControlPlane',
            name: 'prod',
            uid: 'uid-of-prod',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        endpoint: '192.0.2.1',
        version: 'v1.13.0',
        controlPlaneRef: {
          apiVersion: 'talos.alperen.cloud/v1alpha1',
          kind: 'TalosControlPlane',
          name: 'prod',
          namespace: 'default',
        },
        machineSpec,
        configRef: { name: 'config', key: 'a' },
        deletionPolicy: 'preserve',
        uuid,
        pxeClientSpec,
      },
    })
  })

  test('belongs to its pool of workers, with its own version and one spelling of its address', () => {
    const draft = machineDraft(aWorker(), { version: 'v1.12.1' }, '2001:DB8::1')

    expect(draft?.metadata.labels).toEqual({ 'talos.alperen.cloud/worker': 'pool' })
    expect(draft?.spec).toMatchObject({
      endpoint: '2001:db8::1',
      version: 'v1.12.1',
      workerRef: { kind: 'TalosWorker', name: 'pool' },
    })
    expect(draft?.spec).not.toHaveProperty('controlPlaneRef')
  })

  test('is named for the object that it is found through', () => {
    const draft = machineDraft(aWorker(), { machineRef: { kind: 'Node', name: 'a' } }, '192.0.2.9')

    expect(draft?.metadata.name).toBe('pool-a')
  })

  test('has no label where the name of its parent is too long for one', () => {
    const draft = machineDraft(aWorker({}, 'w'.repeat(64)), {}, '192.0.2.9')

    expect(draft?.metadata).not.toHaveProperty('labels')
  })

  test('is not there without a spec', () => {
    const { spec: _, ...parent } = aWorker()

    expect(machineDraft(parent, {}, '192.0.2.9')).toBeUndefined()
  })
})
