// TalosMachines as a fleet of thousands would have them: of 4 KB, alike in shape and in a few words,
// different in everything else, with the bookkeeping of managers that an API server adds.

import { createHash } from 'node:crypto'
import type { Machine } from '#api/machine.ts'

const MACHINES_OF_A_CLUSTER = 10
const CLUSTERS_OF_A_NAMESPACE = 20
const SINCE = Date.UTC(2030, 0, 1)

export const CLUSTER_LABEL = 'talos.alperen.cloud/cluster'

/** The machine of a number, always the same one, as of a version. */
export function machineAt(index: number, resourceVersion: string): Machine {
  const words = wordsOf(index)
  const written = {
    metadata: {
      labels: {
        [CLUSTER_LABEL]: words.cluster,
        'talos.alperen.cloud/control-plane': `${words.cluster}-cp`,
        'talos.alperen.cloud/role': 'controlplane',
        'app.kubernetes.io/managed-by': 'talos-operator',
        'topology.kubernetes.io/zone': `zone-${index % 3}`,
      },
      annotations: { 'talos.alperen.cloud/config-hash': words.hash },
      finalizers: ['talos.alperen.cloud/machine'],
      ownerReferences: [
        {
          apiVersion: 'talos.alperen.cloud/v1alpha1',
          kind: 'TalosControlPlane',
          name: `${words.cluster}-cp`,
          uid: uuidOf(`owner ${words.cluster}`),
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: specOf(index),
  }
  const status = statusOf(index)
  return {
    apiVersion: 'talos.alperen.cloud/v1alpha1',
    kind: 'TalosMachine',
    metadata: {
      name: words.name,
      namespace: words.namespace,
      uid: uuidOf(`machine ${index}`),
      resourceVersion,
      generation: 1 + (index % 7),
      creationTimestamp: timeOf(index),
      ...written.metadata,
      managedFields: [
        managed(written, timeOf(index)),
        { ...managed({ status }, timeOf(index + 90)), subresource: 'status' },
      ],
    },
    spec: written.spec,
    status,
  }
}

function wordsOf(index: number) {
  const cluster = Math.floor(index / MACHINES_OF_A_CLUSTER)
  const address = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
  return {
    cluster: `cluster-${cluster}`,
    namespace: `team-${Math.floor(cluster / CLUSTERS_OF_A_NAMESPACE)}`,
    name: `cluster-${cluster}-cp-${address}`,
    address,
    hash: createHash('sha256').update(String(index)).digest('hex'),
  }
}

function specOf(index: number) {
  const { address, cluster, name, namespace, hash } = wordsOf(index)
  return {
    endpoint: address,
    version: 'v1.13.0',
    machineSpec: {
      installDisk: `/dev/disk/by-id/nvme-eui.${hash.slice(0, 16)}`,
      wipe: false,
      image: `factory.talos.dev/metal-installer/${wordsOf(index % 5).hash}`,
      meta: {
        hostname: name.replaceAll('.', '-'),
        interface: 'eth0',
        subnet: 24,
        gateway: address.replace(/\d+$/, '1'),
        dnsServers: ['1.1.1.1', '9.9.9.9'],
      },
      airGap: false,
      imageCache: false,
      allowSchedulingOnControlPlanes: false,
      configPatches: [
        { machine: { nodeLabels: { rack: `rack-${index % 40}`, serial: hash.slice(0, 12) } } },
        { machine: { sysctls: { 'net.core.somaxconn': '65535', 'vm.max_map_count': '262144' } } },
        { machine: { time: { servers: [`ntp-${index % 3}.example.com`, 'time.cloudflare.com'] } } },
        { cluster: { apiServer: { certSANs: [`${cluster}.example.com`, address] } } },
      ],
    },
    controlPlaneRef: { kind: 'TalosControlPlane', name: `${cluster}-cp`, namespace },
    deletionPolicy: 'reset' as const,
  }
}

function statusOf(index: number) {
  const { address, name } = wordsOf(index)
  const said = (type: string, reason: string, message: string) => ({
    type,
    status: 'True' as const,
    observedGeneration: 1 + (index % 7),
    lastTransitionTime: timeOf(index + type.length),
    reason,
    message,
  })
  return {
    state: 'Available' as const,
    observedGeneration: 1 + (index % 7),
    conditions: [
      said('Ready', 'Running', `The machine ${address} runs v1.13.0 as wanted; its node is ready.`),
      said('Reachable', 'Answers', `The Talos API answers at ${address} with the known identity.`),
    ],
    observedVersion: 'v1.13.0',
    uuid: uuidOf(`hardware ${index}`),
    type: 'controlplane' as const,
    hostname: name.replaceAll('.', '-'),
    addresses: [address, `fd00::${index.toString(16)}`],
    stage: 'running',
    etcdMember: { id: wordsOf(index).hash.slice(16, 32), learner: false },
  }
}

const timeOf = (index: number): string =>
  new Date(SINCE + index * 61_000).toISOString().replace('.000', '')

function uuidOf(what: string): string {
  const hex = createHash('sha256').update(what).digest('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ]
  return [...parts, hex.slice(20, 32)].join('-')
}

const managed = (fields: object, time: string) => ({
  manager: 'talos-operator',
  operation: 'Apply',
  apiVersion: 'talos.alperen.cloud/v1alpha1',
  time,
  fieldsType: 'FieldsV1',
  fieldsV1: fieldsOf(fields),
})

// Lists that are replaced as a whole, and references: one owner for all that is in them.
const ATOMIC = ['configPatches', 'controlPlaneRef', 'dnsServers', 'addresses']
const KEYS: Record<string, string> = { conditions: 'type', ownerReferences: 'uid' }

/** Which fields an object has, in the notation of server-side apply. */
function fieldsOf(value: unknown, name = ''): object {
  if (typeof value !== 'object' || value === null || ATOMIC.includes(name)) return {}
  if (Array.isArray(value)) return Object.fromEntries(value.map((item) => itemOf(item, name)))
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [`f:${key}`, fieldsOf(inner, key)]),
  )
}

function itemOf(item: Record<string, unknown>, list: string): [string, object] {
  const key = KEYS[list]
  if (key === undefined) return [`v:${JSON.stringify(item)}`, {}]
  const fields = list === 'ownerReferences' ? {} : { '.': {}, ...fieldsOf(item) }
  return [`k:${JSON.stringify({ [key]: item[key] })}`, fields]
}
