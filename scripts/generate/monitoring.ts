// Alerts and the dashboard, each in the forms in which people take them: as files, for kustomize, and in the chart.

import { toYaml } from '#base/yaml.ts'
import { LABELS, NAME } from '#operator/names.ts'
import { type Alert, alertGroups } from './alerts.ts'
import { dashboardWith } from './dashboard.ts'
import { type GeneratedFile, MARKER } from './tree.ts'

const CHART = 'charts/talos-operator/files'
const CONFIG = 'config/prometheus'
const NAMESPACE = 'talos-operator-system'

/** By which the sidecar of Grafana's chart finds dashboards. */
export const DASHBOARD_LABELS = { grafana_dashboard: '1' }

export const monitoringFiles = (): GeneratedFile[] => {
  const dashboard =
    `${JSON.stringify(dashboardWith(`What talos-operator does. ${MARKER}`), null, 2)}\n`
      // The marker stands on line one of every generated file.
      .replace(/^\{\n {2}/, '{ ')
  return [
    { path: `${CHART}/alerts.yaml`, content: marked(rules) },
    { path: `${CHART}/dashboard.json`, content: dashboard },
    { path: `${CONFIG}/rules/alerts.yaml`, content: marked(rules) },
    { path: `${CONFIG}/rules/prometheus-rule.yaml`, content: marked(prometheusRule) },
    kustomizationOf('rules', { resources: ['prometheus-rule.yaml'] }),
    { path: `${CONFIG}/dashboard/talos-operator.json`, content: dashboard },
    kustomizationOf('dashboard', {
      configMapGenerator: [
        {
          ...{ name: `${NAME}-dashboard`, namespace: NAMESPACE },
          files: ['talos-operator.json'],
          options: {
            disableNameSuffixHash: true,
            labels: { ...LABELS, ...DASHBOARD_LABELS },
          },
        },
      ],
    }),
  ]
}

/** As Prometheus itself reads it: a file of rules. */
const rules = {
  groups: alertGroups.map(({ name, alerts }) => ({ name, rules: alerts.map(ruleOf) })),
}

function ruleOf({ alert, expr, for: duration, severity, summary, remedy }: Alert) {
  return {
    ...{ alert, expr, for: duration, labels: { severity } },
    annotations: { summary, description: withoutLinks(remedy) },
  }
}

/** The same for the Prometheus operator. */
const prometheusRule = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: NAME, namespace: NAMESPACE, labels: LABELS },
  spec: rules,
}

/** `[upgrading Talos](upgrading-talos.md)`: who reads it has no page beside it. */
function withoutLinks(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, '$1 (docs/guides/$2)')
}

const kustomizationOf = (folder: string, content: object): GeneratedFile => ({
  path: `${CONFIG}/${folder}/kustomization.yaml`,
  content: marked({
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    ...content,
  }),
})

const marked = (content: object): string => `# ${MARKER}\n${toYaml(content)}`
