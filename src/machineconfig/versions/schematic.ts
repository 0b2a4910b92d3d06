import { createHash } from 'node:crypto'
import type { ValueMap } from '#machineconfig/document.ts'
import type { Field, Shape, Struct } from '#machineconfig/shapes/shape.ts'
import { writeStruct } from '#machineconfig/write/write-value.ts'

/** What an image of the image factory is made of. The order of lists counts. */
export type Schematic = {
  readonly owner?: string
  readonly overlay?: {
    readonly image: string
    readonly name: string
    readonly options?: ValueMap
  }
  readonly customization?: {
    /** A machine configuration that the image brings along. */
    readonly embeddedMachineConfiguration?: string
    readonly extraKernelArgs?: readonly string[]
    readonly meta?: readonly { readonly key: number; readonly value: string }[]
    readonly systemExtensions?: { readonly officialExtensions?: readonly string[] }
    readonly bootloader?: string
    readonly secureboot?: {
      readonly enrollKeys?: string
      readonly includeWellKnownCertificates?: boolean
    }
    readonly diskImage?: { readonly sectorSize?: number }
  }
}

/**
 * The id under which the image factory knows a schematic. It serves images for it once the schematic was
 * sent there; should the id in its answer be another, that one counts.
 */
export const schematicId = (schematic: Schematic): string =>
  createHash('sha256').update(writeSchematic(schematic)).digest('hex')

/** A schematic as the image factory writes it. */
export const writeSchematic = (schematic: Schematic): string => writeStruct(SCHEMATIC, schematic)

const TEXT: Shape = { is: 'leaf', type: { reads: 'string' }, name: 'string' }
const FLAG: Shape = { is: 'leaf', type: { reads: 'bool' }, name: 'bool' }
const NUMBER: Shape = {
  is: 'leaf',
  type: { reads: 'integer', bits: 64, signed: true },
  name: 'int',
}
const TEXTS: Shape = { is: 'list', of: TEXT }
const OPTIONS: Shape = { is: 'map', of: { is: 'free', name: 'any' } }

const field = (name: string, shape: Shape, omit: Field['omit'] = 'empty'): Field => ({
  name,
  shape,
  omit,
  replaced: false,
  since: 5,
})

const struct = (name: string, ...fields: Field[]): Struct => ({
  is: 'struct',
  name,
  fields: new Map(fields.map((each) => [each.name, each])),
})

const META: Shape = {
  is: 'list',
  of: struct('MetaValue', field('key', NUMBER, 'never'), field('value', TEXT, 'never')),
}

const SCHEMATIC = struct(
  'Schematic',
  field('owner', TEXT),
  field(
    'overlay',
    struct(
      'Overlay',
      field('image', TEXT, 'never'),
      field('name', TEXT, 'never'),
      field('options', OPTIONS),
    ),
  ),
  field(
    'customization',
    struct(
      'Customization',
      field('embeddedMachineConfiguration', TEXT),
      field('extraKernelArgs', TEXTS),
      field('meta', META),
      field('systemExtensions', struct('SystemExtensions', field('officialExtensions', TEXTS))),
      field('bootloader', TEXT),
      field(
        'secureboot',
        struct(
          'SecureBoot',
          field('enrollKeys', TEXT),
          field('includeWellKnownCertificates', FLAG),
        ),
      ),
      field('diskImage', struct('DiskImage', field('sectorSize', NUMBER))),
    ),
    'never',
  ),
)
