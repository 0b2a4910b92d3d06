import type { Fields } from '#apiserver/objects.ts'
import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import type { Stage } from '#test/conformance/apiserver/stage.ts'
import { at, textAt } from '#test/conformance/apiserver/values.ts'
import { APPLY, configMap, configMapsOf, MERGE, pathIn, widget, widgetsOf } from './objects.ts'

const RBAC = 'rbac.authorization.k8s.io/v1'
const silent = { show: () => '' }
const jane = { as: 'jane' }

const rolesOf = (stage: Stage, plural = 'roles'): string => pathIn(stage)(RBAC, plural)
const rule = (verbs: string[], resources: string[], rest: Fields = {}): Fields => ({
  apiGroups: [''],
  resources,
  verbs,
  ...rest,
})

/** Given beside all other rights: it tells when they have arrived. */
const MARK = rule(['get'], ['podtemplates'])

/** Gives a user of the API these rights in the namespace of the case. */
async function allow(
  stage: Stage,
  rules: Fields[],
  subject: Fields = { kind: 'User', name: 'jane' },
): Promise<void> {
  await stage.quietly({
    method: 'POST',
    path: rolesOf(stage),
    body: { metadata: { name: 'r' }, rules: [...rules, MARK] },
  })
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' }
  const body = { metadata: { name: 'r' }, roleRef, subjects: [subject] }
  await stage.quietly({ method: 'POST', path: rolesOf(stage, 'rolebindings'), body })
}

const may = (verb: string, resource: string, rest: Fields = {}): Fields => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  spec: { resourceAttributes: { verb, resource, ...rest } },
})

const TRIES = 500
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'

/** Waits until the rights that were given have reached the authorizer. */
async function untilAllowed(stage: Stage): Promise<void> {
  for (let count = 0; count < TRIES; count += 1) {
    const body = may('get', 'podtemplates', { namespace: stage.id })
    const answer = await stage.quietly({ method: 'POST', path: REVIEWS, body, as: 'jane' })
    if (at(answer.body, 'status', 'allowed') === true) return
  }
  throw new Error('the right was never given')
}

const forbidden: Case[] = [
  asking('a user without rights is told what they lack', async (stage) => {
    const path = configMapsOf(stage)
    await stage.get(path, jane)
    await stage.get(`${path}/a`, jane)
    await stage.get(`${path}?watch=true`, jane)
    await stage.post(path, configMap('a'), jane)
    await stage.put(`${path}/a`, configMap('a'), jane)
    await stage.patch(`${path}/a`, {}, { contentType: MERGE, ...jane })
    await stage.patch(`${path}/a?fieldManager=x`, configMap('a'), { contentType: APPLY, ...jane })
    await stage.delete(`${path}/a`, undefined, jane)
    await stage.delete(path, undefined, jane)
  }),
  asking('a user without rights on custom objects', async (stage) => {
    await stage.get(widgetsOf(stage), jane)
    await stage.get(`${widgetsOf(stage, 'a')}/status`, jane)
    await stage.put(`${widgetsOf(stage, 'a')}/scale`, {}, jane)
    await stage.post(widgetsOf(stage), widget(stage, 'a'), jane)
  }),
  asking('a user without rights on the cluster', async (stage) => {
    await stage.get('/api/v1/nodes', jane)
    await stage.get('/api/v1/configmaps', jane)
    await stage.get('/api/v1/namespaces/x', jane)
    await stage.get(`/apis/${stage.group}/v1/gadgets/x`, jane)
    await stage.get('/apis/apps/v1/namespaces/default/deployments', jane)
  }),
  asking('a user may read what all may read', async (stage) => {
    for (const path of [
      '/version',
      '/healthz',
      '/livez',
      '/readyz',
      '/api',
      '/apis',
      '/openapi/v3',
      '/metrics',
      '/logs',
      '/nothing',
    ]) {
      await stage.get(path, {
        ...jane,
        show: (body) => (at(body, 'kind') === 'Status' ? body : 'something'),
      })
    }
  }),
  asking('nobody may read almost nothing', async (stage) => {
    const token = ''
    for (const path of ['/version', '/healthz', '/livez', '/readyz']) {
      await stage.get(path, {
        token,
        show: (body) => (at(body, 'kind') === 'Status' ? body : 'something'),
      })
    }
    await stage.get('/api', { token })
    await stage.get('/apis', { token })
    await stage.get(configMapsOf(stage), { token })
    await stage.get('/openapi/v3', { token })
  }),
  asking('a wrong token is refused', async (stage) => {
    await stage.get(configMapsOf(stage), { token: 'nonsense' })
    await stage.get('/version', { token: 'nonsense' })
    await stage.get('/healthz', { token: 'a.b.c' })
    await stage.get(configMapsOf(stage), { token: '', headers: { authorization: 'Basic YTpi' } })
  }),
]

const granted: Case[] = [
  asking('a role gives rights in its namespace', async (stage) => {
    await allow(stage, [rule(['get', 'list'], ['configmaps'])])
    await untilAllowed(stage)
    await stage.get(configMapsOf(stage, 'a'), jane)
    await stage.get(configMapsOf(stage), { ...jane, ...silent })
    await stage.post(configMapsOf(stage), configMap('a'), jane)
    await stage.get('/api/v1/namespaces/default/configmaps', jane)
  }),
  asking('a role gives rights on objects by name', async (stage) => {
    await allow(stage, [
      rule(['get', 'update', 'list', 'deletecollection'], ['configmaps'], {
        resourceNames: ['mine'],
      }),
    ])
    await untilAllowed(stage)
    await stage.post(configMapsOf(stage), configMap('mine'), silent)
    await stage.get(configMapsOf(stage, 'mine'), { ...jane, ...silent })
    await stage.get(configMapsOf(stage, 'other'), jane)
    await stage.get(configMapsOf(stage), jane)
    await stage.get(`${configMapsOf(stage)}?fieldSelector=metadata.name%3Dmine`, {
      ...jane,
      ...silent,
    })
    await stage.delete(`${configMapsOf(stage)}?fieldSelector=metadata.name%3Dmine`, undefined, jane)
  }),
  asking('a subresource is a right of its own', async (stage) => {
    await allow(stage, [
      rule(['*'], ['widgets/status'], { apiGroups: [stage.group] }),
      rule(['get'], ['configmaps']),
    ])
    await untilAllowed(stage)
    await stage.post(widgetsOf(stage), widget(stage, 'a'), silent)
    await stage.patch(
      `${widgetsOf(stage, 'a')}/status`,
      { status: { phase: 'Up' } },
      { contentType: MERGE, ...jane, ...silent },
    )
    await stage.patch(widgetsOf(stage, 'a'), { spec: {} }, { contentType: MERGE, ...jane })
  }),
  asking('a group has rights', async (stage) => {
    await allow(stage, [rule(['get'], ['*'])], { kind: 'Group', name: 'friends' })
    const asGroup = { as: 'joe', groups: ['friends'] }
    await stage.until(configMapsOf(stage, 'a'), ({ status }) => status === 404, asGroup)
    await stage.get(configMapsOf(stage, 'a'), { as: 'joe' })
  }),
  asking(
    'the log of a Pod that is not there',
    (stage) => stage.get(`${pathIn(stage)('v1', 'pods', 'a')}/log`),
    {
      differs:
        'No kubelet runs any Pod here, so logs, exec, attach and port-forward are not served at all.',
    },
  ),
  asking('creating by an update needs the right to create', async (stage) => {
    await allow(stage, [rule(['get', 'patch', 'update'], ['configmaps'])])
    await untilAllowed(stage)
    await stage.patch(`${configMapsOf(stage, 'a')}?fieldManager=x`, configMap('a'), {
      contentType: APPLY,
      ...jane,
    })
  }),
  asking('an aggregated role has the rules of others', async (stage) => {
    const path = `/apis/${RBAC}/clusterroles`
    const labels = { [`${stage.id}/part`]: 'true' }
    await stage.post(
      path,
      {
        metadata: { name: `${stage.id}-whole` },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] },
        rules: null,
      },
      silent,
    )
    await stage.post(
      path,
      { metadata: { name: `${stage.id}-part`, labels }, rules: [rule(['get'], ['configmaps'])] },
      silent,
    )
    await stage.until(
      `${path}/${stage.id}-whole`,
      ({ body }) => JSON.stringify(at(body, 'rules') ?? []) !== '[]',
      { show: (body) => at(body, 'rules') },
    )
    await stage.delete(`${path}/${stage.id}-whole`, undefined, silent)
    await stage.delete(`${path}/${stage.id}-part`, undefined, silent)
  }),
]

const escalating: Case[] = [
  asking('nobody grants what they do not have', async (stage) => {
    const everything = [
      rule(['*'], ['*'], { apiGroups: ['rbac.authorization.k8s.io'] }),
      rule(['get'], ['configmaps']),
    ]
    await allow(stage, everything)
    await untilAllowed(stage)
    const role = (rules: Fields[]) => ({ metadata: { name: 'more' }, rules })
    await stage.post(`${rolesOf(stage)}?dryRun=All`, role([rule(['get'], ['configmaps'])]), {
      ...jane,
      ...silent,
    })
    await stage.post(
      rolesOf(stage),
      role([rule(['get', 'list'], ['secrets']), rule(['create'], ['pods'])]),
      jane,
    )
    const binding = {
      metadata: { name: 'more' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [],
    }
    await stage.post(rolesOf(stage, 'rolebindings'), binding, {
      ...jane,
      show: (body) => textAt(body, 'message').slice(0, 200),
    })
  }),
  asking('a binding cannot change its role', async (stage) => {
    await allow(stage, [])
    await stage.patch(
      `${rolesOf(stage, 'rolebindings')}/r`,
      { roleRef: { name: 'other' } },
      { contentType: MERGE },
    )
  }),
  asking('roles and bindings are validated', async (stage) => {
    await stage.post(rolesOf(stage), {
      metadata: { name: 'a' },
      rules: [
        { verbs: [] },
        { verbs: ['get'] },
        { verbs: ['get'], resources: ['x'] },
        { verbs: ['get'], nonResourceURLs: ['/x'] },
      ],
    })
    const ref = (roleRef: Fields, subjects: Fields[] = []) =>
      stage.post(`${rolesOf(stage, 'rolebindings')}?dryRun=All`, {
        metadata: { name: 'a' },
        roleRef,
        subjects,
      })
    await ref({ kind: 'Thing', name: 'a', apiGroup: 'rbac.authorization.k8s.io' })
    await ref({ kind: 'Role', name: '' })
    await ref({ kind: 'Role', name: 'a', apiGroup: 'x' })
    await ref({ kind: 'Role', name: 'a' }, [
      { kind: 'User', name: '' },
      { kind: 'ServiceAccount', name: 'a' },
      { kind: 'Other', name: 'a' },
    ])
    await ref({ kind: 'Role', name: 'a' }, [
      { kind: 'ServiceAccount', name: 'a', namespace: 'b' },
      { kind: 'Group', name: 'g' },
    ])
  }),
  asking('impersonation is a right', async (stage) => {
    await stage.get(configMapsOf(stage), { as: 'jane', groups: ['system:masters'], ...silent })
    await stage.get(configMapsOf(stage), { as: `system:serviceaccount:${stage.id}:default` })
    await stage.get(configMapsOf(stage), { headers: { 'impersonate-group': 'x' } })
    await stage.get(configMapsOf(stage), { headers: { 'impersonate-uid': 'x' } })
    await stage.get(configMapsOf(stage), { as: '', ...silent })
  }),
]

const SELF = '/apis/authentication.k8s.io/v1/selfsubjectreviews'

const reviews: Case[] = [
  asking('one may ask for oneself', async (stage) => {
    await stage.post(REVIEWS, may('get', 'configmaps', { namespace: stage.id }))
    await stage.post(REVIEWS, may('get', 'configmaps', { namespace: stage.id }), jane)
    await allow(stage, [rule(['get'], ['configmaps'])])
    await untilAllowed(stage)
    await stage.post(REVIEWS, may('get', 'configmaps', { namespace: stage.id }), jane)
    await stage.post(
      REVIEWS,
      { spec: { nonResourceAttributes: { path: '/metrics', verb: 'get' } } },
      jane,
    )
    await stage.post(
      REVIEWS,
      { spec: { nonResourceAttributes: { path: '/apis', verb: 'get' } } },
      jane,
    )
  }),
  asking('a review needs something to review', async (stage) => {
    await stage.post(REVIEWS, { spec: {} })
    await stage.post(REVIEWS, {
      spec: {
        nonResourceAttributes: { path: '/', verb: 'get' },
        resourceAttributes: { verb: 'get' },
      },
    })
    await stage.get(REVIEWS)
    await stage.get(`${REVIEWS}/a`)
  }),
  asking('one may ask for others', async (stage) => {
    const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
    const resourceAttributes = { verb: 'get', resource: 'configmaps', namespace: stage.id }
    await stage.post(path, { spec: { user: 'jane', resourceAttributes } })
    await stage.post(path, { spec: { user: 'x', groups: ['system:masters'], resourceAttributes } })
    await stage.post(path, { spec: { resourceAttributes } })
    await stage.post(path, { spec: { user: 'jane', resourceAttributes } }, jane)
    const local = pathIn(stage)('authorization.k8s.io/v1', 'localsubjectaccessreviews')
    await stage.post(local, {
      metadata: { namespace: stage.id },
      spec: { user: 'jane', resourceAttributes },
    })
    await stage.post(local, {
      spec: { user: 'jane', resourceAttributes: { ...resourceAttributes, namespace: 'default' } },
    })
  }),
  asking('one may ask for all rules', async (stage) => {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews'
    await allow(stage, [rule(['get', 'list'], ['configmaps'], { resourceNames: ['a'] })])
    await untilAllowed(stage)
    const show = (body: unknown) => ({ ...Object(body), status: sortedRules(at(body, 'status')) })
    await stage.post(path, { spec: { namespace: stage.id } }, { ...jane, show })
    await stage.post(path, { spec: {} }, jane)
  }),
  asking('one may ask who one is', async (stage) => {
    await stage.post(SELF, {}, { show: (body) => at(body, 'kind') })
    await stage.post(SELF, {}, { as: 'jane', groups: ['a', 'b'] })
    await stage.post(SELF, {}, { as: `system:serviceaccount:${stage.id}:default` })
    await stage.post(SELF, {}, { token: '' })
    await stage.get(SELF)
  }),
]

function sortedRules(status: unknown): unknown {
  const sorted = (list: unknown) =>
    Array.isArray(list) ? list.map((one) => JSON.stringify(one)).sort() : list
  const { resourceRules, nonResourceRules, ...rest } = Object(status)
  return {
    ...rest,
    resourceRules: sorted(resourceRules),
    nonResourceRules: sorted(nonResourceRules),
  }
}

const tokenOf = async (stage: Stage, spec: Fields = {}): Promise<string> => {
  const path = pathIn(stage)('v1', 'serviceaccounts', 'robot')
  await stage.quietly({
    method: 'POST',
    path: pathIn(stage)('v1', 'serviceaccounts'),
    body: { metadata: { name: 'robot' } },
  })
  const { body } = await stage.post(`${path}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec,
  })
  return textAt(body, 'status', 'token')
}

const claimsOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}')

const tokens: Case[] = [
  asking('a token of a ServiceAccount is good for the API', async (stage) => {
    const token = await tokenOf(stage)
    await stage.get(configMapsOf(stage), { token })
    await allow(stage, [rule(['list'], ['configmaps'])], {
      kind: 'ServiceAccount',
      name: 'robot',
      namespace: stage.id,
    })
    await stage.until(configMapsOf(stage), ({ status }) => status === 200, { token, ...silent })
    await stage.post(SELF, {}, { token, show: withoutCredential })
  }),
  asking('a token tells whose it is', async (stage) => {
    const claims = Object(claimsOf(await tokenOf(stage, { expirationSeconds: 900 })))
    const { iat, exp, nbf, jti, ...rest } = claims
    stage.note('its claims', { ...rest, lasts: exp - iat, begins: nbf - iat, has: typeof jti })
  }),
  asking('a token can be asked for with an audience', async (stage) => {
    const token = await tokenOf(stage, { audiences: ['other'] })
    await stage.get(configMapsOf(stage), { token })
    stage.note('its audience', at(claimsOf(token), 'aud'))
  }),
  asking('bad requests for tokens are refused', async (stage) => {
    await tokenOf(stage, { expirationSeconds: 5 })
    const path = pathIn(stage)('v1', 'serviceaccounts', 'none')
    await stage.post(`${path}/token`, { spec: {} })
    await stage.get(`${pathIn(stage)('v1', 'serviceaccounts', 'robot')}/token`)
    const bound = { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'none' } }
    await tokenOf(stage, bound)
    await tokenOf(stage, { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'x' } })
  }),
  asking('a token can be reviewed', async (stage) => {
    const path = '/apis/authentication.k8s.io/v1/tokenreviews'
    const token = await tokenOf(stage)
    await stage.post(path, { spec: { token } }, { show: withoutCredential })
    await stage.post(path, { spec: { token, audiences: ['other'] } }, { show: withoutCredential })
    await stage.post(path, { spec: { token: 'nonsense' } })
    await stage.post(path, { spec: {} })
  }),
  asking('a token is worth nothing without its ServiceAccount', async (stage) => {
    const token = await tokenOf(stage)
    await stage.delete(pathIn(stage)('v1', 'serviceaccounts', 'robot'), undefined, silent)
    await stage.until(configMapsOf(stage), ({ status }) => status === 401, { token })
  }),
]

/** Without the number of the token. */
const withoutCredential = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body).replaceAll(/JTI=[\w-]+/g, 'JTI=<jti>'))

export const accessCases: Subject = {
  subject: 'access',
  cases: [...forbidden, ...granted, ...escalating, ...reviews, ...tokens],
}
