import { type FieldError, invalidField, required } from '#apiserver/field-error.ts'
import { labelValue, qualifiedName, validateLabels } from '#apiserver/metadata/label-rules.ts'
import { dnsLabel, dnsSubdomain } from '#apiserver/metadata/name-rules.ts'
import { validateAnnotations } from '#apiserver/metadata/validate-metadata.ts'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import {
  type ContainerSurroundings,
  refuseLife,
  validateContainer,
  validateLife,
} from './container-rules.ts'
import { checkLeast, checkOneOf, checkRule, duplicateFinder, nameIn } from './field-checks.ts'
import { itemsOf } from './fill.ts'
import { validateHostAliases } from './host-alias-rules.ts'
import { validateVolumes } from './volume-rules.ts'

/** What is wrong with a pod's spec, wherever it stands. */
export function validatePodSpec(spec: Fields, field: string): FieldError[] {
  return [
    ...validateVolumes(spec, `${field}.volumes`),
    ...validateContainers(spec, field),
    ...checkOneOf(spec.restartPolicy, `${field}.restartPolicy`, ['Always', 'OnFailure', 'Never']),
    ...checkOneOf(spec.dnsPolicy, `${field}.dnsPolicy`, [
      'ClusterFirstWithHostNet',
      'ClusterFirst',
      'Default',
      'None',
    ]),
    ...validateLabels(fieldsAt(spec, 'nodeSelector'), `${field}.nodeSelector`),
    ...validateSpread(spec, `${field}.topologySpreadConstraints`),
    ...checkRule(spec.serviceAccountName, `${field}.serviceAccountName`, dnsSubdomain),
    ...checkRule(spec.nodeName, `${field}.nodeName`, dnsSubdomain),
    ...validateDeadline(spec.activeDeadlineSeconds, `${field}.activeDeadlineSeconds`),
    ...checkRule(spec.hostname, `${field}.hostname`, dnsLabel),
    ...checkRule(spec.subdomain, `${field}.subdomain`, dnsLabel),
    ...validateTolerations(spec, `${field}.tolerations`),
    ...validateHostAliases(spec, `${field}.hostAliases`),
    ...checkRule(spec.priorityClassName, `${field}.priorityClassName`, dnsSubdomain),
    ...checkOneOf(spec.preemptionPolicy, `${field}.preemptionPolicy`, [
      'PreemptLowerPriority',
      'Never',
    ]),
  ]
}

/** What is wrong with a template of pods. Its metadata is told of as a part of its own. */
export function validateTemplate(template: Fields, field: string): FieldError[] {
  const metadata = fieldsAt(template, 'metadata')
  return [
    ...validateLabels(fieldsAt(metadata, 'labels'), `${field}.labels`),
    ...validateAnnotations(fieldsAt(metadata, 'annotations'), `${field}.annotations`),
    ...validatePodSpec(fieldsAt(template, 'spec'), `${field}.spec`),
  ]
}

function validateContainers(spec: Fields, field: string): FieldError[] {
  const containers = itemsOf(spec, 'containers')
  const surroundings: ContainerSurroundings = {
    volumes: new Set(itemsOf(spec, 'volumes').map((volume) => nameIn(volume))),
    isDuplicate: duplicateFinder(),
  }
  return [
    ...(containers.length === 0 ? [required(`${field}.containers`, '')] : []),
    ...containers.flatMap((container, index) => {
      const at = `${field}.containers[${index}]`
      return [...validateContainer(container, at, surroundings), ...validateLife(container, at)]
    }),
    ...itemsOf(spec, 'initContainers').flatMap((container, index) => {
      const at = `${field}.initContainers[${index}]`
      const keepsRunning = container.restartPolicy === 'Always'
      return [
        ...validateContainer(container, at, surroundings),
        ...(keepsRunning ? validateLife(container, at) : refuseLife(container, at)),
      ]
    }),
  ]
}

const mostSeconds = 2 ** 31 - 1

const validateDeadline = (value: unknown, field: string): FieldError[] =>
  typeof value === 'number' && (value < 1 || value > mostSeconds)
    ? [invalidField(field, value, `must be between 1 and ${mostSeconds}, inclusive`)]
    : []

const validateSpread = (spec: Fields, field: string): FieldError[] =>
  itemsOf(spec, 'topologySpreadConstraints').flatMap((constraint, index) => {
    const at = `${field}[${index}]`
    return [
      ...(typeof constraint.maxSkew === 'number' && constraint.maxSkew > 0
        ? []
        : [invalidField(`${at}.maxSkew`, constraint.maxSkew ?? 0, 'must be greater than zero')]),
      ...(nameIn(constraint, 'topologyKey')
        ? []
        : [required(`${at}.topologyKey`, 'can not be empty')]),
      ...checkOneOf(constraint.whenUnsatisfiable, `${at}.whenUnsatisfiable`, [
        'DoNotSchedule',
        'ScheduleAnyway',
      ]),
      ...checkLeast(constraint.minDomains, `${at}.minDomains`, 1),
    ]
  })

/** What is wrong with the tolerations of a pod. */
export const validateTolerations = (spec: Fields, field: string): FieldError[] =>
  itemsOf(spec, 'tolerations').flatMap((toleration, index) =>
    validateToleration(toleration, `${field}[${index}]`),
  )

function validateToleration(toleration: Fields, field: string): FieldError[] {
  const { operator = '', effect = '' } = toleration
  const key = nameIn(toleration, 'key')
  const errors = checkRule(key, `${field}.key`, qualifiedName)
  if (!key && operator !== 'Exists')
    errors.push(
      invalidField(
        `${field}.operator`,
        operator,
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ),
    )
  if (toleration.tolerationSeconds != null && effect !== 'NoExecute')
    errors.push(
      invalidField(
        `${field}.effect`,
        effect,
        "effect must be 'NoExecute' when `tolerationSeconds` is set",
      ),
    )
  errors.push(...validateTolerated(toleration, `${field}.operator`))
  if (effect) errors.push(...checkOneOf(effect, `${field}.effect`, effects))
  return errors
}

function validateTolerated({ operator = '', ...rest }: Fields, field: string): FieldError[] {
  const value = nameIn(rest, 'value')
  if (operator === '' || operator === 'Equal') {
    const problems = labelValue(value)
    return problems.length > 0 ? [invalidField(field, value, problems.join(';'))] : []
  }
  if (operator === 'Exists')
    return value
      ? [invalidField(field, value, "value must be empty when `operator` is 'Exists'")]
      : []
  return checkOneOf(operator, field, ['Equal', 'Exists'])
}

/** What a taint does to pods that do not tolerate it. */
export const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const
