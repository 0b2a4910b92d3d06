// The operator as kustomize takes it: the objects that `talos-operator manifests --operator` prints, one folder for each
// thing that people leave out or put in. No folder has a namespace or a definition in it but config/crd: what is deleted
// with `kubectl delete -k` takes nothing of users along.

import { toYaml } from '#base/yaml.ts'
import { deploymentOf } from '#operator/deployment.ts'
import { metricsPolicy, scrapedEndpoint, scrapeMonitor } from '#operator/metrics-objects.ts'
import { rolesFor } from '#operator/roles.ts'
import { userRoles } from '#operator/user-roles.ts'
import type { Controller } from '#runtime/controller.ts'
import { type GeneratedFile, MARKER } from './tree.ts'

const WHERE = { namespace: 'talos-operator-system', namespaces: [] }

export const kustomizeFiles = (controllers: readonly Controller[]): GeneratedFile[] => [
  part('rbac', 'roles.yaml', rolesFor(controllers, WHERE)),
  part('rbac', 'user-roles.yaml', userRoles()),
  kustomization('rbac', ['roles.yaml', 'user-roles.yaml']),
  ...folder('manager', 'manager.yaml', [deploymentOf(WHERE)]),
  ...folder('prometheus', 'endpoint.yaml', [scrapedEndpoint(WHERE.namespace)]),
  ...folder('prometheus/monitor', 'monitor.yaml', [scrapeMonitor(WHERE.namespace)]),
  ...folder('network-policy', 'allow-metrics-traffic.yaml', [metricsPolicy(WHERE.namespace)]),
  kustomization('default', ['../rbac', '../manager', '../prometheus', '../network-policy']),
]

const folder = (name: string, file: string, objects: readonly object[]): GeneratedFile[] => [
  part(name, file, objects),
  kustomization(name, [file]),
]

const part = (name: string, file: string, objects: readonly object[]): GeneratedFile => ({
  path: `config/${name}/${file}`,
  content: marked(objects.map((one) => toYaml(one)).join('---\n')),
})

/** What is in a folder of config, for kustomize. */
export const kustomization = (name: string, resources: readonly string[]): GeneratedFile => ({
  path: `config/${name}/kustomization.yaml`,
  content: marked(
    toYaml({
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources,
    }),
  ),
})

const marked = (content: string): string => `# ${MARKER}\n${content}`
