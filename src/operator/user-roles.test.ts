import { expect, test } from 'vitest'
import { kinds } from '#api/kinds.ts'
import { installationOf } from './installation.ts'
import { userRoles } from './user-roles.ts'

const roles = new Map(userRoles().map((role) => [role.metadata.name, role.rules]))

test('every kind has the three roles, under the names that kustomize gave the published ones', () => {
  const names = kinds.flatMap(({ kind }) =>
    ['viewer', 'editor', 'admin'].map((who) => `talos-operator-${kind.toLowerCase()}-${who}-role`),
  )

  expect([...roles.keys()]).toEqual(names)
  expect(names).toContain('talos-operator-taloscontrolplane-editor-role')
})

test('a viewer reads, an editor writes as well, an admin does whatever there is, and nobody writes a status', () => {
  const verbs = (who: string) => {
    const rules = roles.get(`talos-operator-talosworker-${who}-role`) ?? []
    return Object.fromEntries(rules.map(({ resources, verbs }) => [resources.join(), verbs]))
  }
  const status = ['get']

  expect(verbs('viewer')).toEqual({
    ...{ talosworkers: ['get', 'list', 'watch'], 'talosworkers/status': status },
  })
  expect(verbs('editor')).toEqual({
    talosworkers: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    'talosworkers/status': status,
  })
  expect(verbs('admin')).toEqual({ talosworkers: ['*'], 'talosworkers/status': status })
})

test('none reaches beyond its own kind: no Secret, no machine of another kind', () => {
  for (const { kind, group, plural } of kinds) {
    for (const who of ['viewer', 'editor', 'admin']) {
      const rules = roles.get(`talos-operator-${kind.toLowerCase()}-${who}-role`) ?? []
      const reached = rules.flatMap(({ apiGroups, resources }) =>
        apiGroups.flatMap((one) => resources.map((resource) => `${one}/${resource}`)),
      )
      expect(reached).toEqual([`${group}/${plural}`, `${group}/${plural}/status`])
    }
  }
})

test('an operator for some namespaces brings nothing for the whole cluster along, these neither', () => {
  const made = (namespaces: string[]) =>
    installationOf([], { namespace: 'system', namespaces }).map(({ metadata }) => metadata.name)

  expect(made([])).toEqual(expect.arrayContaining([...roles.keys()]))
  expect(made(['team-a']).filter((name) => roles.has(name))).toEqual([])
})
