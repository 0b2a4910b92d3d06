import { expect, test } from 'vitest'
import { OperatorError } from '#base/operator-error.ts'
import { ApiError } from '#kube/api-error.ts'
import { failureCode, failureWords } from './failure-code.ts'

const forbidden = (message: string) => new ApiError(message, { status: 403, reason: 'Forbidden' })

test.each([
  ['a refusal of the API server', forbidden('no'), 'Forbidden'],
  ['another answer of it', new ApiError('no', { status: 500, reason: 'Any' }), 'UnknownError'],
  [
    'what we know by name',
    new OperatorError('MachineRefused', { message: 'no' }),
    'MachineRefused',
  ],
  ['anything else', 'a text', 'UnknownError'],
])('%s has its code', (_what, failure, code) => {
  expect(failureCode(failure)).toBe(code)
})

test('the rule is named that the server says is missing', () => {
  const said =
    'could not create talosmachines a/b: talosmachines.talos.alperen.cloud is forbidden: User "system:serviceaccount:ops:operator" cannot create resource "talosmachines" in API group "talos.alperen.cloud" in the namespace "a"'

  expect(failureWords(forbidden(said))).toBe(
    `${said}. The operator’s role lacks the rule {apiGroups: ["talos.alperen.cloud"], resources: ["talosmachines"], verbs: ["create"]}: apply the roles of this version, or add it`,
  )
})

test.each([
  forbidden('exceeded quota: pods'),
  new Error('cannot get resource "a" in API group "b"'),
])('what is no missing rule is said as it is: %s', (failure) => {
  expect(failureWords(failure)).toBe(failure.message)
})
