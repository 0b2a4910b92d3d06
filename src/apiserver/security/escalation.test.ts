import { describe, expect, onTestFinished, test } from 'vitest'
import { ApiFailure } from '#apiserver/failure.ts'
import type { Fields } from '#apiserver/objects.ts'
import type { Attributes, User } from '#apiserver/request.ts'
import { aBinding, aRole, aStore, toUser } from './a-store.cases.ts'
import { refuseEscalation } from './escalation.ts'
import { Rbac } from './rbac.ts'

const RBAC = 'rbac.authorization.k8s.io'
const mk: User = { name: 'mk', groups: ['system:authenticated'] }

const own = [
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'], resourceNames: ['a', 'b'] },
  { apiGroups: ['apps'], resources: ['deployments', '*/scale'], verbs: ['*'] },
  { nonResourceURLs: ['/logs*'], verbs: ['get'] },
]

async function anRbac(...more: [string, Fields][]) {
  const { store } = await aStore(
    Object.fromEntries([
      aRole('mk', own),
      aBinding({ name: 'mk', role: 'ClusterRole/mk', subjects: [toUser('mk')] }),
      aRole('cluster-admin', [
        { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
        { nonResourceURLs: ['*'], verbs: ['*'] },
      ]),
      ...more,
    ]),
  )
  const rbac = new Rbac(store)
  onTestFinished(() => rbac[Symbol.dispose]())
  return (
    resource: string,
    object: Fields,
    { user = mk, old }: { user?: User; old?: Fields } = {},
  ) => {
    const asked: Attributes = {
      user,
      verb: old ? 'update' : 'create',
      isResource: true,
      path: '',
      group: RBAC,
      version: 'v1',
      resource,
      subresource: '',
      namespace: resource.startsWith('cluster') ? '' : 'default',
      name: old ? 'r' : '',
    }
    try {
      refuseEscalation(rbac, { asked, object, old })
      return 'allowed'
    } catch (error) {
      return error instanceof ApiFailure ? error.status : error
    }
  }
}

const aRoleWith = (...rules: Fields[]): Fields => ({ metadata: { name: 'r' }, rules })

const boundTo = (kind: string, name: string): Fields => ({
  metadata: { name: 'r' },
  roleRef: { apiGroup: RBAC, kind, name },
})

describe('a role', () => {
  test('may hold what its writer holds', async () => {
    const write = await anRbac()

    const result = write(
      'roles',
      aRoleWith(
        { apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['a'] },
        { apiGroups: ['apps'], resources: ['deployments'], verbs: ['delete', 'list'] },
        { apiGroups: ['apps'], resources: ['statefulsets/scale'], verbs: ['get'] },
        { nonResourceURLs: ['/logs/x', '/logs*'], verbs: ['get'] },
      ),
    )
    expect(result).toBe('allowed')
  })

  test('may not hold more, and the writer is told what', async () => {
    const write = await anRbac()

    const result = write(
      'roles',
      aRoleWith(
        { apiGroups: ['', 'apps'], resources: ['pods', 'secrets'], verbs: ['get', 'list'] },
        {
          apiGroups: [''],
          resources: ['configmaps'],
          verbs: ['get', 'watch'],
          resourceNames: ['a', 'c'],
        },
        { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
      ),
    )
    expect(result).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        'roles.rbac.authorization.k8s.io "r" is forbidden: user "mk" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["configmaps"], ResourceNames:["a"], Verbs:["watch"]}\n{APIGroups:[""], Resources:["configmaps"], ResourceNames:["c"], Verbs:["get" "watch"]}\n{APIGroups:[""], Resources:["configmaps"], Verbs:["get"]}\n{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}\n{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}\n{APIGroups:["apps"], Resources:["pods"], Verbs:["get" "list"]}\n{APIGroups:["apps"], Resources:["secrets"], Verbs:["get" "list"]}',
      reason: 'Forbidden',
      details: { name: 'r', group: RBAC, kind: 'roles' },
      code: 403,
    })
  })

  test('may not hold more paths, or everything', async () => {
    const write = await anRbac()

    expect(
      write(
        'clusterroles',
        aRoleWith(
          { nonResourceURLs: ['/a', '/b*'], verbs: ['get', 'post'] },
          { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
        ),
      ),
    ).toMatchObject({
      message:
        'clusterroles.rbac.authorization.k8s.io "r" is forbidden: user "mk" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["/a"], Verbs:["get"]}\n{NonResourceURLs:["/a"], Verbs:["post"]}\n{NonResourceURLs:["/b*"], Verbs:["get"]}\n{NonResourceURLs:["/b*"], Verbs:["post"]}',
    })
  })

  test('may gather others only for those who may do everything', async () => {
    const write = await anRbac(
      aBinding({ name: 'all', role: 'ClusterRole/cluster-admin', subjects: [toUser('root')] }),
    )
    const gathering = {
      metadata: { name: 'r' },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { x: 'y' } }] },
    }
    const message =
      'clusterroles.rbac.authorization.k8s.io "r" is forbidden: must have cluster-admin privileges to use the aggregationRule'

    expect(write('clusterroles', gathering)).toMatchObject({ message })
    expect(write('clusterroles', aRoleWith(), { old: gathering })).toMatchObject({ message })
    expect(write('clusterroles', gathering, { user: { name: 'root', groups: [] } })).toBe('allowed')
  })

  test('may hold anything for those who may escalate, and for system:masters', async () => {
    const write = await anRbac(
      aRole('e', [{ apiGroups: [RBAC], resources: ['roles'], verbs: ['escalate'] }]),
      aBinding({ name: 'e', role: 'ClusterRole/e', subjects: [toUser('eve')] }),
    )
    const all = aRoleWith({ apiGroups: ['*'], resources: ['*'], verbs: ['*'] })

    expect(write('roles', all, { user: { name: 'eve', groups: [] } })).toBe('allowed')
    expect(write('clusterroles', all, { user: { name: 'eve', groups: [] } })).not.toBe('allowed')
    expect(write('clusterroles', all, { user: { name: 'r', groups: ['system:masters'] } })).toBe(
      'allowed',
    )
  })

  test('may be let go by the garbage collector, which holds nothing of it', async () => {
    const write = await anRbac()
    const rule = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] }
    const old = { metadata: { name: 'r', ownerReferences: [{ uid: 'x' }] }, rules: [rule] }

    expect(write('roles', { ...old, metadata: { name: 'r' } }, { old })).toBe('allowed')
    expect(write('roles', { ...old, metadata: { name: 'r', labels: {} } }, { old })).not.toBe(
      'allowed',
    )
  })
})

describe('a binding', () => {
  test('may give what its writer holds', async () => {
    const write = await anRbac(aRole('small', [{ nonResourceURLs: ['/logs'], verbs: ['get'] }]))

    expect(write('rolebindings', boundTo('ClusterRole', 'small'))).toBe('allowed')
  })

  test('may not give more; what could not be found among the writer’s own is told too', async () => {
    const write = await anRbac(
      aBinding({ name: 'z', namespace: 'default', role: 'Role/gone', subjects: [toUser('mk')] }),
    )

    expect(write('rolebindings', boundTo('ClusterRole', 'cluster-admin'))).toMatchObject({
      message:
        'rolebindings.rbac.authorization.k8s.io "r" is forbidden: user "mk" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}; resolution errors: [rolebindings.rbac.authorization.k8s.io "gone" not found]',
      details: { name: 'r', group: RBAC, kind: 'rolebindings' },
    })
  })

  test('to a role that is not there cannot be judged', async () => {
    const write = await anRbac()

    expect(write('clusterrolebindings', boundTo('ClusterRole', 'none'))).toMatchObject({
      message: 'clusterrolebindings.rbac.authorization.k8s.io "none" not found',
      code: 404,
    })
    expect(write('rolebindings', boundTo('Role', 'none'))).toMatchObject({
      message: 'rolebindings.rbac.authorization.k8s.io "none" not found',
    })
  })

  test('may give a role that its writer may bind', async () => {
    const write = await anRbac(
      aRole('b', [
        {
          apiGroups: [RBAC],
          resources: ['clusterroles'],
          verbs: ['bind'],
          resourceNames: ['cluster-admin'],
        },
      ]),
      aBinding({
        name: 'b',
        namespace: 'default',
        role: 'ClusterRole/b',
        subjects: [toUser('mk')],
      }),
    )

    expect(write('rolebindings', boundTo('ClusterRole', 'cluster-admin'))).toBe('allowed')
    expect(write('clusterrolebindings', boundTo('ClusterRole', 'cluster-admin'))).not.toBe(
      'allowed',
    )
    expect(write('rolebindings', boundTo('Role', 'cluster-admin'))).not.toBe('allowed')
  })
})
