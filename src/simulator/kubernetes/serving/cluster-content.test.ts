import { expect, test } from 'vitest'
import { fromEtcd, toEtcd } from './cluster-content.ts'

const entry = (key: string, revision: number) => ({ key, revision, value: Buffer.from('{}') })

test('what etcd holds is what the API held, under the names of Kubernetes', () => {
  const content = {
    revision: 9,
    entries: [
      entry('/pods/default/one', 1),
      entry('apps/deployments/default/web', 2),
      entry('rbac.authorization.k8s.io/clusterroles/admin', 3),
      entry('example.com/things/default/apps', 4),
    ],
  }

  expect(toEtcd(content).entries.map(({ key }) => key)).toEqual([
    '/registry/pods/default/one',
    '/registry/apps/deployments/default/web',
    '/registry/rbac.authorization.k8s.io/clusterroles/admin',
    '/registry/example.com/things/default/apps',
  ])
  expect(fromEtcd(toEtcd(content))).toEqual(content)
})

test('what is not in the form of this API is left out', () => {
  const real = { key: '/registry/pods/default/one', revision: 1, value: Buffer.from('k8s\0') }
  const other = { key: '/other', revision: 2, value: Buffer.from('{}') }

  expect(fromEtcd({ revision: 2, entries: [real, other] })).toEqual({ revision: 2, entries: [] })
})
