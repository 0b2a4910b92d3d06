// The CRDs as kubectl and kustomize take them, and as a chart of their own. The chart keeps them on
// uninstall: with a CRD go all its objects, and with those, in the end, machines.

import { crdName, PART_OF_LABELS, toCrd } from '#api/crd.ts'
import { type Kind, VITISTACK_GROUP } from '#api/meta.ts'
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
  { path: `${CHART}/values.yaml`, content: values() },
  { path: `${CHART}/values.schema.json`, content: schema() },
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

const VALUES = {
  vitistack: {
    usual: true,
    meaning:
      'The kinds of vitistack.io. False where kinds of another project have these names: objects of their shape are left alone.',
  },
  force: {
    usual: false,
    meaning:
      'Replace kinds of vitistack.io that are from another project. Their objects would lose fields.',
  },
}

const values = (): string =>
  `# ${MARKER}\n${Object.entries(VALUES)
    .map(([name, { usual, meaning }]) => `# ${meaning}\n${name}: ${usual}\n`)
    .join('')}`

function schema(): string {
  const own = Object.entries(VALUES).map(([name, { meaning }]) => [
    name,
    { type: 'boolean', description: meaning },
  ])
  const whole = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...{ type: 'object', additionalProperties: false },
    properties: {
      ...Object.fromEntries(own),
      // A chart that this one is a part of hands these down.
      ...{ global: { type: 'object' }, enabled: { type: 'boolean' } },
    },
  }
  return `{ "$comment": ${JSON.stringify(MARKER)},${JSON.stringify(whole, null, 2).slice(1)}\n`
}

function template(kind: Kind): string {
  const crd = toCrd(kind)
  const kept = {
    ...crd,
    metadata: { ...crd.metadata, annotations: { 'helm.sh/resource-policy': 'keep' } },
  }
  const content = manifest(kept)
  if (content.includes('{{')) throw new Error(`${kind.kind}: Helm would read {{ as a template`)
  return kind.group === VITISTACK_GROUP ? ofAnotherGroup(kind, content) : content
}

/** What others publish under the same name has another shape. A chart that is rendered without a cluster finds none. */
function ofAnotherGroup(kind: Kind, content: string): string {
  const name = crdName(kind)
  const [[label = '', ours = ''] = []] = Object.entries(PART_OF_LABELS)
  return `{{- /* ${MARKER} */ -}}
{{- if .Values.vitistack }}
{{- $found := lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" "${name}" }}
{{- if and $found (not .Values.force) (ne (dig "metadata" "labels" "${label}" "" $found) "${ours}") }}
{{- fail "the cluster has ${name} from another project, and can hold only one of that name. To leave it as it is: --set vitistack=false. To replace it, if nothing here uses the other shape, whose objects would lose fields: --set force=true --take-ownership" }}
{{- end }}
${content}{{- end }}
`
}

const fileName = (kind: Kind): string => `${kind.group}_${kind.plural}.yaml`

const manifest = (object: unknown): string => `# ${MARKER}
${toYaml(object)}`
