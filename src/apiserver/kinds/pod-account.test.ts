import { expect, test } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import { ClusterAddresses } from './cluster-addresses.ts'
import { runAsAccount } from './pod-account.ts'

const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount'

function specAfter(spec: Fields, account?: Fields): Fields {
  const pod = { metadata: { name: 'p', namespace: 'here' }, spec: structuredClone(spec) }
  runAsAccount(pod, {
    clusterObjects: () => [],
    namespacedObject: ({ group, plural, namespace, name }) =>
      `${group}/${plural}/${namespace}/${name}` === '/serviceaccounts/here/robot'
        ? account
        : undefined,
    addresses: new ClusterAddresses(),
  })
  return pod.spec
}

const robot = { serviceAccountName: 'robot', containers: [{ name: 'a' }] }

test('a pod of an account that is not there is refused', () => {
  expect(() => specAfter(robot)).toThrow(
    'pods "p" is forbidden: error looking up service account here/robot: serviceaccount "robot" not found',
  )
})

test('a pod that names no account has the default one, even if that is yet to come', () => {
  expect(specAfter({ containers: [] })).toMatchObject({
    serviceAccountName: 'default',
    serviceAccount: 'default',
  })
})

test('every container finds the token, in one volume', () => {
  const mounted = { name: 'b', volumeMounts: [{ name: 'own', mountPath: MOUNT_PATH }] }
  const spec = specAfter(
    {
      ...robot,
      initContainers: [{ name: 'i' }],
      containers: [{ name: 'a', volumeMounts: [{ name: 'x', mountPath: '/x' }] }, mounted],
      volumes: [{ name: 'x', emptyDir: {} }],
    },
    {},
  )
  const name = expect.stringMatching(/^kube-api-access-[a-z0-9]{5}$/)
  const mount = { name, readOnly: true, mountPath: MOUNT_PATH }

  expect(spec).toMatchObject({
    initContainers: [{ name: 'i', volumeMounts: [mount] }],
    containers: [{ volumeMounts: [{ name: 'x' }, mount] }, mounted],
    volumes: [{ name: 'x' }, { name, projected: { defaultMode: 420 } }],
  })
})

test('a volume for the token that is there already is mounted', () => {
  const volumes = [{ name: 'kube-api-access-mine', emptyDir: {} }]
  const spec = specAfter({ ...robot, volumes }, {})

  expect(spec.volumes).toEqual(volumes)
  expect(spec.containers).toMatchObject([{ volumeMounts: [{ name: 'kube-api-access-mine' }] }])
})

test.each([
  [false, undefined, false],
  [undefined, false, false],
  [true, false, true],
  [undefined, undefined, true],
])('of a pod that says %s and an account that says %s the token is mounted: %s', (own, of, is) => {
  const spec = specAfter(
    { ...robot, ...(own !== undefined && { automountServiceAccountToken: own }) },
    { ...(of !== undefined && { automountServiceAccountToken: of }) },
  )

  expect(spec.volumes !== undefined).toBe(is)
})

test('a pod has the image secrets of its account, unless it has its own', () => {
  const account = { imagePullSecrets: [{ name: 's' }] }
  const own = [{ name: 'o' }]

  expect(specAfter(robot, account).imagePullSecrets).toEqual([{ name: 's' }])
  expect(specAfter({ ...robot, imagePullSecrets: own }, account).imagePullSecrets).toEqual(own)
})
