import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { toYaml } from '#base/yaml.ts'
import type { MachineResource } from '#simulator/resources/resource-store.ts'
import { minorOf } from '#simulator/services/minor-of.ts'
import type { ResourceSchema } from '#talos/generated/cosi/resource_pb.ts'
import { protoSpec } from './proto-specs.ts'

type Encoded = MessageInitShape<typeof ResourceSchema>
type Versioned = Parameters<typeof minorOf>[0]

/** A resource as it goes over the wire, from a machine of this version. */
export const encodeResource = (resource: MachineResource, machine: Versioned): Encoded => ({
  metadata: { ...metadataOf(resource), annotations: annotationsOf(resource, machine) },
  spec: { yamlSpec: yamlSpec(resource, machine), protoSpec: protoSpec(resource) },
})

/** Since the configuration is a text in YAML, it is marked as one, and talosctl shows it as it is. */
const annotationsOf = (resource: MachineResource, machine: Versioned) => ({
  ...Object.fromEntries(resource.annotations),
  ...(isConfig(resource) && minorOf(machine) >= 12 && { 'talos.dev/yaml-spec': '1' }),
})

const isConfig = ({ type }: MachineResource): boolean => type === 'MachineConfigs.config.talos.dev'

/** What is left of one that is gone. */
export const encodeTombstone = (resource: MachineResource): Encoded => ({
  metadata: metadataOf(resource),
  spec: {},
})

/** What stands for one that never was. */
export const encodeAbsent = (namespace: string, type: string, id: string): Encoded => ({
  metadata: { namespace, type, id, version: 'undefined', phase: 'running' },
  spec: {},
})

const metadataOf = (resource: MachineResource) => ({
  namespace: resource.namespace,
  type: resource.type,
  id: resource.id,
  version: String(resource.version),
  owner: resource.owner,
  phase: resource.phase,
  created: timestampFromMs(resource.createdMs),
  updated: timestampFromMs(resource.updatedMs),
  labels: Object.fromEntries(resource.labels),
  annotations: Object.fromEntries(resource.annotations),
})

function yamlSpec(resource: MachineResource, machine: Versioned): string {
  const { spec } = resource
  if (typeof spec === 'object' && spec !== null) return writtenOnce(spec)
  if (typeof spec !== 'string') return toYaml(spec)
  // The configuration was shown as it is until v1.11; since then it is a text in YAML.
  return isConfig(resource) && minorOf(machine) < 12 ? spec : textInYaml(spec)
}

// A spec that becomes another is another object, and the same one is asked for again and again.
const written = new WeakMap<object, string>()

function writtenOnce(spec: object): string {
  const text = written.get(spec) ?? toYaml(spec)
  written.set(spec, text)
  return text
}

/** As a block, indented: what looks like the end of a document in the text must not be one. */
function textInYaml(text: string): string {
  const isPlain = /^[\w.-]+$/.test(text)
  const canBeBlock = text.includes('\n') && /^\S/.test(text) && !/[^\n]$|\n\n$/.test(text)
  if (isPlain) return toYaml(text)
  return canBeBlock ? `|\n${text.replaceAll(/^(?=.)/gm, '    ')}` : `${JSON.stringify(text)}\n`
}
