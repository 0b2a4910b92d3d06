import type { Fields } from '#apiserver/objects.ts'
import { aggregatedRules } from './aggregation.ts'

const READ = 'get list watch'
const WRITE = 'create delete deletecollection patch update'
const ALL = 'create delete deletecollection get list patch update watch'

type Row = readonly [groups: string, resources: string, verbs: string]

// Groups, resources, verbs; `core` is the group without a name. What a namespace's readers may see.
const VIEW: readonly Row[] = [
  [
    'core',
    'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
    READ,
  ],
  [
    'core',
    'bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
    READ,
  ],
  ['core', 'namespaces', READ],
  ['core events.k8s.io', 'events', READ],
  ['discovery.k8s.io', 'endpointslices', READ],
  [
    'apps',
    'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
    READ,
  ],
  ['autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status', READ],
  ['batch', 'cronjobs cronjobs/status jobs jobs/status', READ],
  [
    'extensions',
    'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale',
    READ,
  ],
  ['policy', 'poddisruptionbudgets poddisruptionbudgets/status', READ],
  ['networking.k8s.io', 'ingresses ingresses/status networkpolicies', READ],
  ['resource.k8s.io', 'resourceclaims resourceclaims/status resourceclaimtemplates', READ],
]

// What its users may do besides: Secrets, because whoever starts a pod can read them anyway.
const EDIT: readonly Row[] = [
  ['core', 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy', READ],
  ['core', 'serviceaccounts', 'impersonate'],
  ['core', 'pods pods/attach pods/exec pods/portforward pods/proxy', WRITE],
  ['core', 'pods/eviction', 'create'],
  [
    'core',
    'configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
    WRITE,
  ],
  ['core', 'serviceaccounts/token', 'create'],
  ['core events.k8s.io', 'events', WRITE],
  [
    'apps',
    'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale',
    WRITE,
  ],
  ['autoscaling', 'horizontalpodautoscalers', WRITE],
  ['batch', 'cronjobs jobs', WRITE],
  [
    'extensions',
    'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
    WRITE,
  ],
  ['policy', 'poddisruptionbudgets', WRITE],
  ['networking.k8s.io', 'ingresses networkpolicies', WRITE],
  ['coordination.k8s.io', 'leases', ALL],
  ['resource.k8s.io', 'resourceclaims resourceclaimtemplates', WRITE],
]

const ADMIN: readonly Row[] = [
  ['authorization.k8s.io', 'localsubjectaccessreviews', 'create'],
  ['rbac.authorization.k8s.io', 'rolebindings roles', ALL],
]

const HEALTH = '/healthz /livez /readyz /version /version/'

const words = (text: string): string[] => text.split(' ')

const ruleOf = ([groups, resources, verbs]: Row): Fields => ({
  apiGroups: words(groups).map((group) => (group === 'core' ? '' : group)),
  resources: words(resources),
  verbs: words(verbs),
})

const getOf = (urls: string): Fields => ({ nonResourceURLs: words(urls), verbs: ['get'] })

const RBAC = 'rbac.authorization.k8s.io'

const metadataOf = (name: string, labels: Record<string, string> = {}): Fields => ({
  name,
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
})

const role = (name: string, rules: readonly Fields[], labels?: Record<string, string>): Fields => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRole',
  metadata: metadataOf(name, labels),
  rules,
})

const partOf = (whole: string): Record<string, string> => ({
  [`${RBAC}/aggregate-to-${whole}`]: 'true',
})

const wholeOf = (name: string, labels?: Record<string, string>): Fields => ({
  ...role(name, [], labels),
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: partOf(name) }] },
})

const binding = (name: string, ...groups: string[]): Fields => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: metadataOf(name),
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
  subjects: groups.map((group) => ({ apiGroup: RBAC, kind: 'Group', name: group })),
})

/** The ClusterRoles that are there from the beginning, as far as anything here asks for them. */
export function bootstrapRoles(): Fields[] {
  const roles = [
    role('cluster-admin', [
      { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      { nonResourceURLs: ['*'], verbs: ['*'] },
    ]),
    role('system:aggregate-to-admin', ADMIN.map(ruleOf), partOf('admin')),
    role('system:aggregate-to-edit', EDIT.map(ruleOf), partOf('edit')),
    role('system:aggregate-to-view', VIEW.map(ruleOf), partOf('view')),
    role('system:auth-delegator', [
      ruleOf(['authentication.k8s.io', 'tokenreviews', 'create']),
      ruleOf(['authorization.k8s.io', 'subjectaccessreviews', 'create']),
    ]),
    role('system:basic-user', [
      ruleOf([
        'authorization.k8s.io',
        'selfsubjectaccessreviews selfsubjectrulesreviews',
        'create',
      ]),
      ruleOf(['authentication.k8s.io', 'selfsubjectreviews', 'create']),
    ]),
    role('system:discovery', [
      getOf(
        '/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/',
      ),
    ]),
    role('system:monitoring', [
      getOf(
        '/flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz',
      ),
      ruleOf(['core', 'nodes/metrics', 'get']),
    ]),
    role('system:public-info-viewer', [getOf(HEALTH)]),
    role('system:service-account-issuer-discovery', [
      getOf(
        '/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/',
      ),
    ]),
  ]
  const gathered = [
    wholeOf('view', partOf('edit')),
    wholeOf('edit', partOf('admin')),
    wholeOf('admin'),
  ]
  for (const whole of gathered) roles.push({ ...whole, rules: aggregatedRules(whole, roles) })
  return roles
}

/** The ClusterRoleBindings that are there from the beginning. */
export const bootstrapBindings = (): Fields[] => [
  binding('cluster-admin', 'system:masters'),
  binding('system:basic-user', 'system:authenticated'),
  binding('system:discovery', 'system:authenticated'),
  binding('system:monitoring', 'system:monitoring'),
  binding('system:public-info-viewer', 'system:authenticated', 'system:unauthenticated'),
  binding('system:service-account-issuer-discovery', 'system:serviceaccounts'),
]
