import type { Fields } from '#apiserver/objects.ts'
import type { Id } from '#simulator/kubernetes/objects.ts'
import type { Scene } from '#simulator/kubernetes/scene.ts'

const NAME = 'kubernetes'
const ENDPOINTS: Id = { plural: 'endpoints', namespace: 'default', name: NAME }
const SLICE: Id = { plural: 'endpointslices', namespace: 'default', name: NAME }
const PORT = 6443

/** Says where the API servers of a cluster are, as they do themselves. */
export async function ownEndpoints({ objects, controlPlanes }: Scene): Promise<void> {
  const addresses = controlPlanes
    .serving()
    .map(({ address }) => address)
    .toSorted()
  const ports = [{ name: 'https', port: PORT, protocol: 'TCP' }]
  const told: [Id, Fields][] = [
    [ENDPOINTS, { subsets: [{ addresses: addresses.map((ip) => ({ ip })), ports }] }],
    [
      SLICE,
      {
        metadata: { labels: { 'kubernetes.io/service-name': NAME } },
        addressType: addresses[0]?.includes(':') ? 'IPv6' : 'IPv4',
        endpoints: addresses.map((one) => ({ addresses: [one], conditions: { ready: true } })),
        ports,
      },
    ],
  ]
  for (const [id, fields] of told) {
    const { metadata: _, addressType: __, ...content } = fields
    await objects.create(id, fields)
    await objects.change(id, (copy) => ({ ...copy, ...content }))
  }
}
