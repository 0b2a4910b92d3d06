import { describe, expect, onTestFinished, test } from 'vitest'
import type { Attributes, User } from '#apiserver/request.ts'
import { aBinding, aRole, aStore, toGroup, toUser } from './a-store.cases.ts'
import { bootstrapBindings, bootstrapRoles } from './bootstrap-policy.ts'
import { Rbac } from './rbac.ts'

const bob: User = { name: 'bob', groups: ['system:authenticated'] }
const robot: User = { name: 'system:serviceaccount:default:robot', groups: [] }

const asked = (what: Partial<Attributes> = {}): Attributes => ({
  user: bob,
  verb: 'get',
  isResource: true,
  path: '',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'default',
  name: '',
  ...what,
})

async function anRbac(...objects: [string, Record<string, unknown>][]) {
  const filled = await aStore(Object.fromEntries(objects))
  const rbac = new Rbac(filled.store)
  onTestFinished(() => rbac[Symbol.dispose]())
  const may = (what: Partial<Attributes> = {}) => rbac.authorize(asked(what)).allowed
  return { ...filled, rbac, may }
}

const toBob = (rules: Record<string, unknown>[]) => [
  aRole('r', rules),
  aBinding({ name: 'b', role: 'ClusterRole/r', subjects: [toUser('bob')] }),
]

describe('a rule', () => {
  test('names verbs, groups and resources, each or all', async () => {
    const { may } = await anRbac(
      ...toBob([
        { verbs: ['get'], apiGroups: [''], resources: ['pods'] },
        { verbs: ['*'], apiGroups: ['apps'], resources: ['deployments'] },
        { verbs: ['list'], apiGroups: ['*'], resources: ['*'] },
      ]),
    )

    expect(may()).toBe(true)
    expect(may({ verb: 'delete' })).toBe(false)
    expect(may({ group: 'apps' })).toBe(false)
    expect(may({ group: 'apps', resource: 'deployments', verb: 'delete' })).toBe(true)
    expect(may({ group: 'any', resource: 'things', verb: 'list', namespace: '' })).toBe(true)
  })

  test('means a subresource only where it says so', async () => {
    const { may } = await anRbac(
      ...toBob([
        { verbs: ['get'], apiGroups: [''], resources: ['pods', 'nodes/proxy', '*/scale'] },
        { verbs: ['create'], apiGroups: [''], resources: ['*'] },
      ]),
    )

    expect(may({ subresource: 'log' })).toBe(false)
    expect(may({ resource: 'nodes', subresource: 'proxy' })).toBe(true)
    expect(may({ resource: 'nodes' })).toBe(false)
    expect(may({ resource: 'replicationcontrollers', subresource: 'scale' })).toBe(true)
    expect(may({ resource: 'replicationcontrollers', subresource: 'rescale' })).toBe(false)
    expect(may({ subresource: 'exec', verb: 'create' })).toBe(true)
  })

  test('with names is about those objects, and never about a collection', async () => {
    const { may } = await anRbac(
      ...toBob([{ verbs: ['*'], apiGroups: [''], resources: ['secrets'], resourceNames: ['one'] }]),
    )

    expect(may({ resource: 'secrets', name: 'one' })).toBe(true)
    expect(may({ resource: 'secrets', name: 'two' })).toBe(false)
    expect(may({ resource: 'secrets', verb: 'list' })).toBe(false)
    // As they come out of the path /api/v1/namespaces/default/secrets/one%2Fexec, decoded.
    expect(may({ resource: 'secrets', name: 'one/exec' })).toBe(false)
  })

  test('about paths says how they begin, and is not about resources', async () => {
    const { may } = await anRbac(
      ...toBob([{ verbs: ['get'], nonResourceURLs: ['/version', '/healthz/*', '/logs*'] }]),
    )
    const path = (text: string, verb = 'get') => may({ isResource: false, path: text, verb })

    expect(path('/version')).toBe(true)
    expect(path('/version/')).toBe(false)
    expect(path('/version', 'post')).toBe(false)
    expect(path('/healthz/etcd')).toBe(true)
    expect(path('/healthz')).toBe(false)
    expect(path('/logsomething')).toBe(true)
    expect(may({ path: '/version' })).toBe(false)
  })

  test('about resources does not open paths, not even if it allows everything', async () => {
    const { may } = await anRbac(...toBob([{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]))

    expect(may({ isResource: false, path: '/metrics' })).toBe(false)
  })
})

describe('a binding', () => {
  const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }]

  test('in a namespace holds there only, also to a role of the cluster', async () => {
    const { may } = await anRbac(
      aRole('r', rules),
      aBinding({ name: 'b', namespace: 'here', role: 'ClusterRole/r', subjects: [toUser('bob')] }),
    )

    expect(may({ namespace: 'here' })).toBe(true)
    expect(may({ namespace: 'there' })).toBe(false)
    expect(may({ namespace: '' })).toBe(false)
  })

  test('names the role of its own namespace', async () => {
    const { may } = await anRbac(
      aRole('r', rules, 'there'),
      aBinding({ name: 'b', namespace: 'here', role: 'Role/r', subjects: [toUser('bob')] }),
      aBinding({ name: 'b', namespace: 'there', role: 'Role/r', subjects: [toUser('bob')] }),
    )

    expect(may({ namespace: 'here' })).toBe(false)
    expect(may({ namespace: 'there' })).toBe(true)
  })

  test('is for users, groups and service accounts, and does not mix them up', async () => {
    const { may } = await anRbac(
      aRole('r', rules),
      aBinding({ name: 'g', role: 'ClusterRole/r', subjects: [toGroup('team')] }),
      aBinding({
        name: 's',
        namespace: 'default',
        role: 'ClusterRole/r',
        subjects: [{ kind: 'ServiceAccount', name: 'robot' }],
      }),
      aBinding({
        name: 'nobody',
        role: 'ClusterRole/r',
        subjects: [{ kind: 'ServiceAccount', name: 'lost' }],
      }),
    )

    expect(may({ user: { name: 'x', groups: ['team'] } })).toBe(true)
    expect(may({ user: { name: 'team', groups: [] } })).toBe(false)
    expect(may({ user: robot })).toBe(true)
    expect(may({ user: { name: 'robot', groups: [] } })).toBe(false)
    expect(may({ user: { name: 'system:serviceaccount::lost', groups: [] } })).toBe(false)
  })

  test('takes effect when it is written, and ends when it is changed or removed', async () => {
    const { may, put, remove } = await anRbac(aRole('r', rules))
    const [key, binding] = aBinding({ name: 'b', role: 'ClusterRole/r', subjects: [toUser('bob')] })

    expect(may()).toBe(false)
    await put(key, binding)
    expect(may()).toBe(true)
    await put(key, { ...binding, subjects: [toUser('eve')] })
    expect(may()).toBe(false)
    await put(key, binding)
    await put(...aRole('r', []))
    expect(may()).toBe(false)
    await put(...aRole('r', rules))
    expect(may()).toBe(true)
    await remove(key)
    expect(may()).toBe(false)
  })

  test('of a namespace ends with the last of its kind there', async () => {
    const { may, put, remove } = await anRbac(aRole('r', rules))
    const of = { namespace: 'default', role: 'ClusterRole/r', subjects: [toUser('bob')] }
    const [key, binding] = aBinding({ name: 'b', ...of })

    await put(key, binding)
    expect(may()).toBe(true)
    await remove(key)
    expect(may()).toBe(false)
    await put(key, binding)
    expect(may()).toBe(true)
  })

  test('is what is named as the reason', async () => {
    const { rbac } = await anRbac(
      aRole('r', rules),
      aRole('local', [{ ...rules[0], verbs: ['list'] }], 'default'),
      aBinding({ name: 'wide', role: 'ClusterRole/r', subjects: [toGroup('team'), toUser('bob')] }),
      aBinding({
        name: 'narrow',
        namespace: 'default',
        role: 'Role/local',
        subjects: [{ kind: 'ServiceAccount', name: 'robot' }],
      }),
    )

    const user = { name: 'bob', groups: ['team'] }
    expect(rbac.authorize(asked({ user })).reason).toBe(
      'RBAC: allowed by ClusterRoleBinding "wide" of ClusterRole "r" to Group "team"',
    )
    expect(rbac.authorize(asked({ user: robot, verb: 'list' })).reason).toBe(
      'RBAC: allowed by RoleBinding "narrow/default" of Role "local" to ServiceAccount "robot/default"',
    )
  })

  test('that names somebody twice is told by the first name', async () => {
    const subjects = [toUser(robot.name), { kind: 'ServiceAccount', name: 'robot' }]
    const { rbac } = await anRbac(
      aRole('r', rules),
      aBinding({ name: 'b', namespace: 'default', role: 'ClusterRole/r', subjects }),
    )

    expect(rbac.authorize(asked({ user: robot })).reason).toMatch(/to User "system:/)
  })

  test('to a role that is not there is told, and does not stop the others', async () => {
    const { rbac } = await anRbac(
      aRole('r', rules),
      aBinding({ name: 'a', role: 'ClusterRole/gone', subjects: [toUser('bob')] }),
      aBinding({ name: 'b', role: 'ClusterRole/r', subjects: [toUser('bob')] }),
      aBinding({ name: 'c', namespace: 'default', role: 'Role/gone', subjects: [toUser('bob')] }),
    )

    expect(rbac.authorize(asked()).allowed).toBe(true)
    expect(rbac.authorize(asked({ verb: 'list' }))).toEqual({
      allowed: false,
      reason:
        'RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "gone" not found]',
    })
    expect(rbac.authorize(asked({ verb: 'list', namespace: '' })).reason).toBe(
      'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found',
    )
  })
})

test('members of system:masters may do everything, with nothing in the store', async () => {
  const { rbac } = await anRbac()

  const user = { name: 'root', groups: ['system:masters'] }
  expect(rbac.authorize(asked({ user, verb: 'delete' }))).toEqual({ allowed: true, reason: '' })
  expect(rbac.authorize(asked({ user, isResource: false, path: '/x' })).allowed).toBe(true)
})

test('roles that were there before are known', async () => {
  const filled = await aStore(
    Object.fromEntries(toBob([{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }])),
  )

  using rbac = new Rbac(filled.store)
  expect(rbac.authorize(asked()).allowed).toBe(true)
})

test('the rules of a user are those of all their bindings', async () => {
  const { rbac } = await anRbac(
    aRole('r', [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }]),
    aBinding({
      name: 'b',
      role: 'ClusterRole/r',
      subjects: [toUser('bob'), toGroup('system:authenticated')],
    }),
    aBinding({ name: 'x', namespace: 'default', role: 'Role/gone', subjects: [toUser('bob')] }),
  )

  const { rules, missing } = rbac.rulesFor(bob, 'default')
  expect(rules).toHaveLength(1)
  expect(missing).toEqual([{ kind: 'Role', name: 'gone' }])
})

describe('with the policy that is there from the beginning', () => {
  const withPolicy = () =>
    anRbac(
      ...[...bootstrapRoles(), ...bootstrapBindings()].map(
        (object): [string, Record<string, unknown>] => {
          const { kind, metadata } = object as { kind: string; metadata: { name: string } } // the table's own objects
          const plural = kind === 'ClusterRole' ? 'clusterroles' : 'clusterrolebindings'
          return [`rbac.authorization.k8s.io/${plural}/${metadata.name}`, object]
        },
      ),
      aBinding({
        name: 'e',
        namespace: 'default',
        role: 'ClusterRole/edit',
        subjects: [toUser('bob')],
      }),
    )

  test('someone unknown may see whether it is alive and nothing else', async () => {
    const { may } = await withPolicy()
    const user = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

    expect(may({ user, isResource: false, path: '/readyz' })).toBe(true)
    expect(may({ user, isResource: false, path: '/api' })).toBe(false)
    expect(may({ user })).toBe(false)
  })

  test('an editor may change what is in the namespace, and give nobody rights', async () => {
    const { may } = await withPolicy()

    expect(may({ resource: 'secrets', verb: 'delete' })).toBe(true)
    expect(may({ resource: 'services', verb: 'list' })).toBe(true)
    expect(may({ resource: 'secrets', verb: 'get', namespace: 'kube-system' })).toBe(false)
    expect(
      may({ group: 'rbac.authorization.k8s.io', resource: 'rolebindings', verb: 'create' }),
    ).toBe(false)
    expect(may({ isResource: false, path: '/apis/apps/v1' })).toBe(true)
  })
})
