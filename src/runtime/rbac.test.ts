import { expect, test } from 'vitest'
import { Lease } from '#api/foreign.ts'
import { Widget, widgetController } from '#test/conformance/runtime/widget.ts'
import { defineController } from './controller.ts'
import { publishedRules, rulesOf } from './rbac.ts'

const GROUP = 'tests.talos.alperen.cloud'

test('a controller may do what it declares, and nothing else', () => {
  expect(rulesOf([widgetController()])).toEqual([
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
    {
      apiGroups: [GROUP],
      resources: ['parts'],
      verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
    },
    { apiGroups: [GROUP], resources: ['widgets'], verbs: ['get', 'list', 'watch', 'patch'] },
    { apiGroups: [GROUP], resources: ['widgets/status'], verbs: ['patch'] },
    { apiGroups: [GROUP], resources: ['widgets/finalizers'], verbs: ['update'] },
  ])
})

test('what several controllers declare of one kind is put together', () => {
  const other = defineController<typeof Widget, object, { do: 'nothing' }>({
    kind: Widget,
    reads: [{ kind: Lease, from: 'api' }],
    writes: [{ kind: Widget, verbs: ['delete'] }],
    observe: () => ({}),
    plan: () => ({ steps: [], status: {}, conditions: {} }),
    act: { nothing: async () => {} },
  })

  const rules = rulesOf([widgetController(), other])

  expect(rules).toContainEqual({
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    verbs: ['get'],
  })
  expect(rules).toContainEqual({
    apiGroups: [GROUP],
    resources: ['widgets'],
    verbs: ['get', 'list', 'watch', 'patch', 'delete'],
  })
})

test('without controllers nothing is asked for', () => {
  expect(rulesOf([])).toEqual([])
})

test('the published rules are word for word those of the document', () => {
  const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']

  expect(publishedRules).toEqual([
    { apiGroups: ['vitistack.io'], resources: ['kubernetesclusters', 'machines'], verbs: all },
    { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: all },
  ])
})

test('what is asked of the server by the names in a resource may be followed, too', () => {
  const controller = defineController<typeof Widget, object, { do: 'nothing' }>({
    kind: Widget,
    reads: [{ kind: Lease, from: 'api', namedBy: () => ['one'] }],
    observe: () => ({}),
    plan: () => ({ steps: [], status: {}, conditions: {} }),
    act: { nothing: async () => {} },
  })

  expect(rulesOf([controller])).toContainEqual({
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    verbs: ['get', 'list', 'watch'],
  })
})
