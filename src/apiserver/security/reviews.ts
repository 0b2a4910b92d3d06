import { badRequest, invalid } from '#apiserver/failure.ts'
import { type Fields, fieldsAt, isFields, listAt, textAt, timestampOf } from '#apiserver/objects.ts'
import type { Attributes, User } from '#apiserver/request.ts'
import type { PolicyRule } from './policy-rule.ts'
import { missingText, type Rbac } from './rbac.ts'
import { accessReviewErrors } from './review-errors.ts'
import type { TokenVerdict } from './token-verdict.ts'

/** What a review is answered from. */
export interface ReviewContext {
  user: User
  /** Of the path; empty for all but local reviews. */
  namespace: string
  rbac: Rbac
  verifyToken(token: string, audiences?: readonly string[]): TokenVerdict
  now: Date
}

type Answer = (review: Fields, context: ReviewContext) => Fields

/** The answer to a review, which is the body of the response. Fails as Kubernetes does. */
export function answerReview(kind: string, review: Fields, context: ReviewContext): Fields {
  const found = ANSWERS[kind]
  if (!found) throw new Error(`no review is called ${kind}`)
  const answered = found.answer({ ...review, kind }, context)
  return { kind, apiVersion: `${found.group}/v1`, ...answered }
}

function answerAccess(review: Fields, { user, namespace, rbac }: ReviewContext): Fields {
  const kind = textAt(review, 'kind') ?? ''
  const metadata = metadataOf(review, kind === 'LocalSubjectAccessReview' ? namespace : '')
  const errors = accessReviewErrors(kind, { ...review, metadata })
  // The real API has lost the kind of the object when it comes to tell it.
  if (errors.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '' }, errors)
  const spec = fieldsAt(review, 'spec')
  const subject = kind === 'SelfSubjectAccessReview' ? user : subjectIn(spec)
  const { allowed, reason } = rbac.authorize(askedIn(spec, subject))
  return { metadata, spec, status: { allowed, ...(reason && { reason }) } }
}

function metadataOf(review: Fields, namespace: string): Fields {
  const metadata = fieldsAt(review, 'metadata')
  if (!namespace) return metadata
  const own = textAt(metadata, 'namespace') ?? namespace
  if (own === namespace) return { ...metadata, namespace }
  throw badRequest(
    'the namespace of the provided object does not match the namespace sent on the request',
  )
}

const texts = (fields: Fields, key: string): string[] =>
  listAt(fields, key).filter((one) => typeof one === 'string')

const subjectIn = (spec: Fields): User => ({
  name: textAt(spec, 'user') ?? '',
  groups: texts(spec, 'groups'),
})

function askedIn(spec: Fields, user: User): Attributes {
  const isResource = isFields(spec.resourceAttributes)
  const asked = fieldsAt(spec, isResource ? 'resourceAttributes' : 'nonResourceAttributes')
  const text = (key: string) => textAt(asked, key) ?? ''
  return {
    user,
    isResource,
    verb: text('verb'),
    path: text('path'),
    group: text('group'),
    version: text('version') || '*',
    resource: text('resource'),
    subresource: text('subresource'),
    namespace: text('namespace'),
    name: text('name'),
  }
}

const answerRules: Answer = (review, { user, rbac }) => {
  const namespace = textAt(fieldsAt(review, 'spec'), 'namespace')
  if (!namespace) throw badRequest('no namespace on request')
  const { rules, missing } = rbac.rulesFor(user, namespace)
  return {
    metadata: {},
    spec: {},
    status: {
      resourceRules: rules.filter(({ resources }) => resources.length > 0).map(resourceRule),
      nonResourceRules: rules
        .filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
        .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
      incomplete: false,
      ...(missing.length > 0 && { evaluationError: missingText(missing) }),
    },
  }
}

const resourceRule = ({ verbs, apiGroups, resources, resourceNames }: PolicyRule): Fields => ({
  verbs,
  ...(apiGroups.length > 0 && { apiGroups }),
  resources,
  ...(resourceNames.length > 0 && { resourceNames }),
})

const answerSelf: Answer = (_review, { user, now }) => ({
  metadata: { creationTimestamp: timestampOf(now) },
  status: { userInfo: shownUser(user) },
})

const shownUser = ({ name, uid, groups, extra = {} }: User): Fields => ({
  username: name,
  ...(uid && { uid }),
  ...(groups.length > 0 && { groups }),
  ...(Object.keys(extra).length > 0 && { extra }),
})

const answerToken: Answer = (review, { verifyToken }) => {
  const spec = fieldsAt(review, 'spec')
  const token = textAt(spec, 'token')
  if (!token) throw badRequest('token is required for TokenReview in authentication')
  const audiences = texts(spec, 'audiences')
  const verdict = verifyToken(token, audiences.length > 0 ? audiences : undefined)
  return { metadata: fieldsAt(review, 'metadata'), spec, status: tokenStatus(verdict) }
}

function tokenStatus(verdict: TokenVerdict): Fields {
  if ('user' in verdict) {
    const { user, audiences } = verdict
    return { authenticated: true, user: shownUser(user), audiences }
  }
  const { problem } = verdict
  const error = problem ? `[invalid bearer token, ${problem}]` : 'invalid bearer token'
  return { user: {}, error }
}

const ANSWERS: Readonly<Record<string, { group: string; answer: Answer }>> = {
  SelfSubjectAccessReview: { group: 'authorization.k8s.io', answer: answerAccess },
  SubjectAccessReview: { group: 'authorization.k8s.io', answer: answerAccess },
  LocalSubjectAccessReview: { group: 'authorization.k8s.io', answer: answerAccess },
  SelfSubjectRulesReview: { group: 'authorization.k8s.io', answer: answerRules },
  SelfSubjectReview: { group: 'authentication.k8s.io', answer: answerSelf },
  TokenReview: { group: 'authentication.k8s.io', answer: answerToken },
}
