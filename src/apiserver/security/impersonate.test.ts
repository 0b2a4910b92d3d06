import { describe, expect, onTestFinished, test } from 'vitest'
import { ApiFailure } from '#apiserver/failure.ts'
import type { Attributes, User } from '#apiserver/request.ts'
import { aBinding, aRole, aStore, toUser } from './a-store.cases.ts'
import { Impersonation } from './impersonate.ts'
import { wantedUserIn } from './impersonation-headers.ts'
import { Rbac } from './rbac.ts'

const boss: User = { name: 'boss', groups: ['system:masters'] }
const mk: User = { name: 'mk', groups: ['system:authenticated'] }

async function anImpersonation() {
  const { store } = await aStore(
    Object.fromEntries([
      aRole('mk', [
        {
          apiGroups: [''],
          resources: ['users', 'groups', 'serviceaccounts'],
          verbs: ['impersonate'],
          resourceNames: ['pal', 'team', 'robot'],
        },
        {
          apiGroups: ['authentication.k8s.io'],
          resources: ['userextras/scopes'],
          verbs: ['impersonate'],
          resourceNames: ['view'],
        },
      ]),
      aBinding({ name: 'mk', role: 'ClusterRole/mk', subjects: [toUser('mk')] }),
      aRole('newer', [
        {
          apiGroups: ['authentication.k8s.io'],
          resources: ['users'],
          verbs: ['impersonate:user-info'],
        },
        { apiGroups: [''], resources: ['pods'], verbs: ['impersonate-on:user-info:list'] },
      ]),
      aBinding({ name: 'newer', role: 'ClusterRole/newer', subjects: [toUser('newer')] }),
    ]),
  )
  const rbac = new Rbac(store)
  onTestFinished(() => rbac[Symbol.dispose]())
  const impersonation = new Impersonation(rbac)
  return (by: User, wanted: Partial<User>, what: Partial<Attributes> = {}) => {
    const asked: Attributes = {
      user: by,
      verb: 'list',
      isResource: true,
      path: '/api/v1/nodes',
      group: '',
      version: 'v1',
      resource: 'nodes',
      subresource: '',
      namespace: '',
      name: '',
      ...what,
    }
    try {
      return impersonation.actAs({ name: 'pal', groups: [], ...wanted }, asked)
    } catch (error) {
      return error instanceof ApiFailure ? error.message : error
    }
  }
}

describe('whoever may', () => {
  test('becomes the user that they name, and one of those who are known', async () => {
    const actAs = await anImpersonation()

    expect(actAs(boss, { name: 'bob' })).toEqual({ name: 'bob', groups: ['system:authenticated'] })
    expect(actAs(mk, { groups: ['team'], extra: { scopes: ['view'] } })).toEqual({
      name: 'pal',
      groups: ['team', 'system:authenticated'],
      extra: { scopes: ['view'] },
    })
  })

  test('becomes a service account with its groups', async () => {
    const actAs = await anImpersonation()

    expect(actAs(mk, { name: 'system:serviceaccount:default:robot' })).toEqual({
      name: 'system:serviceaccount:default:robot',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
    })
  })

  test('becomes nobody', async () => {
    const actAs = await anImpersonation()

    expect(actAs(boss, { name: 'system:anonymous' })).toMatchObject({
      groups: ['system:unauthenticated'],
    })
    expect(actAs(boss, { name: 'x', groups: ['system:unauthenticated'] })).toMatchObject({
      groups: ['system:unauthenticated'],
    })
  })

  test('may be allowed to do so for some requests only', async () => {
    const actAs = await anImpersonation()
    const newer = { name: 'newer', groups: [] }

    expect(actAs(newer, { name: 'bob' }, { resource: 'pods' })).toMatchObject({ name: 'bob' })
    expect(actAs(newer, { name: 'bob' }, { resource: 'secrets' })).toBe(
      'secrets is forbidden: User "newer" cannot impersonate-on:user-info:list resource "secrets" in API group "" at the cluster scope',
    )
  })
})

describe('whoever may not', () => {
  test('is told the first thing that is missing', async () => {
    const actAs = await anImpersonation()
    const nobody = { name: 'x', groups: [] }

    expect(actAs(nobody, {}, { isResource: false, path: '/api', verb: 'get' })).toBe(
      'forbidden: User "x" cannot impersonate-on:user-info:get path "/api"',
    )
    expect(actAs(nobody, { name: 'system:serviceaccount:a:b' }, { resource: 'pods' })).toBe(
      'pods is forbidden: User "x" cannot impersonate-on:serviceaccount:list resource "pods" in API group "" at the cluster scope',
    )
    expect(actAs(nobody, { name: 'system:node:n1' }, { resource: 'pods' })).toBe(
      'pods is forbidden: User "x" cannot impersonate-on:arbitrary-node:list resource "pods" in API group "" at the cluster scope',
    )
  })

  test('but could before is told in the same terms', async () => {
    const actAs = await anImpersonation()
    actAs(mk, {})

    expect(actAs(mk, { name: 'other' })).toBe(
      'users "other" is forbidden: User "mk" cannot impersonate resource "users" in API group "" at the cluster scope',
    )
    expect(actAs(mk, { groups: ['zz'] })).toBe(
      'groups "zz" is forbidden: User "mk" cannot impersonate resource "groups" in API group "" at the cluster scope',
    )
    expect(actAs(mk, { uid: 'zz' })).toBe(
      'uids.authentication.k8s.io "zz" is forbidden: User "mk" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope',
    )
    expect(actAs(mk, { extra: { scopes: ['zz'] } })).toBe(
      'userextras.authentication.k8s.io "zz" is forbidden: User "mk" cannot impersonate resource "userextras/scopes" in API group "authentication.k8s.io" at the cluster scope',
    )
  })

  test('cannot become an admin by asking for the group', async () => {
    const actAs = await anImpersonation()
    const newer = { name: 'newer', groups: [] }

    expect(actAs(newer, { groups: ['system:masters'] }, { resource: 'pods' })).toMatch(/cannot/)
    expect(actAs(mk, { groups: ['system:masters'] })).toMatch(/cannot/)
  })
})

describe('the headers', () => {
  test('of most requests want nothing', () => {
    expect(wantedUserIn(['Host', 'x', 'Accept', '*/*', 'If-None-Match', '"a"'])).toBeUndefined()
    expect(wantedUserIn(['Impersonate-Nothing', 'x'])).toBeUndefined()
  })

  test('are read line by line, and names in any case', () => {
    const wanted = wantedUserIn([
      'impersonate-USER',
      'jörg'.replace('ö', '\u00c3\u00b6'),
      'Impersonate-Group',
      'a, b',
      'impersonate-group',
      'c',
      'Impersonate-Uid',
      '7',
      'Impersonate-Extra-Example.com%2fScopes',
      '1',
      'Impersonate-Extra-Example.com%2FScopes',
      '2',
      'Impersonate-Extra-Bad%zz',
      'x',
      'Impersonate-Extra-__proto__',
      'x',
    ])

    expect(wanted).toEqual({
      name: 'jörg',
      groups: ['a, b', 'c'],
      uid: '7',
      extra: Object.fromEntries([
        ['example.com/scopes', ['1', '2']],
        ['bad%zz', ['x']],
        ['__proto__', ['x']],
      ]),
    })
  })

  test.each([
    [
      ['Impersonate-Group', 'x'],
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"x"}, Extra:map[string][]string(nil)} without impersonating a user name',
    ],
    [
      ['Impersonate-Extra-Foo%2fbar', 'x', 'Impersonate-Uid', '7'],
      'requested &user.DefaultInfo{Name:"", UID:"7", Groups:[]string(nil), Extra:map[string][]string{"foo/bar":[]string{"x"}}} without impersonating a user name',
    ],
  ])('must name a user: %j', (headers, message) => {
    expect(() => wantedUserIn(headers)).toThrow(message)
  })
})
