import { type FieldError, invalidField, required } from '#apiserver/field-error.ts'
import { dnsSubdomain } from '#apiserver/metadata/name-rules.ts'
import { type Fields, listAt, textAt } from '#apiserver/objects.ts'
import { checkOneOf, checkText } from './field-checks.ts'
import { childOf, fill, itemsOf, partOf } from './fill.ts'
import { type BuiltinBehaviour, builtin, changesOf } from './kind-behaviour.ts'

const configuration = (own: Fields): BuiltinBehaviour =>
  builtin({
    hasGeneration: true,
    allowsUnconditionalUpdate: false,
    countsAsChange: changesOf('webhooks'),
    setDefaults(object) {
      for (const webhook of itemsOf(object, 'webhooks')) {
        fill(webhook, {
          failurePolicy: 'Fail',
          matchPolicy: 'Equivalent',
          namespaceSelector: {},
          objectSelector: {},
          timeoutSeconds: 10,
          ...own,
        })
        setRuleScopes(webhook, 'rules')
        const target = partOf(childOf(webhook, 'clientConfig'), 'service')
        if (target) fill(target, { port: 443 })
      }
    },
    validate: (object) =>
      itemsOf(object, 'webhooks').flatMap((webhook, index) =>
        validateWebhook(webhook, `webhooks[${index}]`),
      ),
  })

/** Configurations of webhooks: they are kept, and nobody is called. */
export const validatingWebhooks: BuiltinBehaviour = configuration({})
export const mutatingWebhooks: BuiltinBehaviour = configuration({ reinvocationPolicy: 'Never' })

function setRuleScopes(holder: Fields, key: string): void {
  for (const rule of itemsOf(holder, key)) fill(rule, { scope: '*' })
}

function validateWebhook(webhook: Fields, field: string): FieldError[] {
  const config = partOf(webhook, 'clientConfig') ?? {}
  const { timeoutSeconds: timeout } = webhook
  const errors = [
    ...checkText(webhook.name, `${field}.name`, threePartName),
    ...checkOneOf(webhook.failurePolicy, `${field}.failurePolicy`, ['Fail', 'Ignore']),
    ...checkOneOf(webhook.matchPolicy, `${field}.matchPolicy`, ['Equivalent', 'Exact']),
    ...(webhook.sideEffects == null
      ? [required(`${field}.sideEffects`, 'must specify one of None, NoneOnDryRun')]
      : checkOneOf(webhook.sideEffects, `${field}.sideEffects`, ['None', 'NoneOnDryRun'])),
  ]
  if (typeof timeout === 'number' && (timeout < 1 || timeout > 30))
    errors.push(
      invalidField(
        `${field}.timeoutSeconds`,
        timeout,
        'the timeout value must be between 1 and 30 seconds',
      ),
    )
  if ((textAt(config, 'url') === undefined) === (partOf(config, 'service') === undefined))
    errors.push(required(`${field}.clientConfig`, 'exactly one of url or service is required'))
  if (listAt(webhook, 'admissionReviewVersions').length === 0)
    errors.push(required(`${field}.admissionReviewVersions`, 'must specify one of v1, v1beta1'))
  return errors
}

const threePartName = (name: string): string[] => {
  const problems = dnsSubdomain(name)
  if (problems.length > 0) return [problems.join(',')]
  return name.split('.').length < 3
    ? ['should be a domain with at least three segments separated by dots']
    : []
}

/** Policies that are written in CEL: they are kept, and nothing is checked by them. */
export const admissionPolicy: BuiltinBehaviour = builtin({
  hasGeneration: true,
  allowsUnconditionalUpdate: false,
  statusKeepsMetadata: true,
  setDefaults(object) {
    setPolicyDefaults(object)
    childOf(object, 'status')
  },
  newStatus: () => ({}),
})

/** The same for those that change what is written; they have no status. */
export const mutatingPolicy: BuiltinBehaviour = builtin({
  hasGeneration: true,
  allowsUnconditionalUpdate: false,
  setDefaults: setPolicyDefaults,
})

/** What such a policy is for. */
export const policyBinding: BuiltinBehaviour = builtin({
  hasGeneration: true,
  allowsUnconditionalUpdate: false,
  setDefaults(object) {
    const resources = partOf(childOf(object, 'spec'), 'matchResources')
    if (resources) setMatchDefaults(resources)
  },
})

function setPolicyDefaults(object: Fields): void {
  const spec = childOf(object, 'spec')
  fill(spec, { failurePolicy: 'Fail' })
  const constraints = partOf(spec, 'matchConstraints')
  if (constraints) setMatchDefaults(constraints)
}

function setMatchDefaults(match: Fields): void {
  fill(match, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} })
  setRuleScopes(match, 'resourceRules')
  setRuleScopes(match, 'excludeResourceRules')
}
