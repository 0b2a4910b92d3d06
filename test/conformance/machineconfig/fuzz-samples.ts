import type { LeafType, PlainReading } from '#machineconfig/shapes/leaf-type.ts'
import type { DocumentKind, Shape, Struct } from '#machineconfig/shapes/shape.ts'
import { documentKinds } from '#machineconfig/shapes/shapes.ts'

const PLAIN: Record<PlainReading, unknown> = {
  string: 'text',
  bool: true,
  duration: '1h30m',
  url: 'https://192.0.2.1:6443/path',
  'optional-url': 'https://a.example',
  base64: 'YQ==',
  'base64-key': 'YQ==',
  manifest: 'kind: Namespace\n',
  'file-mode': 420,
  'disk-size': '10 GB',
  'disk-condition': '>= 10GB',
  'byte-size': '100MiB',
  size: '50%',
  prefix: '10.0.0.0/8',
  address: '192.0.2.7',
  'address-port': '192.0.2.7:53',
  'hardware-address': 'aa:bb:cc:dd:ee:ff',
  expression: "disk.size > 10u * GB && disk.transport == 'nvme'",
  'port-range': '1000-2000',
  argument: ['a', 'b'],
  'fail-over-mac': 'active',
}

/** One document of each kind, with every field set to something that could stand there. */
export const sampleDocuments = (): unknown[] => documentKinds().map(sampleOf)

function sampleOf({ kind, shape }: DocumentKind): unknown {
  const sample = structSample(shape, 0)
  return kind === '' ? sample : { ...sample, apiVersion: 'v1alpha1', kind }
}

const DEEPEST = 8

function structSample({ fields }: Struct, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    [...fields].map(([name, { shape }]) => [name, valueSample(shape, depth + 1)]),
  )
}

function valueSample(shape: Shape, depth: number): unknown {
  if (depth > DEEPEST) return null
  switch (shape.is) {
    case 'struct':
      return structSample(shape, depth)
    case 'list':
      return [valueSample(shape.of, depth + 1)]
    case 'map':
      return { one: valueSample(shape.of, depth + 1) }
    case 'pointer':
      return valueSample(shape.to, depth)
    case 'leaf':
      return leafSample(shape.type)
    default:
      return { any: [1, 'two', { three: null }] }
  }
}

function leafSample(type: LeafType): unknown {
  if (type.reads === 'integer') return 1
  return type.reads === 'enum' ? [...type.values.keys()][0] : PLAIN[type.reads]
}
