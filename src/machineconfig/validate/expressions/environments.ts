import { functionsOf } from '#base/cel/declarations.ts'
import { type Environment, STANDARD_TYPES } from '#base/cel/environment.ts'
import { OPTIONAL_MACROS, STANDARD_MACROS } from '#base/cel/macros.ts'
import { OPTIONAL_SIGNATURES } from '#base/cel/optional-signatures.ts'
import { STANDARD_SIGNATURES } from '#base/cel/standard-signatures.ts'
import { parseType, splitTopLevel } from '#base/cel/type-text.ts'
import {
  BOOL,
  DOUBLE,
  DURATION,
  INT,
  optionalOf,
  parameter,
  STRING,
  structOf,
  type Type,
  typeOf,
} from '#base/cel/types.ts'

/** For what an expression is written, which says what it can name. */
export type Purpose = 'disk' | 'volume' | 'link' | 'oom-trigger' | 'oom-ranking'

/** What Talos gives to an expression, and what must come out of it. */
interface Expected {
  readonly environment: Environment
  readonly result: Type
}

/** A message with the fields that a text such as `name string, tags list(string)` declares. */
const messageType = (name: string, fields: string): Type =>
  structOf(
    name,
    new Map(
      splitTopLevel(fields).map((field) => {
        const [key = '', type = ''] = field.split(/ (.*)/s)
        return [key, parseType(type)]
      }),
    ),
  )

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

const GLOB = 'glob_string_string glob(string, string): bool'
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

const declared = (names: readonly string[], type: string): [string, Type][] =>
  names.map((name) => [name, parseType(type)])

const units = declared(UNITS, 'uint')
const classes = declared(CLASSES, 'int')
const qos = [...PRESSURES, ...AMOUNTS].map((name) => `qos_${name}`)

interface Draft {
  readonly variables: readonly (readonly [string, Type])[]
  readonly functions?: readonly string[]
  readonly hasOptionals?: boolean
  readonly result?: Type
}

// A tenth of what Talos takes: to judge that much would keep others waiting, and nobody writes it.
const MOST_CHARACTERS = 10_000

const environment = ({ variables, functions = [], hasOptionals = false }: Draft): Environment => ({
  variables: new Map(variables),
  functions: functionsOf([
    STANDARD_SIGNATURES,
    ...functions,
    ...(hasOptionals ? [OPTIONAL_SIGNATURES] : []),
  ]),
  types: hasOptionals ? TYPES_WITH_OPTIONAL : STANDARD_TYPES,
  macros: hasOptionals ? { ...STANDARD_MACROS, ...OPTIONAL_MACROS } : STANDARD_MACROS,
  hasOptionals,
  hasQuotedFields: true,
  mostCharacters: MOST_CHARACTERS,
})

const OPTIONAL = optionalOf(parameter('V'))
const TYPES_WITH_OPTIONAL = new Map([...STANDARD_TYPES, [OPTIONAL.name, typeOf(OPTIONAL)]])

const DRAFTS: Readonly<Record<Purpose, Draft>> = {
  disk: { variables: [['disk', DISK], ['system_disk', BOOL], ...units], functions: [GLOB] },
  volume: { variables: [['volume', VOLUME], ['disk', DISK], ...units] },
  link: { variables: [['link', LINK]], functions: [GLOB, 'mac_bytes mac(bytes): string'] },
  'oom-trigger': {
    variables: [
      ...declared(withChange(PRESSURES), 'double'),
      ...declared(withChange(qos), PER_CLASS),
      ['time_since_trigger', DURATION],
      ...units,
      ...classes,
    ],
    functions: [
      'multiply_qos_vectors_ma_map_double multiply_qos_vectors(map(dyn, double), map(dyn, double)): double',
    ],
    hasOptionals: true,
  },
  'oom-ranking': {
    variables: [
      ...declared(AMOUNTS, 'optional(uint)'),
      ['path', STRING],
      ['class', INT],
      ...units,
      ...classes,
    ],
    hasOptionals: true,
    result: DOUBLE,
  },
}

const made = new Map<Purpose, Expected>()

/** What is expected of an expression. */
export function expectedOf(purpose: Purpose): Expected {
  const draft = DRAFTS[purpose]
  const known = made.get(purpose) ?? {
    environment: environment(draft),
    result: draft.result ?? BOOL,
  }
  made.set(purpose, known)
  return known
}
