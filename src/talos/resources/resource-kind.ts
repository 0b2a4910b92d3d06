import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { parseYaml } from '#base/yaml.ts'
import type { Spec as WireSpec } from '#talos/generated/cosi/resource_pb.ts'

/** A kind of resource: where a machine keeps it, and how its content is read. */
export interface ResourceKind<Spec> {
  type: string
  namespace: string
  /** Throws a reason, and nothing of the content. */
  decode: (spec: WireSpec | undefined) => Spec
}

/** Reads the YAML that every resource has, so that no protobuf of its own is needed. */
export const fromYaml =
  <Schema extends TSchema>(schema: Schema) =>
  (spec: WireSpec | undefined): Static<Schema> => {
    const value = parseYaml(spec?.yamlSpec ?? '')
    if (Value.Check(schema, value)) return value
    const [error] = Value.Errors(schema, value)
    throw new Error(`it has not the form that we know, at ${error?.instancePath || 'its root'}`)
  }
