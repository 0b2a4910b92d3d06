import { SYSTEM_CLASSES } from '#apiserver/kinds/plain-kinds.ts'
import { bootstrapBindings, bootstrapRoles } from '#apiserver/security/bootstrap-policy.ts'
import { builtin, createIfMissing, placeOf, type World } from './world.ts'

const NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease']
const RBAC = 'rbac.authorization.k8s.io'

/** Creates what every cluster has from the start, where it is missing. */
export async function createFirstObjects(world: World): Promise<void> {
  const namespaces = builtin(world, '', 'namespaces')
  const classes = builtin(world, 'scheduling.k8s.io', 'priorityclasses')
  const roles = builtin(world, RBAC, 'clusterroles')
  const bindings = builtin(world, RBAC, 'clusterrolebindings')
  await Promise.all([
    ...NAMESPACES.map((name) =>
      createIfMissing(world, { resource: namespaces, namespace: '', name }, {}),
    ),
    ...Object.entries(SYSTEM_CLASSES).map(([name, value]) =>
      createIfMissing(world, { resource: classes, namespace: '', name }, { value }),
    ),
    ...bootstrapRoles().map((role) => createIfMissing(world, placeOf(roles, role), role)),
    ...bootstrapBindings().map((one) => createIfMissing(world, placeOf(bindings, one), one)),
  ])
  const services = builtin(world, '', 'services')
  await createIfMissing(
    world,
    { resource: services, namespace: 'default', name: 'kubernetes' },
    SELF,
  )
}

const SELF = {
  metadata: { labels: { component: 'apiserver', provider: 'kubernetes' } },
  spec: {
    clusterIP: '10.96.0.1',
    ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
  },
}
