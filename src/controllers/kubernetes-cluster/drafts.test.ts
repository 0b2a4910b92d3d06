import { expect, test } from 'vitest'
import { parseYaml } from '#base/yaml.ts'
import { aKubernetesCluster } from '#test/builders.ts'
import { fileOf, type Wanted, wantedMachines } from './drafts.ts'
import { judge } from './shape.ts'

const wantedOf = (over: Parameters<typeof aKubernetesCluster>[0] = {}): Wanted[] => {
  const cluster = aKubernetesCluster(over)
  const judged = judge(cluster)
  return 'shape' in judged ? wantedMachines(cluster, judged.shape) : []
}

test('R17, R23: control planes by index, then the groups in their order, each by index', () => {
  const workers = [
    { name: 'b', replicas: 2 },
    { name: 'a', replicas: 1 },
  ]

  expect(wantedOf({ spec: { workers } }).map(({ name }) => name)).toEqual([
    ...['prod-cp-0', 'prod-cp-1', 'prod-cp-2', 'prod-b-0', 'prod-b-1', 'prod-a-0'],
  ])
})

test('R16: a Machine is in the namespace of its cluster', () => {
  expect(wantedOf()[0]?.draft.metadata.namespace).toBe(aKubernetesCluster().metadata.namespace)
})

test('R20, R21: the template is copied, and what the machine becomes is added to it', () => {
  const template = {
    spec: { machineClass: 'large', unknown: { deep: [1] }, talosConfig: { own: 1 } },
  }
  const [first, second] = wantedOf({
    spec: { podSubnets: ['10.1.0.0/16'], controlPlane: { replicas: 3, machineTemplate: template } },
  })

  expect(first?.draft.spec).toMatchObject({
    ...{ machineClass: 'large', unknown: { deep: [1] } },
    talosConfig: {
      ...{ own: 1, machineType: 'controlplane', installDisk: '/dev/sda' },
      cluster: { network: { podSubnets: ['10.1.0.0/16'] } },
    },
  })
  const own = new Set(objectsIn(first?.draft))
  const others = [...objectsIn(second?.draft), ...objectsIn(template)]
  expect(own.size).toBeGreaterThan(10)
  expect(others.filter((one) => own.has(one))).toEqual([])
})

test('R11, R12, R21: ranges, domain and disk are in each Machine as the spec says, and the usual ones where it does not', () => {
  const specs = (spec: Parameters<typeof aKubernetesCluster>[0] = {}) =>
    wantedOf(spec).map(({ draft }) => Object(draft.spec).talosConfig)
  const said = (installDisk: string, network: object) => ({ installDisk, cluster: { network } })
  const network = { dnsDomain: 'example.local', podSubnets: ['10.244.0.0/16'] }
  const given = specs({
    spec: {
      serviceSubnets: ['10.50.0.0/16'],
      talosConfig: {
        cluster: { network: { dnsDomain: network.dnsDomain } },
        install: { disk: '/dev/vda' },
      },
    },
  })
  const nested = specs({
    spec: { talosConfig: { cluster: { network: { serviceSubnets: ['10.60.0.0/16'] } } } },
  })

  expect(given).toHaveLength(5)
  for (const one of given) {
    expect(one).toMatchObject(said('/dev/vda', { ...network, serviceSubnets: ['10.50.0.0/16'] }))
  }
  for (const one of nested) {
    expect(one).toMatchObject(
      said('/dev/sda', {
        ...{ ...network, dnsDomain: 'cluster.local', serviceSubnets: ['10.60.0.0/16'] },
      }),
    )
  }
})

/** Everything in a value that could be changed. */
function objectsIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(objectsIn)]
}

test('R22: the role decides what a machine becomes, whatever talosConfig says', () => {
  const types = wantedOf({ spec: { talosConfig: { machine: { type: 'worker' } } } }).map(
    ({ draft }) => Object(draft.spec).talosConfig.machineType,
  )

  expect(types).toEqual([...Array(3).fill('controlplane'), ...Array(2).fill('worker')])
})

test('A7: neither token nor CA is in a Machine or in its file', () => {
  const machine = { token: 'a-very-secret-token', ca: { crt: 'a-crt', key: 'a-very-secret-key' } }
  const wanted = wantedOf({ spec: { talosConfig: { machine } } })

  const all = JSON.stringify(wanted) + wanted.map((one) => fileOf(one).text()).join()
  expect(wanted).toHaveLength(5)
  expect(all).not.toMatch(/very-secret|a-crt/)
})

test('R31: the file is the manifest, without what only we read', () => {
  const [first] = wantedOf()
  const file = first && fileOf(first)

  expect(file?.name).toBe('prod-cp-0.yaml')
  expect(parseYaml(file?.text() ?? '')).toMatchObject({
    ...{ apiVersion: 'vitistack.io/v1alpha1', kind: 'Machine' },
    metadata: { name: 'prod-cp-0', ownerReferences: [{ kind: 'KubernetesCluster' }] },
    spec: { talosConfig: { machineType: 'controlplane' } },
  })
  expect(file?.text()).not.toContain('annotations')
})

test('another template is another version of the file, and the same one the same', () => {
  const versions = (over: object = {}) => wantedOf(over).map((one) => fileOf(one).version)

  expect(versions()).toEqual(versions())
  expect(versions({ spec: { clusterEndpoint: 'https://192.0.2.11:6443' } })[0]).not.toBe(
    versions()[0],
  )
})
