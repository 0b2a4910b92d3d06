import {
  type FieldError,
  forbiddenField,
  invalidField,
  notSupported,
  required,
} from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, isFields, listAt, textAt } from '#apiserver/objects.ts'

const path = 'spec.conversion'

/** What is wrong with how a CRD wants its versions to be converted. There are no webhooks here. */
export function conversionErrors(spec: Fields): FieldError[] {
  const conversion = fieldsAt(spec, 'conversion')
  const strategy = textAt(conversion, 'strategy')
  if (!strategy) return [required(`${path}.strategy`, '')]
  if (strategy === 'Webhook') {
    const detail = 'conversion webhooks are not supported by the embedded API: use None'
    return [invalidField(`${path}.strategy`, strategy, detail)]
  }
  if (strategy !== 'None') return [notSupported(`${path}.strategy`, strategy, ['None', 'Webhook'])]
  const webhook = fieldsAt(conversion, 'webhook')
  const detail = 'should not be set when strategy is not set to Webhook'
  return [
    ...(isFields(webhook.clientConfig)
      ? [forbiddenField(`${path}.webhookClientConfig`, detail)]
      : []),
    ...(listAt(webhook, 'conversionReviewVersions').length > 0
      ? [forbiddenField(`${path}.conversionReviewVersions`, detail)]
      : []),
  ]
}
