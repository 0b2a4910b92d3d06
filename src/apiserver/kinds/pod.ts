import { type FieldError, forbiddenField, invalidField } from '#apiserver/field-error.ts'
import { qualifiedName } from '#apiserver/metadata/label-rules.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import { validateImage } from './container-rules.ts'
import { childOf, fill, isSame, itemsOf, partOf, takeOver } from './fill.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import { admitPod, bearWithNodes } from './pod-admission.ts'
import { qosClassOf } from './pod-qos.ts'
import { requestLimits, setPodSpecDefaults } from './pod-spec.ts'
import { validatePodSpec, validateTolerations } from './pod-spec-rules.ts'
import { fieldSelector, flagSelector } from './selectable.ts'
import type { Surroundings } from './surroundings.ts'

/** Pods: nothing runs them here, so they stay what they are until someone writes their status. */
export const pod = (surroundings: Surroundings): BuiltinBehaviour =>
  builtin({
    hasGeneration: true,
    statusKeeps: [
      ['f:metadata', 'f:deletionTimestamp'],
      ['f:metadata', 'f:ownerReferences'],
    ],
    setDefaults(object) {
      agreeOnAddress(object)
      const spec = childOf(object, 'spec')
      setPodSpecDefaults(spec)
      requestLimits(spec)
      fill(spec, { enableServiceLinks: true })
    },
    // Admission comes before the class of service is told from what the containers ask for.
    newStatus(object) {
      admitPod(object, surroundings)
      return { phase: 'Pending', qosClass: qosClassOf(fieldsAt(object, 'spec')) }
    },
    prepareUpdate(object, old, context) {
      if (context.subresource === 'status') keepForStatus(object, old)
      else if (!context.subresource) bearWithNodes(childOf(object, 'spec'))
    },
    validate: (object, old, context) => [
      ...(context.subresource === 'status'
        ? validateConditions(fieldsAt(object, 'status'))
        : validatePodSpec(fieldsAt(object, 'spec'), 'spec')),
      ...(old && !context.subresource ? validateChange(object, old) : []),
    ],
    gracePeriodSeconds,
    selectableFields: {
      'spec.nodeName': fieldSelector('spec', 'nodeName'),
      'spec.restartPolicy': fieldSelector('spec', 'restartPolicy'),
      'spec.schedulerName': fieldSelector('spec', 'schedulerName'),
      'spec.serviceAccountName': fieldSelector('spec', 'serviceAccountName'),
      'spec.hostNetwork': flagSelector('spec', 'hostNetwork'),
      'status.phase': fieldSelector('status', 'phase'),
      'status.podIP': fieldSelector('status', 'podIP'),
      'status.nominatedNodeName': fieldSelector('status', 'nominatedNodeName'),
    },
  })

/** The first of a pod's addresses is told twice; where the two differ, the one that is older counts. */
function agreeOnAddress(object: Fields): void {
  const status = partOf(object, 'status')
  if (!status) return
  const [first] = itemsOf(status, 'podIPs')
  const address = textAt(status, 'podIP')
  if (address && textAt(first ?? {}, 'ip') !== address) status.podIPs = [{ ip: address }]
  else if (first && textAt(first, 'ip')) status.podIP = first.ip
}

/** Kubelets write the status; what they do not know is kept for them. */
function keepForStatus(object: Fields, old: Fields): void {
  const metadata = childOf(object, 'metadata')
  takeOver(metadata, fieldsAt(old, 'metadata'), 'ownerReferences')
  const status = childOf(object, 'status')
  if (!status.qosClass) takeOver(status, fieldsAt(old, 'status'), 'qosClass')
}

const ownConditions = new Set(['PodScheduled', 'Ready', 'Initialized'])

const validateConditions = (status: Fields): FieldError[] =>
  itemsOf(status, 'conditions').flatMap((condition, index) => {
    const type = textAt(condition, 'type') ?? ''
    const problems = ownConditions.has(type) ? [] : qualifiedName(type)
    return problems.map((problem) =>
      invalidField(`status.conditions[${index}].Type`, type, problem),
    )
  })

/** A pod that runs nowhere, or has ended, needs no time to end. */
function gracePeriodSeconds(object: Fields, asked: number | undefined): number {
  const spec = fieldsAt(object, 'spec')
  const phase = textAt(fieldsAt(object, 'status'), 'phase')
  if (!textAt(spec, 'nodeName') || phase === 'Failed' || phase === 'Succeeded') return 0
  const own = spec.terminationGracePeriodSeconds
  const seconds = asked ?? (typeof own === 'number' ? own : 0)
  return seconds < 0 ? 1 : seconds
}

const changeable =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

function validateChange(object: Fields, old: Fields): FieldError[] {
  const [spec, oldSpec] = [fieldsAt(object, 'spec'), fieldsAt(old, 'spec')]
  const errors: FieldError[] = []
  for (const key of ['containers', 'initContainers']) {
    const containers = itemsOf(spec, key)
    if (containers.length !== itemsOf(oldSpec, key).length)
      return [
        ...errors,
        forbiddenField(`spec.${key}`, 'pod updates may not add or remove containers'),
      ]
    for (const [index, container] of containers.entries())
      errors.push(...validateImage(container, `spec.${key}[${index}]`))
  }
  errors.push(...validateDeadline(spec.activeDeadlineSeconds, oldSpec.activeDeadlineSeconds))
  if (isPostponed(spec.activeDeadlineSeconds, oldSpec.activeDeadlineSeconds)) return errors
  errors.push(...validateTolerationsChange(spec, oldSpec))
  if (!isSame(frozenPart(spec), frozenPart(oldSpec)))
    errors.push(
      forbiddenField('spec', `pod updates may not change fields other than ${changeable}`),
    )
  return errors
}

/** Kubernetes looks no further then. */
const isPostponed = (value: unknown, old: unknown): boolean =>
  typeof value === 'number' && typeof old === 'number' && value > old

function validateTolerationsChange(spec: Fields, old: Fields): FieldError[] {
  const timeless = ({ tolerationSeconds: _seconds, ...toleration }: Fields): Fields => toleration
  const kept = itemsOf(spec, 'tolerations').map(timeless)
  const removed = itemsOf(old, 'tolerations')
    .map(timeless)
    .some((one) => !kept.some((other) => isSame(one, other)))
  return removed
    ? [
        forbiddenField(
          'spec.tolerations',
          'existing toleration can not be modified except its tolerationSeconds',
        ),
      ]
    : validateTolerations(spec, 'spec.tolerations')
}

function frozenPart(spec: Fields): Fields {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, ...rest } = spec
  const withoutImage = ({ image: _image, ...container }: Fields): Fields => container
  return {
    ...rest,
    containers: itemsOf(spec, 'containers').map(withoutImage),
    initContainers: itemsOf(spec, 'initContainers').map(withoutImage),
  }
}

function validateDeadline(value: unknown, old: unknown): FieldError[] {
  if (typeof old !== 'number' || value === old) return []
  const field = 'spec.activeDeadlineSeconds'
  if (typeof value !== 'number')
    return [invalidField(field, null, 'must not update from a positive integer to nil value')]
  return isPostponed(value, old)
    ? [invalidField(field, value, 'must be less than or equal to previous value')]
    : []
}
