import { resolveScalar } from '#base/yaml/resolve-scalar.ts'
import type { YamlScalar } from '#base/yaml/yaml-node.ts'
import type { Value } from '#machineconfig/document.ts'
import { Refusal } from '#machineconfig/read/refusal.ts'
import type { LeafType, PlainReading } from '#machineconfig/shapes/leaf-type.ts'
import type { Leaf } from '#machineconfig/shapes/shape.ts'
import { readAddress, readAddressPort, readPrefix } from './address.ts'
import { readBase64, readBase64Key } from './base64.ts'
import { readByteSize, readDiskCondition, readDiskSize, readSize } from './byte-size.ts'
import { formatGoDuration, parseGoDuration } from './duration.ts'
import { readFailOverMac, readWord } from './enum.ts'
import { readHardwareAddress } from './hardware-address.ts'
import { readBool, readInteger } from './integer.ts'
import { readPortRange } from './port-range.ts'
import { readUrl } from './url.ts'

/**
 * The value of a scalar in the form in which Talos writes it back. A `Refusal` if the type itself says
 * what is wrong, undefined if YAML's type is the wrong one. Null is not asked for.
 */
export function readLeaf(leaf: Leaf, node: YamlScalar): Value | Refusal | undefined {
  const { type } = leaf
  switch (type.reads) {
    case 'integer':
      return readInteger(type, node)
    case 'bool':
      return readBool(node)
    case 'file-mode':
      return readInteger({ reads: 'integer', bits: 32, signed: false }, node)
    case 'duration':
      return readDuration(node)
    case 'port-range':
      return readPortRange(node)
    case 'enum':
      return readWord(type, leaf, textOf(node))
    case 'string':
      return textOf(node)
    default:
      return readText(type.reads, textOf(node))
  }
}

// What may be long, such as a certificate, takes time only in proportion.
const ANY_LENGTH: ReadonlySet<string> = new Set([
  'base64',
  'base64-key',
  'manifest',
  'expression',
  'argument',
])
const LONGEST = 8192

function readText(reads: ByText, text: string): Value | Refusal {
  if (text.length > LONGEST && !ANY_LENGTH.has(reads)) {
    return new Refusal(`longer than ${LONGEST} characters`)
  }
  return BY_TEXT[reads](text)
}

/** Whether Go reads it from any scalar and refuses anything else in its own words. */
export const readsText = ({ reads }: LeafType): boolean => reads === 'enum' || TEXTS.has(reads)

const TEXTS: ReadonlySet<string> = new Set<PlainReading>([
  'byte-size',
  'size',
  'prefix',
  'address',
  'address-port',
  'hardware-address',
  'expression',
  'fail-over-mac',
])

/** What Go's types take a scalar for that they want as a text. */
function textOf(node: YamlScalar): string {
  return node.tag === '!!binary' ? Buffer.from(node.text, 'base64').toString() : node.text
}

type ByText = Exclude<PlainReading, 'string' | 'bool' | 'file-mode' | 'duration' | 'port-range'>

const asIs = (text: string): string => text

const BY_TEXT: Readonly<Record<ByText, (text: string) => Value | Refusal>> = {
  expression: asIs,
  argument: asIs,
  // Spaces stay: they are the indentation of a manifest.
  manifest: (text) => text.replace(/^[\t\n\v\f\r]+/, ''),
  url: readUrl,
  'optional-url': readUrl,
  base64: readBase64,
  'base64-key': readBase64Key,
  'disk-size': readDiskSize,
  'disk-condition': readDiskCondition,
  'byte-size': readByteSize,
  size: readSize,
  prefix: readPrefix,
  address: readAddress,
  'address-port': readAddressPort,
  'hardware-address': readHardwareAddress,
  'fail-over-mac': readFailOverMac,
}

function readDuration(node: YamlScalar): string | undefined {
  const { value } = resolveScalar(node)
  if (value === 0) return '0s'
  const nanoseconds = typeof value === 'string' ? parseGoDuration(value) : undefined
  return nanoseconds === undefined ? undefined : formatGoDuration(nanoseconds)
}
