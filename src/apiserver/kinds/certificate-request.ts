import {
  duplicateField,
  type FieldError,
  invalidField,
  notSupported,
  required,
} from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, isFields, listAt, textAt } from '#apiserver/objects.ts'
import { checkText, duplicateFinder } from './field-checks.ts'
import { childOf } from './fill.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import { pemBlocksIn } from './pem.ts'

/** Requests for certificates: nobody signs them here. */
export const certificateSigningRequest: BuiltinBehaviour = builtin({
  newStatus: () => ({}),
  setDefaults(object) {
    childOf(object, 'status')
  },
  prepareCreate(object, { user }) {
    const spec = childOf(object, 'spec')
    spec.username = user.name
    spec.groups = [...user.groups]
    if (user.uid) spec.uid = user.uid
    else delete spec.uid
    if (user.extra) spec.extra = { ...user.extra }
    else delete spec.extra
  },
  prepareUpdate(object, old, context) {
    object.spec = old.spec
    if (context.subresource !== 'approval') return
    const { conditions } = fieldsAt(object, 'status')
    const dated = listAt({ conditions }, 'conditions')
      .filter(isFields)
      .map((one) => ({
        ...one,
        lastTransitionTime: one.lastTransitionTime ?? context.now,
      }))
    const status = fieldsAt(old, 'status')
    object.status = { ...status, ...(conditions !== undefined && { conditions: dated }) }
  },
  validate(object, old) {
    if (old) return []
    const spec = fieldsAt(object, 'spec')
    return [
      ...validateRequest(spec),
      ...validateUsages(listAt(spec, 'usages')),
      ...checkText(spec.signerName, 'spec.signerName'),
      ...validateLife(spec.expirationSeconds),
    ]
  },
})

function validateRequest(spec: Fields): FieldError[] {
  const request = textAt(spec, 'request') ?? ''
  const [first] = pemBlocksIn(Buffer.from(request, 'base64').toString())
  return first?.type === 'CERTIFICATE REQUEST'
    ? []
    : [invalidField('spec.request', request || null, 'PEM block type must be CERTIFICATE REQUEST')]
}

const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
]

function validateUsages(usages: readonly unknown[]): FieldError[] {
  if (usages.length === 0) return [required('spec.usages', '')]
  const isDuplicate = duplicateFinder()
  const names = usages.map(String)
  return [
    ...names.flatMap((usage, index) =>
      USAGES.includes(usage) ? [] : [notSupported(`spec.usages[${index}]`, usage, USAGES)],
    ),
    ...names.flatMap((usage, index) =>
      isDuplicate(usage) ? [duplicateField(`spec.usages[${index}]`, usage)] : [],
    ),
  ]
}

const validateLife = (seconds: unknown): FieldError[] =>
  typeof seconds === 'number' && seconds < 600
    ? [
        invalidField(
          'spec.expirationSeconds',
          seconds,
          'may not specify a duration less than 600 seconds (10 minutes)',
        ),
      ]
    : []
