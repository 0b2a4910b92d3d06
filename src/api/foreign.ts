// Kubernetes' own kinds, as far as we read or write them.

import type { ForeignKind, KubeObject } from './meta.ts'

interface ConfigMapObject extends KubeObject {
  data?: Record<string, string>
  immutable?: boolean
}

export const ConfigMap: ForeignKind<ConfigMapObject> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
}
