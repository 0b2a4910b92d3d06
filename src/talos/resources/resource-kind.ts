import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Spec as WireSpec } from '#talos/generated/cosi/resource_pb.ts'
import { resourceValue } from './resource-yaml.ts'

/** How much is read of a kind: so many resources, and so many bytes of both of their forms together. */
export interface Most {
  resources: number
  bytes: number
}

/** A kind of resource: where a machine keeps it, and how its content is read. */
export interface ResourceKind<Spec> {
  type: string
  namespace: string
  /** As many as a machine may have, where that is less than of any other kind. */
  most?: Most
  /** Throws a reason, and nothing of the content. */
  decode: (spec: WireSpec | undefined) => Spec
}

// What most machines say most of the time is a few short texts: that a service is well, that nothing is unmet.
const MOST_REMEMBERED = 64
const LONGEST_REMEMBERED = 256

/**
 * Reads the YAML that every resource has, so that no protobuf of its own is needed. The same text gives the same
 * value, which is nobody's to change.
 */
export function fromYaml<Schema extends TSchema>(
  schema: Schema,
): (spec: WireSpec | undefined) => Static<Schema> {
  const remembered = new Map<string, Static<Schema>>()
  return (spec) => {
    const text = spec?.yamlSpec ?? ''
    const known = remembered.get(text)
    if (known !== undefined) return known
    const value = resourceValue(text)
    if (!Value.Check(schema, value)) throw notOfForm(schema, value)
    if (text.length <= LONGEST_REMEMBERED) {
      // All at once, and rarely: who is asked for often is back at once.
      if (remembered.size >= MOST_REMEMBERED) remembered.clear()
      remembered.set(text, value)
    }
    return value
  }
}

function notOfForm(schema: TSchema, value: unknown): Error {
  const [error] = Value.Errors(schema, value)
  return new Error(`it has not the form that we know, at ${error?.instancePath || 'its root'}`)
}
