import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiKind } from '#api/meta.ts'
import { systemClock } from '#base/clock.ts'
import { KubeClient } from '#kube/client.ts'
import { kubeconfigAccess } from '#kube/kubeconfig.ts'
import { rolesFor } from '#operator/roles.ts'
import type { MisbehavingApi } from '#test/misbehaving/front.ts'
import { startControllers } from './running-controllers.ts'
import { Stage } from './stage.ts'
import { startReal } from './start-apis.ts'
import { Widget, widgetController } from './widget.ts'

const NAMESPACE = 'default'
const USER = `system:serviceaccount:${NAMESPACE}:talos-operator-controller-manager`

let api: MisbehavingApi
let admin: Stage
let operator: KubeClient

const clientAs = async (user?: string): Promise<KubeClient> => {
  const access = await kubeconfigAccess({
    ...{ path: api.kubeconfig, env: {}, homeFolder: '/nowhere', clock: systemClock },
  })
  const impersonate = user && { impersonate: { user, groups: ['system:authenticated'] } }
  return new KubeClient({
    access: { ...access, ...impersonate },
    clock: systemClock,
    userAgent: 'talos-operator/test',
  })
}

const kindOf = (kind: string): ApiKind => ({
  group: kind === 'ServiceAccount' ? '' : 'rbac.authorization.k8s.io',
  version: 'v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  scope: kind.startsWith('Cluster') ? 'Cluster' : 'Namespaced',
})

const roles = (namespaces: string[]) =>
  rolesFor([widgetController()], { namespace: NAMESPACE, namespaces })

async function grant(namespaces: string[]): Promise<void> {
  for (const one of roles(namespaces)) {
    await admin.client.apply(kindOf(one.kind), one, { fieldManager: 'test', force: true })
  }
}

async function withdraw(namespaces: string[]): Promise<void> {
  for (const { kind, metadata } of roles(namespaces)) {
    if (kind.endsWith('Binding')) await admin.client.remove(kindOf(kind), metadata)
  }
}

beforeAll(async () => {
  api = await startReal()
  admin = new Stage(api, await clientAs())
  operator = await clientAs(USER)
})

afterAll(async () => {
  admin.client.close()
  operator.close()
  await api[Symbol.asyncDispose]()
})

test('without its roles the operator may do nothing', async () => {
  await expect(operator.list(Widget, { namespace: NAMESPACE })).rejects.toMatchObject({
    status: 403,
  })
})

test.each([
  { where: 'everywhere', namespaces: [] },
  { where: 'in one namespace', namespaces: [NAMESPACE] },
])('what is generated from the declarations is enough, $where', async ({ namespaces }) => {
  await grant(namespaces)
  {
    await using _running = await startControllers({
      client: operator,
      controllers: [widgetController()],
      namespaces,
    })
    const { metadata } = await admin.make({ parts: 2 })
    await admin.untilBuilt(metadata.name, 2)
    await admin.edit(metadata.name, { spec: { parts: 1 } })
    await admin.untilBuilt(metadata.name, 1)
    await admin.remove(metadata.name)
    await admin.untilGone(metadata.name)
  }
  await withdraw(namespaces)
})

test('roles for one namespace allow nothing in another', async () => {
  await grant([NAMESPACE])

  await expect(operator.list(Widget, { namespace: NAMESPACE })).resolves.toBeDefined()
  await expect(operator.list(Widget, { namespace: 'kube-system' })).rejects.toMatchObject({
    status: 403,
  })
  await withdraw([NAMESPACE])
})
