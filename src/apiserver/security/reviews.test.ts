import { describe, expect, onTestFinished, test } from 'vitest'
import { ApiFailure } from '#apiserver/failure.ts'
import type { Fields } from '#apiserver/objects.ts'
import type { User } from '#apiserver/request.ts'
import { aBinding, aRole, aStore, toGroup, toUser } from './a-store.cases.ts'
import { Rbac } from './rbac.ts'
import { answerReview } from './reviews.ts'

const bob: User = { name: 'bob', uid: '7', groups: ['system:authenticated'], extra: { a: ['b'] } }
const pods = { namespace: 'default', verb: 'list', resource: 'pods' }
const ALLOWED = {
  allowed: true,
  reason: 'RBAC: allowed by RoleBinding "b/default" of Role "r" to User "bob"',
}

async function reviews(user: User = bob) {
  const { store } = await aStore(
    Object.fromEntries([
      aRole(
        'r',
        [{ apiGroups: [''], resources: ['pods'], verbs: ['list'], resourceNames: [] }],
        'default',
      ),
      aBinding({ name: 'b', namespace: 'default', role: 'Role/r', subjects: [toUser('bob')] }),
      aBinding({ name: 'c', namespace: 'default', role: 'Role/gone', subjects: [toUser('bob')] }),
      aRole('paths', [{ nonResourceURLs: ['/api'], verbs: ['get'] }]),
      aBinding({
        name: 'p',
        role: 'ClusterRole/paths',
        subjects: [toGroup('system:authenticated')],
      }),
    ]),
  )
  const rbac = new Rbac(store)
  onTestFinished(() => rbac[Symbol.dispose]())
  return (kind: string, review: Fields, namespace = '') => {
    try {
      return answerReview(kind, review, {
        user,
        namespace,
        rbac,
        verifyToken: (token, audiences = ['api']) =>
          token === 'good'
            ? { user: bob, audiences }
            : { problem: token === 'old' ? 'why' : undefined },
        now: new Date('2026-01-01T00:00:00.123Z'),
      })
    } catch (error) {
      return error instanceof ApiFailure ? error.status : error
    }
  }
}

describe('an access review', () => {
  test('tells the asking user what they may do', async () => {
    const ask = await reviews()

    expect(ask('SelfSubjectAccessReview', { spec: { resourceAttributes: pods } })).toEqual({
      kind: 'SelfSubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec: { resourceAttributes: pods },
      status: ALLOWED,
    })
    const path = { nonResourceAttributes: { verb: 'get', path: '/api' } }
    expect(ask('SelfSubjectAccessReview', { spec: path })).toMatchObject({
      status: { allowed: true },
    })
  })

  test('says no without a reason, unless something stands in the way', async () => {
    const ask = await reviews()
    const spec = { resourceAttributes: { ...pods, verb: 'delete' } }

    expect(ask('SelfSubjectAccessReview', { spec })).toMatchObject({
      status: {
        allowed: false,
        reason: 'RBAC: role.rbac.authorization.k8s.io "gone" not found',
      },
    })
    expect(ask('SubjectAccessReview', { spec: { ...spec, user: 'eve' } })).toMatchObject({
      status: expect.toSatisfy((status: Fields) => Object.keys(status).join() === 'allowed'),
    })
  })

  test('about somebody else looks at them only, not at who asks', async () => {
    const ask = await reviews({ name: 'root', groups: ['system:masters'] })
    const about = (subject: Fields) =>
      ask('SubjectAccessReview', { spec: { ...subject, resourceAttributes: pods } })

    expect(about({ user: 'eve' })).toMatchObject({ status: { allowed: false } })
    expect(about({ user: 'bob' })).toMatchObject({ status: ALLOWED })
    expect(about({ groups: ['system:masters'] })).toMatchObject({ status: { allowed: true } })
  })

  test('of a namespace is about that namespace', async () => {
    const ask = await reviews()
    const spec = { user: 'bob', resourceAttributes: pods }

    expect(ask('LocalSubjectAccessReview', { spec }, 'default')).toMatchObject({
      metadata: { namespace: 'default' },
      status: ALLOWED,
    })
    expect(
      ask('LocalSubjectAccessReview', { metadata: { namespace: 'other' }, spec }, 'default'),
    ).toMatchObject({
      message:
        'the namespace of the provided object does not match the namespace sent on the request',
      code: 400,
    })
    const elsewhere = { ...spec, resourceAttributes: { ...pods, namespace: 'other' } }
    expect(ask('LocalSubjectAccessReview', { spec: elsewhere }, 'default')).toMatchObject({
      message:
        '.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace',
    })
    const path = { user: 'bob', nonResourceAttributes: { verb: 'get', path: '/x' } }
    expect(ask('LocalSubjectAccessReview', { spec: path }, 'default')).toMatchObject({
      message:
        '.authorization.k8s.io "" is invalid: spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: disallowed on this kind of request',
    })
  })

  test.each([
    [
      { spec: {} },
      'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
    ],
    [
      { spec: { resourceAttributes: {}, nonResourceAttributes: { verb: 'get', path: '/api' } } },
      'spec.nonResourceAttributes: Invalid value: {"Path":"/api","Verb":"get"}: cannot be specified in combination with resourceAttributes',
    ],
    [
      { metadata: { name: 'x' }, spec: { resourceAttributes: {} } },
      'metadata: Invalid value: {"name":"x"}: must be empty',
    ],
    [
      { spec: { resourceAttributes: { labelSelector: {} } } },
      'spec.resourceAttributes.labelSelector.requirements: Required value: when spec.resourceAttributes.labelSelector is specified, requirements or rawSelector is required',
    ],
  ])('is refused as Kubernetes refuses it: %j', async (review, message) => {
    const ask = await reviews()

    expect(ask('SelfSubjectAccessReview', review)).toMatchObject({
      message: `.authorization.k8s.io "" is invalid: ${message}`,
      code: 422,
    })
  })

  test('must say about whom', async () => {
    const ask = await reviews()

    expect(ask('SubjectAccessReview', { spec: { resourceAttributes: {} } })).toMatchObject({
      message:
        '.authorization.k8s.io "" is invalid: spec.user: Invalid value: "": at least one of user or group must be specified',
    })
  })
})

test('a rules review lists what the user may do in a namespace', async () => {
  const ask = await reviews()

  expect(ask('SelfSubjectRulesReview', { spec: { namespace: 'default' } })).toEqual({
    kind: 'SelfSubjectRulesReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec: {},
    status: {
      resourceRules: [{ verbs: ['list'], apiGroups: [''], resources: ['pods'] }],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/api'] }],
      incomplete: false,
      evaluationError: 'role.rbac.authorization.k8s.io "gone" not found',
    },
  })
  expect(ask('SelfSubjectRulesReview', { spec: {} })).toMatchObject({
    message: 'no namespace on request',
    code: 400,
  })
})

test('a self review tells the user who they are', async () => {
  const ask = await reviews()

  expect(ask('SelfSubjectReview', { metadata: { name: 'x' } })).toEqual({
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { creationTimestamp: '2026-01-01T00:00:00Z' },
    status: {
      userInfo: {
        username: 'bob',
        uid: '7',
        groups: ['system:authenticated'],
        extra: { a: ['b'] },
      },
    },
  })
})

test('a token review tells whose token it is, or what is wrong with it', async () => {
  const ask = await reviews()
  const status = (spec: Fields) => (ask('TokenReview', { spec }) as Fields).status // a review or a failure, both objects

  expect(ask('TokenReview', { spec: { token: 'good' } })).toMatchObject({
    kind: 'TokenReview',
    apiVersion: 'authentication.k8s.io/v1',
    spec: { token: 'good' },
    status: { authenticated: true, user: { username: 'bob' }, audiences: ['api'] },
  })
  expect(status({ token: 'good', audiences: ['vault'] })).toMatchObject({ audiences: ['vault'] })
  expect(status({ token: 'old' })).toEqual({ user: {}, error: '[invalid bearer token, why]' })
  expect(status({ token: 'abc' })).toEqual({ user: {}, error: 'invalid bearer token' })
  expect(ask('TokenReview', { spec: {} })).toMatchObject({
    message: 'token is required for TokenReview in authentication',
    code: 400,
  })
})
