import { expect, test } from 'vitest'
import { rulesToFollow } from './rbac-named.ts'

const aKind = (group: string, kind: string) => ({ group, version: 'v1', kind })

test('kinds that are only named may be looked at and followed, and nothing else', () => {
  const kinds = [
    aKind('metal.example', 'Server'),
    aKind('', 'ConfigMap'),
    aKind('metal.example', 'Chassis'),
    { ...aKind('metal.example', 'Server'), version: 'v2' },
  ]

  expect(rulesToFollow(kinds)).toEqual([
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] },
    {
      apiGroups: ['metal.example'],
      resources: ['chassises', 'servers'],
      verbs: ['get', 'list', 'watch'],
    },
  ])
})

test.each([
  ['VirtualMachineInstance', 'virtualmachineinstances'],
  ['NetworkPolicy', 'networkpolicies'],
  ['Gateway', 'gateways'],
  ['Ingress', 'ingresses'],
  ['Box', 'boxes'],
  ['Switch', 'switches'],
  ['Endpoints', 'endpoints'],
])('the resource of a %s is %s', (kind, plural) => {
  expect(rulesToFollow([aKind('x.example', kind)])[0]?.resources).toEqual([plural])
})

test('without kinds there are no rules', () => {
  expect(rulesToFollow([])).toEqual([])
})
