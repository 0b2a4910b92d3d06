// What the operator may do, from what its controllers declare.

import { toYaml } from '#base/yaml.ts'
import { rolesFor } from '#operator/roles.ts'
import type { Controller } from '#runtime/controller.ts'
import { type GeneratedFile, MARKER } from './tree.ts'

const FOLDER = 'config/rbac'
const NAMESPACE = 'talos-operator-system'

export function rbacFiles(controllers: readonly Controller[]): GeneratedFile[] {
  const objects = rolesFor(controllers, { namespace: NAMESPACE, namespaces: [] })
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: ['roles.yaml'],
  }
  return [
    {
      path: `${FOLDER}/roles.yaml`,
      content: marked(objects.map((one) => toYaml(one)).join('---\n')),
    },
    { path: `${FOLDER}/kustomization.yaml`, content: marked(toYaml(kustomization)) },
  ]
}

const marked = (content: string): string => `# ${MARKER}\n${content}`
