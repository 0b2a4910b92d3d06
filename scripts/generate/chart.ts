// The parts of the operator's chart that follow from the code: who it is, its values, and what the account may do. Its
// templates are written by hand; test/conformance/packaging holds that they yield what src/operator has.

import { crdName } from '#api/crd.ts'
import { kinds } from '#api/kinds.ts'
import { toYaml } from '#base/yaml.ts'
import { IMAGE, PROGRAM } from '#operator/deployment.ts'
import { rulesFor } from '#operator/roles.ts'
import { nameOf } from '#operator/settings-declare.ts'
import { settingsTable } from '#operator/settings-table.ts'
import { userRules } from '#operator/user-roles.ts'
import packageFile from '#package.json' with { type: 'json' }
import type { Controller } from '#runtime/controller.ts'
import { chartIgnored } from './chart-ignored.ts'
import { type ChartValue, type ChartValues, chartValues } from './chart-values.ts'
import { code, table } from './markdown.ts'
import { type GeneratedFile, MARKER } from './tree.ts'

const CHART = 'charts/talos-operator'
const WIDTH = 100

export const chartFiles = (controllers: readonly Controller[]): GeneratedFile[] => [
  { path: `${CHART}/Chart.yaml`, content: `# ${MARKER}\n${toYaml(chart)}` },
  { path: `${CHART}/values.yaml`, content: `# ${MARKER}\n${yamlOf(chartValues)}` },
  { path: `${CHART}/values.schema.json`, content: schemaText() },
  { path: `${CHART}/templates/_generated.tpl`, content: templates(controllers) },
  { path: 'docs/reference/chart.md', content: page() },
]

const chart = {
  apiVersion: 'v2',
  name: 'talos-operator',
  description: 'The whole life of Talos Linux clusters. Install talos-operator-crds first.',
  type: 'application',
  version: packageFile.version,
  appVersion: packageFile.version,
}

const isValue = (node: ChartValue | ChartValues): node is ChartValue => 'meaning' in node

const yamlOf = (values: ChartValues): string =>
  Object.entries(values)
    .map(([name, node]) =>
      isValue(node)
        ? `${comment(node.meaning)}${toYaml({ [name]: node.usual })}`
        : `${name}:\n${indented(yamlOf(node))}`,
    )
    .join('')

const comment = (meaning: string): string =>
  meaning
    .match(new RegExp(`\\S.{0,${WIDTH - 4}}(?=\\s|$)`, 'g'))
    ?.map((line) => `# ${line}\n`)
    .join('') ?? ''

const indented = (lines: string): string => lines.replaceAll(/^(?=.)/gm, '  ')

function schemaOf(values: ChartValues): object {
  const properties = Object.entries(values).map(([name, node]) => [
    name,
    isValue(node) ? { ...node.takes, description: node.meaning } : schemaOf(node),
  ])
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties),
  }
}

function schemaText(): string {
  const { properties, ...rest } = { properties: {}, ...schemaOf(chartValues) }
  const ignored = Object.entries(chartIgnored).map(([name, because]) => [
    name,
    { description: `No effect: ${because}.` },
  ])
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...rest,
    properties: {
      ...properties,
      ...Object.fromEntries(ignored),
      // A chart that this one is a part of hands these down.
      ...{ global: { type: 'object' }, enabled: { type: 'boolean' } },
    },
  }
  // The marker shares line one with the brace, because JSON has no comments.
  return `{ "$comment": ${JSON.stringify(MARKER)},${JSON.stringify(schema, null, 2).slice(1)}\n`
}

function templates(controllers: readonly Controller[]): string {
  const { published, declared, clusterWide, election } = rulesFor(controllers)
  const isOfLeases = ({ resources }: { resources: string[] }) => resources.includes('leases')
  const named = {
    program: PROGRAM,
    usualImage: IMAGE,
    publishedRules: published.filter((rule) => !isOfLeases(rule)),
    leaseRules: published.filter(isOfLeases),
    declaredRules: declared,
    clusterRules: clusterWide,
    electionRules: election,
    userRoles: userRules(),
    definitions: kinds.map(crdName),
    withoutEffect: chartIgnored,
    valuesOfVariables: valuesOfVariables(),
  }
  const texts = Object.entries(named).map(
    ([name, what]) =>
      `{{- define "talos-operator.${name}" -}}\n${typeof what === 'string' ? `${what}\n` : yamlLines(what)}{{- end }}\n`,
  )
  return `{{- /* ${MARKER} */ -}}\n${texts.join('')}`
}

/** The variables of settings that the chart passes as flags, which go before them, and the values that say the same. */
function valuesOfVariables(): Record<string, string> {
  const table = settingsTable
  const passed = [
    { setting: table.metricsBindAddress, value: 'metrics.port' },
    { setting: table.healthProbeBindAddress, value: 'probes.port' },
    { setting: table.namespaces, value: 'watchNamespaces' },
    { setting: table.machineRefKinds, value: 'machineRefKinds' },
    { setting: table.enableTracing, value: 'tracing.enabled' },
    { setting: table.otlpEndpoint, value: 'tracing.otlpEndpoint' },
  ]
  return Object.fromEntries(
    passed.flatMap(({ setting, value }) => setting.env.map((one) => [nameOf(one), value])),
  )
}

function yamlLines(what: object): string {
  if (Array.isArray(what) && what.length === 0) return ''
  const lines = toYaml(what)
  if (lines.includes('{{')) throw new Error('Helm would read {{ as a template')
  return lines
}

const page = (): string =>
  [
    `<!-- ${MARKER} -->`,
    '# Values of the chart',
    '',
    'The values of `charts/talos-operator`; [installing](../guides/installing.md) shows how to install it. Unknown and invalid values are refused.',
    '',
    ...table(['value', 'default', 'meaning'], rowsOf(chartValues)),
    '## Accepted without effect',
    '',
    'The published charts have these values. The notes after an installation say that they have no effect, if they are set.',
    '',
    ...table(
      ['value', 'why it has no effect'],
      Object.entries(chartIgnored).map(([name, because]) => [code(name), because]),
    ),
  ].join('\n')

const rowsOf = (values: ChartValues, above = ''): string[][] =>
  Object.entries(values).flatMap(([name, node]) =>
    isValue(node)
      ? [[code(`${above}${name}`), code(JSON.stringify(node.usual)), node.meaning]]
      : rowsOf(node, `${above}${name}.`),
  )
