// The CRDs as kubectl and kustomize take them, and as a chart of their own. The chart keeps them on
// uninstall: with a CRD go all its objects, and with those, in the end, machines.

import { toCrd } from '#api/crd.ts'
import type { Kind } from '#api/meta.ts'
import { toYaml } from '#base/yaml.ts'
import packageFile from '#package.json' with { type: 'json' }
import { kustomization } from './kustomize.ts'
import { type GeneratedFile, MARKER } from './tree.ts'

const BASES = 'config/crd/bases'
const CHART = 'charts/talos-operator-crds'

export const crdFiles = (kinds: readonly Kind[]): GeneratedFile[] => [
  ...kinds.map((kind) => ({ path: `${BASES}/${fileName(kind)}`, content: manifest(toCrd(kind)) })),
  kustomization(
    'crd',
    kinds.map((kind) => `bases/${fileName(kind)}`),
  ),
  { path: `${CHART}/Chart.yaml`, content: manifest(chart()) },
  ...kinds.map((kind) => ({
    path: `${CHART}/templates/${fileName(kind)}`,
    content: template(kind),
  })),
]

const chart = () => ({
  apiVersion: 'v2',
  name: 'talos-operator-crds',
  description: 'The custom resource definitions of talos-operator. They stay when the chart goes.',
  type: 'application',
  version: packageFile.version,
  appVersion: packageFile.version,
})

function template(kind: Kind): string {
  const crd = toCrd(kind)
  const kept = {
    ...crd,
    metadata: { ...crd.metadata, annotations: { 'helm.sh/resource-policy': 'keep' } },
  }
  const content = manifest(kept)
  if (content.includes('{{')) throw new Error(`${kind.kind}: Helm would read {{ as a template`)
  return content
}

const fileName = (kind: Kind): string => `${kind.group}_${kind.plural}.yaml`

const manifest = (object: unknown): string => `# ${MARKER}
${toYaml(object)}`
