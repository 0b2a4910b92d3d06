import { BOOL, type CelType, messageType, parseType, simpleType } from './cel-type.ts'
import { type Functions, functionsOf, OPTIONALS } from './signatures.ts'

/** For what an expression is written, which says what it can name. */
export type Purpose = 'disk' | 'volume' | 'link' | 'oom-trigger' | 'oom-ranking'

/** What an expression can name, and what must come out of it. */
export interface Environment {
  readonly variables: ReadonlyMap<string, CelType>
  readonly functions: Functions
  readonly hasOptionals: boolean
  readonly result: CelType
}

const DISK = messageType(
  'talos.resource.definitions.block.DiskSpec',
  'size uint, io_size uint, sector_size uint, readonly bool, model string, serial string, modalias string, ' +
    'wwid string, bus_path string, sub_system string, transport string, rotational bool, cdrom bool, ' +
    'dev_path string, pretty_size string, secondary_disks list(string), uuid string, symlinks list(string)',
)
const VOLUME = messageType(
  'talos.resource.definitions.block.DiscoveredVolumeSpec',
  'size uint, sector_size uint, io_size uint, name string, uuid string, label string, block_size uint, ' +
    'filesystem_block_size uint, probed_size uint, partition_uuid string, partition_type string, ' +
    'partition_label string, partition_index uint, type string, device_path string, parent string, ' +
    'dev_path string, parent_dev_path string, pretty_size string, offset uint',
)
// The messages within a link are not looked into: no selector that makes sense reaches there.
const LINK = messageType(
  'talos.resource.definitions.network.LinkStatusSpec',
  'index uint, type int, link_index uint, flags uint, hardware_addr bytes, broadcast_addr bytes, mtu uint, ' +
    'queue_disc string, master_index uint, operational_state int, kind string, slave_kind string, ' +
    'bus_path string, pciid string, driver string, driver_version string, firmware_version string, ' +
    'product_id string, vendor_id string, product string, vendor string, link_state bool, ' +
    'speed_megabits int, port int, duplex int, vlan dyn, bridge_master dyn, bond_master dyn, wireguard dyn, ' +
    'permanent_addr bytes, alias string, alt_names list(string), vrf_master dyn',
)

const GLOB = 'glob(string, string): bool'
const UNITS = [...'KMGTPE'].flatMap((letter) => [`${letter}iB`, `${letter}B`.replace('KB', 'kB')])
const CLASSES = ['Besteffort', 'Burstable', 'Guaranteed', 'Podruntime', 'System']
const PRESSURES = ['some', 'full'].flatMap((kind) =>
  ['avg10', 'avg60', 'avg300', 'total'].map((span) => `memory_${kind}_${span}`),
)
const AMOUNTS = ['memory_current', 'memory_peak', 'memory_max']
const PER_CLASS = 'map(int, double)'
// A value, and how it changed.
const withChange = (names: readonly string[]): string[] =>
  names.flatMap((name) => [name, `d_${name}`])

const declared = (names: readonly string[], type: string): [string, CelType][] =>
  names.map((name) => [name, parseType(type)])

const units = declared(UNITS, 'uint')
const classes = declared(CLASSES, 'int')
const qos = [...PRESSURES, ...AMOUNTS].map((name) => `qos_${name}`)

interface Draft {
  readonly variables: readonly (readonly [string, CelType])[]
  readonly functions?: readonly string[]
  readonly hasOptionals?: boolean
  readonly result?: CelType
}

const environment = (draft: Draft): Environment => ({
  variables: new Map(draft.variables),
  functions: functionsOf([...(draft.functions ?? []), ...(draft.hasOptionals ? OPTIONALS : [])]),
  hasOptionals: draft.hasOptionals ?? false,
  result: draft.result ?? BOOL,
})

const DRAFTS: Readonly<Record<Purpose, Draft>> = {
  disk: { variables: [['disk', DISK], ['system_disk', BOOL], ...units], functions: [GLOB] },
  volume: { variables: [['volume', VOLUME], ['disk', DISK], ...units] },
  link: { variables: [['link', LINK]], functions: [GLOB, 'mac(bytes): string'] },
  'oom-trigger': {
    variables: [
      ...declared(withChange(PRESSURES), 'double'),
      ...declared(withChange(qos), PER_CLASS),
      ['time_since_trigger', simpleType('duration')],
      ...units,
      ...classes,
    ],
    functions: ['multiply_qos_vectors(map(dyn, double), map(dyn, double)): double'],
    hasOptionals: true,
  },
  'oom-ranking': {
    variables: [
      ...declared(AMOUNTS, 'optional_type(uint)'),
      ['path', simpleType('string')],
      ['class', simpleType('int')],
      ...units,
      ...classes,
    ],
    hasOptionals: true,
    result: simpleType('double'),
  },
}

const made = new Map<Purpose, Environment>()

/** What Talos gives to an expression. */
export function environmentOf(purpose: Purpose): Environment {
  const known = made.get(purpose) ?? environment(DRAFTS[purpose])
  made.set(purpose, known)
  return known
}
