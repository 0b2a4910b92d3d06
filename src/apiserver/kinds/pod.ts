import { type FieldError, forbiddenField, invalidField } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import { childOf, fill, isSame, itemsOf, takeOver } from './fill.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import { admitPod, bearWithNodes } from './pod-admission.ts'
import { qosClassOf } from './pod-qos.ts'
import { requestLimits, setPodSpecDefaults } from './pod-spec.ts'
import { validatePodSpec } from './pod-spec-rules.ts'
import { fieldSelector, flagSelector } from './selectable.ts'
import type { Surroundings } from './surroundings.ts'

/** Pods: nothing runs them here, so they stay what they are until someone writes their status. */
export const pod = (surroundings: Surroundings): BuiltinBehaviour =>
  builtin({
    hasGeneration: true,
    setDefaults(object) {
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
        ? []
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

/** Kubelets write the status; what they do not know is kept for them. */
function keepForStatus(object: Fields, old: Fields): void {
  const metadata = childOf(object, 'metadata')
  takeOver(metadata, fieldsAt(old, 'metadata'), 'ownerReferences')
  const status = childOf(object, 'status')
  if (!status.qosClass) takeOver(status, fieldsAt(old, 'status'), 'qosClass')
}

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
  for (const key of ['containers', 'initContainers'])
    if (itemsOf(spec, key).length !== itemsOf(oldSpec, key).length)
      return [forbiddenField(`spec.${key}`, 'pod updates may not add or remove containers')]
  const errors = [
    ...validateDeadline(spec.activeDeadlineSeconds, oldSpec.activeDeadlineSeconds),
    ...refuseRemovedTolerations(spec, oldSpec),
  ]
  if (!isSame(frozenPart(spec), frozenPart(oldSpec)))
    errors.push(
      forbiddenField('spec', `pod updates may not change fields other than ${changeable}`),
    )
  return errors
}

function refuseRemovedTolerations(spec: Fields, old: Fields): FieldError[] {
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
    : []
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
  return value > old
    ? [invalidField(field, value, 'must be less than or equal to previous value')]
    : []
}
