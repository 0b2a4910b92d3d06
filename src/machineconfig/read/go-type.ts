import type { Shape } from '#machineconfig/shapes/shape.ts'

/** The name of a type as Go prints it in messages: `[]*v1alpha1.Device`. */
export function goType(shape: Shape): string {
  switch (shape.is) {
    case 'pointer':
      return `*${goType(shape.to)}`
    case 'list':
      return shape.name ?? `[]${goType(shape.of)}`
    case 'map':
      return shape.name ?? `map[string]${goType(shape.of)}`
    case 'free':
      return shape.name === 'any' ? 'interface {}' : shape.name
    case 'leaf':
      return UNNAMED.has(shape.name) ? 'string' : shape.name
    case 'struct':
      return shape.name
  }
}

// These have a way of being read of their own, but no Go type.
const UNNAMED = new Set(['x509.Certificate', 'x509.Key', 'v1alpha1.ManifestContents'])

/** What a value of another type is said not to fit: some types are read into another one first. */
export const targetType = (shape: Shape): string =>
  (shape.is !== 'pointer' && READ_AS.get(shape.name ?? '')) || goType(shape)

const READ_AS = new Map([
  ['v1alpha1.ClusterInlineManifests', '[]v1alpha1.ClusterInlineManifest'],
  [
    'x509.PEMEncodedCertificateAndKey',
    `struct { Crt string "yaml:\\"crt\\""; Key string "yaml:\\"key\\"" }`,
  ],
  ['x509.PEMEncodedCertificate', `struct { Crt string "yaml:\\"crt\\"" }`],
  ['x509.PEMEncodedKey', `struct { Key string "yaml:\\"key\\"" }`],
])
