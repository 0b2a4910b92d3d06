import { ApiFailure, forbidden } from '#apiserver/failure.ts'
import type { Attributes } from '#apiserver/request.ts'
import type { Decision } from './rbac.ts'

/** The failure that tells a user what they may not do, in the words of Kubernetes. */
export function notAllowed(asked: Attributes, { reason }: Pick<Decision, 'reason'>): ApiFailure {
  const why = `${harmless(sentence(asked))}${reason && `: ${reason}`}`
  if (!asked.isResource) {
    return new ApiFailure(403, `forbidden: ${why}`, { reason: 'Forbidden', details: {} })
  }
  const { group, resource, name } = asked
  return forbidden({ group, kind: resource, ...(name && { name }) }, why)
}

function sentence(asked: Attributes): string {
  const who = `User ${quoted(asked.user.name)} cannot ${asked.verb}`
  if (!asked.isResource) return `${who} path ${quoted(asked.path)}`
  const { resource, subresource, group, namespace } = asked
  const what = subresource ? `${resource}/${subresource}` : resource
  const where = namespace ? `in the namespace ${quoted(namespace)}` : 'at the cluster scope'
  return `${who} resource ${quoted(what)} in API group ${quoted(group)} ${where}`
}

const quoted = (text: string): string => JSON.stringify(text)

/** Nothing of what a client sent may pass for HTML. */
const harmless = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
