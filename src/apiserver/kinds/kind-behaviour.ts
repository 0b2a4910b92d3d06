import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import type { Behaviour, WriteContext } from '#apiserver/resource.ts'
import { isSame, takeOver } from './fill.ts'

/** A behaviour that also knows which changes its generation counts. */
export interface BuiltinBehaviour extends Behaviour {
  /** Whether a change is one that the generation counts. Told of kinds with a generation only. */
  countsAsChange(object: Fields, old: Fields): boolean
}

/** What a kind does differently from most. */
export interface Traits extends Partial<BuiltinBehaviour> {
  /** The status of a new object. Kinds without one have no status of their own. */
  newStatus?(object: Fields, context: WriteContext): Fields
  /** Writes to the status change nothing of the metadata, not even labels. */
  statusKeepsMetadata?: boolean
}

/**
 * The behaviour of a built-in kind: a new object has the status that the server gives it, a write to
 * the object leaves the status alone, and a write to the status leaves all else alone.
 */
export function builtin(traits: Traits = {}): BuiltinBehaviour {
  const { newStatus, statusKeepsMetadata = false, prepareCreate, prepareUpdate, ...rest } = traits
  return {
    hasGeneration: false,
    allowsUnconditionalUpdate: true,
    allowsCreateOnUpdate: false,
    countsAsChange: (object, old) => !isSame(object.spec, old.spec),
    ...(statusKeepsMetadata && { statusKeeps: [['f:metadata']] }),
    ...rest,
    prepareCreate(object, context) {
      if (newStatus) object.status = newStatus(object, context)
      prepareCreate?.(object, context)
    },
    prepareUpdate(object, old, context) {
      const isStatus = context.subresource === 'status' || context.subresource === 'approval'
      if (isStatus) keepAllButStatus(object, old, statusKeepsMetadata)
      else if (newStatus) takeOver(object, old, 'status')
      prepareUpdate?.(object, old, context)
    },
  }
}

function keepAllButStatus(object: Fields, old: Fields, keepsMetadata: boolean): void {
  for (const key of new Set([...Object.keys(object), ...Object.keys(old)]))
    if (key !== 'status' && key !== 'metadata' && key !== 'kind' && key !== 'apiVersion')
      takeOver(object, old, key)
  if (keepsMetadata) object.metadata = withVersionOf(object, old)
}

// The resourceVersion is the writer's precondition, and who owns which field is not the kind's to say.
function withVersionOf(object: Fields, old: Fields): Fields {
  const { resourceVersion, managedFields } = fieldsAt(object, 'metadata')
  return {
    ...fieldsAt(old, 'metadata'),
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(managedFields !== undefined && { managedFields }),
  }
}

/** Counts changes of some top-level fields, where a kind has no spec. */
export const changesOf =
  (...keys: string[]) =>
  (object: Fields, old: Fields): boolean =>
    keys.some((key) => !isSame(object[key], old[key]))
