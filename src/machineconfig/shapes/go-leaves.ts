import type { IntegerLeaf, LeafType, PlainReading } from './leaf-type.ts'

const PLAIN: ReadonlyMap<string, PlainReading> = new Map([
  ['string', 'string'],
  ['bool', 'bool'],
  ['time.Duration', 'duration'],
  ['v1alpha1.Endpoint', 'url'],
  ['meta.URL', 'optional-url'],
  ['v1alpha1.Base64Bytes', 'base64'],
  ['x509.Certificate', 'base64'],
  ['x509.Key', 'base64-key'],
  ['v1alpha1.ManifestContents', 'manifest'],
  ['v1alpha1.FileMode', 'file-mode'],
  ['runtime.EtcFileMode', 'file-mode'],
  ['v1alpha1.DiskSize', 'disk-size'],
  ['v1alpha1.InstallDiskSizeMatcher', 'disk-condition'],
  ['block.ByteSize', 'byte-size'],
  ['block.Size', 'size'],
  ['netip.Prefix', 'prefix'],
  ['network.Prefix', 'prefix'],
  ['netip.Addr', 'address'],
  ['network.Addr', 'address'],
  ['netip.AddrPort', 'address-port'],
  ['network.AddrPort', 'address-port'],
  ['nethelpers.HardwareAddr', 'hardware-address'],
  ['cel.Expression', 'expression'],
  ['network.PortRange', 'port-range'],
  ['v1alpha1.ArgValue', 'argument'],
  ['nethelpers.FailOverMAC', 'fail-over-mac'],
])

const INTEGERS: ReadonlyMap<string, IntegerLeaf> = new Map([
  ['int', { reads: 'integer', bits: 64, signed: true }],
  ['int32', { reads: 'integer', bits: 32, signed: true }],
  ['uint', { reads: 'integer', bits: 64, signed: false }],
  ['uint8', { reads: 'integer', bits: 8, signed: false }],
  ['uint16', { reads: 'integer', bits: 16, signed: false }],
  ['uint32', { reads: 'integer', bits: 32, signed: false }],
  ['uint64', { reads: 'integer', bits: 64, signed: false }],
])

/** How values of a Go type are read, if it is one that is written as a scalar and not an enumeration. */
export function leafOfGoType(type: string): LeafType | undefined {
  const reads = PLAIN.get(type)
  return reads ? { reads } : INTEGERS.get(type)
}
