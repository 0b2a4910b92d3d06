import { expect, test } from 'vitest'
import { widgetController } from '#test/conformance/runtime/widget.ts'
import { rolesFor } from './roles.ts'

const named = (namespaces: string[]) =>
  rolesFor([widgetController()], { namespace: 'talos-operator-system', namespaces }).map(
    ({ kind, metadata }) =>
      [kind, 'namespace' in metadata && metadata.namespace, metadata.name]
        .filter(Boolean)
        .join(' '),
  )

test('everywhere: one ClusterRole, bound to the account under the published names', () => {
  expect(named([])).toEqual([
    'ServiceAccount talos-operator-system talos-operator-controller-manager',
    'ClusterRole talos-operator',
    'ClusterRoleBinding talos-operator-manager-rolebinding',
    'Role talos-operator-system talos-operator-leader-election',
    'RoleBinding talos-operator-system talos-operator-leader-election',
  ])
})

test('R48: the role that the operator works by has the published rules as they were published', () => {
  const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']
  const published = [
    { apiGroups: ['vitistack.io'], resources: ['kubernetesclusters', 'machines'], verbs: all },
    { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: all },
  ]
  const rulesIn = (namespaces: string[], kind: string) =>
    rolesFor([widgetController()], { namespace: 'system', namespaces }).flatMap((one) =>
      'rules' in one && one.kind === kind && one.metadata.name === 'talos-operator'
        ? one.rules
        : [],
    )

  expect(rulesIn([], 'ClusterRole')).toEqual(expect.arrayContaining(published))
  expect(rulesIn(['team-a'], 'Role')).toEqual(expect.arrayContaining(published))
})

test('some namespaces: a Role in each of them, and nothing for the whole cluster', () => {
  expect(named(['team-a', 'team-b'])).toEqual([
    'ServiceAccount talos-operator-system talos-operator-controller-manager',
    'Role team-a talos-operator',
    'RoleBinding team-a talos-operator-manager-rolebinding',
    'Role team-b talos-operator',
    'RoleBinding team-b talos-operator-manager-rolebinding',
    'Role talos-operator-system talos-operator-leader-election',
    'RoleBinding talos-operator-system talos-operator-leader-election',
  ])
})

test('kinds that a machineRef may name can be looked at and followed where clusters are looked after', () => {
  const rulesWith = (namespaces: string[]) =>
    rolesFor([widgetController()], {
      ...{ namespace: 'system', namespaces },
      machineRefKinds: [{ group: 'metal.example', version: 'v1', kind: 'Server' }],
    }).flatMap((one) => ('rules' in one ? one.rules.map((rule) => [one.kind, rule]) : []))
  const rule = {
    ...{ apiGroups: ['metal.example'], resources: ['servers'], verbs: ['get', 'list', 'watch'] },
  }

  expect(rulesWith([])).toContainEqual(['ClusterRole', rule])
  expect(rulesWith(['team-a'])).toContainEqual(['Role', rule])
  expect(rulesWith(['team-a'])).not.toContainEqual(['ClusterRole', rule])
})

test('a Role in a namespace allows what the ClusterRole allows', () => {
  const rulesIn = (namespaces: string[]) =>
    rolesFor([widgetController()], { namespace: 'system', namespaces }).flatMap((one) =>
      'rules' in one && one.metadata.name === 'talos-operator' ? [one.rules] : [],
    )

  expect(rulesIn(['team-a'])).toEqual(rulesIn([]))
  expect(rulesIn(['team-a'])[0]).not.toHaveLength(0)
})
