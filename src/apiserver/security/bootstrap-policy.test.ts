import { expect, test } from 'vitest'
import { fieldsAt, listAt } from '#apiserver/objects.ts'
import { bootstrapBindings, bootstrapRoles } from './bootstrap-policy.ts'

const nameOf = (object: Record<string, unknown>) => fieldsAt(object, 'metadata').name

test('every binding is to a role that is there', () => {
  const roles = bootstrapRoles().map(nameOf)

  const bound = bootstrapBindings().map((binding) => fieldsAt(binding, 'roleRef').name)
  expect(bound.filter((name) => !roles.includes(name))).toEqual([])
  expect(new Set(roles).size).toBe(roles.length)
})

test('all of it is marked as the server’s own', () => {
  for (const object of [...bootstrapRoles(), ...bootstrapBindings()]) {
    expect(object.metadata).toMatchObject({
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
    })
  }
})

test('who may edit may view, and who administers may edit', () => {
  const rulesOf = (name: string) =>
    listAt(bootstrapRoles().find((role) => nameOf(role) === name) ?? {}, 'rules')

  expect(rulesOf('view')).toHaveLength(12)
  expect(rulesOf('edit')).toEqual(expect.arrayContaining(rulesOf('view')))
  expect(rulesOf('admin')).toEqual(expect.arrayContaining(rulesOf('edit')))
  expect(rulesOf('admin')).toHaveLength(29)
  expect(JSON.stringify(rulesOf('view'))).not.toContain('secrets')
})
