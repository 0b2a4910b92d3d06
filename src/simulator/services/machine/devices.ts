import type { Machine } from '#simulator/machine/machine.ts'
import { Refusal } from '#simulator/refusal.ts'
import type { Answers } from '#simulator/services/served-method.ts'
import { fieldOf, systemDiskOf } from '#simulator/services/system-disk.ts'
import type { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { uptimeMs } from './containers.ts'

const MEBIBYTE = 1024n * 1024n

/** What goes over the disks and the network of a machine, and what is mounted where. */
export const devices: Answers<typeof MachineService> = {
  diskStats: (_, { machine }) => {
    const seconds = BigInt(Math.floor(uptimeMs(machine) / 1000))
    const systemDisk = systemDiskOf(machine)
    const stats = machine.disks.map(({ path }) => {
      const factor = path === systemDisk ? seconds + 1n : 0n
      return {
        ...{ name: path.replace('/dev/', ''), readCompleted: factor * 8n },
        ...{ readSectors: factor * 256n, readTimeMs: factor * 3n, writeCompleted: factor * 12n },
        ...{ writeSectors: factor * 512n, writeTimeMs: factor * 6n, ioTimeMs: factor * 9n },
      }
    })
    const total = stats.reduce((sum, { name, ...stat }) => added(sum, stat), NO_IO)
    return { messages: [{ total, devices: stats }] }
  },
  networkDeviceStats: (_, { machine }) => {
    const seconds = BigInt(Math.floor(uptimeMs(machine) / 1000))
    const stats = linksOf(machine).map((name) => ({
      ...{ name, rxBytes: seconds * 12_000n, rxPackets: seconds * 40n },
      ...{ txBytes: seconds * 10_000n, txPackets: seconds * 35n },
    }))
    const total = stats.reduce((sum, { name, ...stat }) => added(sum, stat), NO_TRAFFIC)
    return { messages: [{ total, devices: stats }] }
  },
  mounts: (_, { machine }) => ({ messages: [{ stats: mountsOf(machine) }] }),
  netstat: (_, { machine }) => ({
    messages: [
      {
        connectrecord: machine.services
          .filter(({ id, phase }) => phase === 'Running' && PORTS.has(id))
          .map(({ id }) => ({
            ...{ l4proto: 'tcp', localip: machine.address, localport: PORTS.get(id) ?? 0 },
            ...{ remoteip: '0.0.0.0', state: LISTEN, process: { name: id } },
          })),
      },
    ],
  }),
  packetCapture: ({ interface: name }, { machine }) => {
    if (!linksOf(machine).includes(name)) {
      throw new Refusal('NotFound', `interface ${JSON.stringify(name)} not found`)
    }
    return [{ bytes: EMPTY_CAPTURE }]
  },
}

const NO_IO = {
  ...{ readCompleted: 0n, readSectors: 0n, readTimeMs: 0n, writeCompleted: 0n },
  ...{ writeSectors: 0n, writeTimeMs: 0n, ioTimeMs: 0n },
}
const NO_TRAFFIC = { rxBytes: 0n, rxPackets: 0n, txBytes: 0n, txPackets: 0n }

function added<T extends Record<string, bigint>>(sum: T, more: T): T {
  const entries = Object.entries(sum).map(([key, value]) => [key, value + (more[key] ?? 0n)])
  return Object.assign({}, sum, Object.fromEntries(entries))
}

// Ports that services of Talos listen on.
const PORTS: ReadonlyMap<string, number> = new Map([
  ['apid', 50_000],
  ['trustd', 50_001],
  ['etcd', 2379],
  ['kubelet', 10_250],
])
const LISTEN = 10

// The head of a pcap file of Ethernet frames, of which none were seen.
const EMPTY_CAPTURE = Buffer.from('d4c3b2a1020004000000000000000000ffff000001000000', 'hex')

const linksOf = ({ resources }: Machine): readonly string[] => [
  ...new Set([
    'lo',
    ...resources.list('network', 'LinkStatuses.net.talos.dev').map(({ id }) => id),
  ]),
]

function mountsOf(machine: Machine) {
  const { hardware } = machine
  const disk = BigInt(hardware.disks[0]?.bytes ?? 0)
  const memory = BigInt(hardware.memoryMiB) * MEBIBYTE
  return [
    { filesystem: 'devtmpfs', mountedOn: '/dev', size: memory / 2n, available: memory / 2n },
    { filesystem: 'tmpfs', mountedOn: '/run', size: memory / 2n, available: memory / 2n },
    ...partitionsOf(machine).map(({ label, ...mount }) => {
      const size = label === 'EPHEMERAL' ? disk : 100n * MEBIBYTE
      return { ...mount, size, available: (size * 3n) / 4n }
    }),
  ]
}

const MOUNTED_ON: ReadonlyMap<string, string> = new Map([
  ['STATE', '/system/state'],
  ['EPHEMERAL', '/var'],
])

/** What is mounted of the system disk: as old machines say it, or as the volumes of newer ones are. */
function partitionsOf({ resources }: Machine) {
  const mounts = resources.list('runtime', 'MountStatuses.runtime.talos.dev')
  if (mounts.length > 0) {
    return mounts.map(({ id, spec }) => ({
      ...{ label: id, filesystem: textOf(spec, 'source'), mountedOn: textOf(spec, 'target') },
    }))
  }
  return resources
    .list('runtime', 'VolumeStatuses.block.talos.dev')
    .filter(({ id, spec }) => MOUNTED_ON.has(id) && textOf(spec, 'phase') === 'ready')
    .map(({ id, spec }) => ({
      ...{ label: id, filesystem: textOf(spec, 'mountLocation') },
      mountedOn: MOUNTED_ON.get(id) ?? '',
    }))
}

function textOf(spec: unknown, name: string): string {
  const value = fieldOf(spec, name)
  return typeof value === 'string' ? value : ''
}
