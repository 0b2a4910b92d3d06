import { setDefaults } from './crd/default.ts'
import {
  defaultDefinition,
  prepareChangedDefinition,
  prepareNewDefinition,
  versionsOf,
} from './crd/definition.ts'
import { badNames } from './crd/definition-names.ts'
import { definitionWarnings } from './crd/definition-warnings.ts'
import { prune } from './crd/prune.ts'
import { deprecationWarning, resourcesOf } from './crd/resources.ts'
import { validateDefinition } from './crd/validate-definition.ts'
import { type Fields, fieldsAt, isFields, listAt } from './objects.ts'
import type { Behaviour, Resource } from './resource.ts'
import { customScaler } from './scalers.ts'
import { apiVersionOf } from './stored-object.ts'

/** The kinds that a CRD defines, as it has done since a revision; none until it is established. */
export function customKinds(definition: Fields, since: number): Resource[] {
  const isGoing = fieldsAt(definition, 'metadata').deletionTimestamp !== undefined
  return resourcesOf(definition).map((known) => {
    const scale = versionsOf(definition).find(({ name }) => name === known.version)?.scale
    const deprecation = deprecationWarning(definition, known.version)
    return {
      ...known,
      ...(scale && { scaler: customScaler(scale) }),
      ...(deprecation && { deprecation }),
      ...(isGoing && { refusesCreates: TERMINATING }),
      // What was stored under an older schema is shown as the present one has it.
      ...(!known.conversion && { conversion: inSchema(known), convertsBefore: since }),
    }
  })
}

const TERMINATING = 'create not allowed while custom resource definition is terminating'

function inSchema({ group, version, schema }: Pick<Resource, 'group' | 'version' | 'schema'>) {
  const apiVersion = apiVersionOf(group, version)
  return {
    toStored: (object: Fields) => object,
    fromStored: (object: Fields) => {
      const shown = { ...object, apiVersion }
      prune(schema, shown)
      setDefaults(schema, shown)
      return shown
    },
  }
}

/** Holds a CRD until the objects of its kind are gone. */
export const CLEANUP = 'customresourcecleanup.apiextensions.k8s.io'

/** A CRD that is deleted says so in a condition, and has neither a grace period nor another generation. */
function terminating(definition: Fields, old: Fields, now: string): Fields {
  const { deletionGracePeriodSeconds: _, ...metadata } = fieldsAt(definition, 'metadata')
  const { generation } = fieldsAt(old, 'metadata')
  const status = fieldsAt(definition, 'status')
  const conditions = listAt(status, 'conditions').filter(isFields)
  const isTold = conditions.some(({ type }) => type === 'Terminating')
  const condition = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: now,
    reason: 'InstanceDeletionPending',
    message:
      'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  }
  return {
    ...definition,
    metadata: { ...metadata, generation },
    status: { ...status, conditions: isTold ? conditions : [...conditions, condition] },
  }
}

/** How CRDs themselves behave. */
export const definitionBehaviour: Partial<Behaviour> = {
  setDefaults: defaultDefinition,
  prepareCreate: prepareNewDefinition,
  prepareUpdate: (definition, old, { subresource }) => {
    if (subresource === 'status') definition.spec = old.spec
    else prepareChangedDefinition(definition, old)
  },
  *check(definition, old, context) {
    if (context.subresource === 'status') {
      return badNames(
        fieldsAt(fieldsAt(definition, 'status'), 'acceptedNames'),
        'status.acceptedNames',
      )
    }
    const errors = yield* validateDefinition(definition, old)
    if (errors.length === 0) {
      for (const warning of yield* definitionWarnings(definition, old)) context.warn(warning)
    }
    return errors
  },
  hasGeneration: true,
  allowsUnconditionalUpdate: false,
  deletionFinalizers: [CLEANUP],
  markDeleted: terminating,
}
