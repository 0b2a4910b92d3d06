// The shapes that several kinds share. Patterns are the published ones, relaxed where those kept
// out IPv6 and disks they had not thought of; nothing that was valid becomes invalid.

import {
  flag,
  freeForm,
  immutable,
  integer,
  list,
  object,
  oneOf,
  optional,
  type Rule,
  text,
  textMap,
} from './schema.ts'

const VERSION = '^v\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?$'
const IPV4 = '(\\d{1,3}\\.){3}\\d{1,3}'
const GROUP = '[0-9A-Fa-f]{1,4}'
// Up to seven colons between groups that may be empty, the last of which may be a dotted IPv4; an
// eighth only where `::` stands for a single group at the beginning or at the end.
const IPV6 = `(([0-9A-Fa-f]{0,4}:){2,7}([0-9A-Fa-f]{0,4}|${IPV4})|(${GROUP}:){7}:|:(:${GROUP}){7})`
const LONGEST_CIDR = 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255/128'.length

export const version = (description: string, options: { default?: string } = {}) =>
  text(description, { ...options, pattern: VERSION })

export const ipAddress = (description: string) =>
  text(description, { pattern: `^(${IPV4}|${IPV6})$` })

export const machineUuid = (description: string) =>
  text(description, { pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' })

export const cidrs = (description: string) =>
  list(
    description,
    text('An IPv4 or IPv6 range in CIDR notation.', {
      maxLength: LONGEST_CIDR,
      pattern: `^(${IPV4}/\\d{1,2}|${IPV6}/\\d{1,3})$`,
    }),
    { maxItems: 4 },
  )

export const deletionPolicy = oneOf(
  'What happens to the machines on deletion: `reset` wipes the system disk of machines that this object installed, `preserve` leaves them running.',
  ['reset', 'preserve'],
  { default: 'reset' },
)

/** Ends the description of what a manifest may say and nobody carries out. docs/roadmap.md names all of it. */
export const NOT_BUILT_YET = 'Not built yet: accepted, and nothing is done.'

export const mode = oneOf(
  'Where the machines are: `metal` for machines (real or virtual) that wait in maintenance mode, `container` for pods of the management cluster, `cloud` is reserved. The last two are not built yet: accepted, and nothing is done.',
  ['container', 'metal', 'cloud'],
  { rules: [immutable('Mode is immutable')] },
)

export const storageClassName = (rules: Rule[] = []) =>
  text('StorageClass of the volumes that hold the state of machines in container mode.', {
    pattern: '^[a-zA-Z0-9][-a-zA-Z0-9_.]*[a-zA-Z0-9]$',
    ...(rules.length > 0 && { rules }),
  })

export const localReference = (description: string) =>
  object(
    description,
    { name: text('Name of the object, in the same namespace.', { default: '' }) },
    { atomic: true },
  )

export const objectReference = (description: string) =>
  object(
    description,
    {
      apiVersion: optional(text('API group and version of the object.')),
      kind: optional(text('Kind of the object.')),
      name: optional(text('Name of the object.')),
      namespace: optional(
        text(
          'Namespace of the object. Left out: the same namespace, or none for a cluster-scoped kind.',
        ),
      ),
      fieldPath: optional(
        text('JSONPath of the field that is meant, for example `.status.addresses[0]`.'),
      ),
      resourceVersion: optional(text('Not used; accepted as in every object reference.')),
      uid: optional(text('Not used; accepted as in every object reference.')),
    },
    { atomic: true },
  )

const keySelector = (what: string) => (description: string) =>
  object(
    description,
    {
      name: text(`Name of the ${what}, in the same namespace.`, { default: '' }),
      key: text(`Which key of the ${what} to use.`),
      optional: optional(flag(`Whether the ${what} or its key may be missing.`)),
    },
    { atomic: true },
  )

export const configMapKey = keySelector('ConfigMap')
export const secretKey = keySelector('Secret')

export const secretReference = (description: string) =>
  object(
    description,
    {
      name: optional(text('Name of the Secret.')),
      namespace: optional(
        text(
          'Namespace of the Secret. Only that of the object itself is allowed, which is the default.',
        ),
      ),
    },
    { atomic: true },
  )

export const labelSelector = (description: string) =>
  object(
    description,
    {
      matchLabels: optional(textMap('Labels that must all be there with exactly these values.')),
      matchExpressions: optional(
        list(
          'Requirements on labels; all must hold.',
          object('One requirement on one label.', {
            key: text('The label key.'),
            operator: text('How key and values relate: In, NotIn, Exists or DoesNotExist.'),
            values: optional(
              list('The values, for In and NotIn; empty otherwise.', text('A label value.')),
            ),
          }),
        ),
      ),
    },
    { atomic: true },
  )

export const configPatches = list(
  'Talos strategic-merge patches, applied in order to the generated machine configuration.',
  freeForm('One patch: a part of a Talos machine configuration, or one configuration document.'),
)

export const additionalConfig = list(
  'Further Talos configuration documents (KubeSpanConfig, UserVolumeConfig, …), appended after the machine configuration.',
  freeForm('One Talos configuration document.'),
)

/** `status.conditions`, with the bounds that Kubernetes gives its own conditions. */
export const conditions = optional(
  list(
    'What is true of this object right now, and why.',
    object('One aspect of the object, observed by the operator.', {
      type: text('Which aspect this is.', {
        maxLength: 316,
        pattern:
          '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
      }),
      status: oneOf('Whether it holds.', ['True', 'False', 'Unknown']),
      observedGeneration: optional(
        integer('The metadata.generation this was judged from.', { format: 'int64', minimum: 0 }),
      ),
      lastTransitionTime: text('When status last changed.', { format: 'date-time' }),
      reason: text('One CamelCase word that programs can rely on.', {
        minLength: 1,
        maxLength: 1024,
        pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
      }),
      message: text('The same for a person, with what to do about it.', { maxLength: 32768 }),
    }),
    { keyedBy: ['type'] },
  ),
)

/** `status.observedGeneration`, the same for every kind. */
export const observedGeneration = optional(
  integer('The metadata.generation that this status was computed from.', {
    format: 'int64',
    minimum: 0,
  }),
)
