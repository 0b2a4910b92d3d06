import type { KindCases } from './cases.ts'
import { helmChartCases } from './helm-chart.cases.ts'

const helmSpec = { chartName: 'metallb', repoURL: 'https://metallb.github.io/metallb' }
const matchExpressions = [
  { key: 'tier', operator: 'In', values: ['prod', 'stage'] },
  { key: 'legacy', operator: 'DoesNotExist' },
]
const charts = helmChartCases()

export const addonCases: KindCases = {
  accepted: [
    {
      title: 'the published example',
      spec: {
        clusterSelector: { matchLabels: { zort: 'hort' } },
        helmSpec: { ...helmSpec, releaseName: 'metallb' },
      },
      becomes: { clusterSelector: { matchLabels: { zort: 'hort' } } },
    },
    { title: 'an empty spec', spec: {} },
    {
      title: 'a selector that matches every cluster',
      spec: { clusterSelector: {}, helmSpec },
      becomes: { clusterSelector: {} },
    },
    {
      title: 'a selector with requirements',
      spec: { clusterSelector: { matchExpressions }, helmSpec },
      becomes: { clusterSelector: { matchExpressions } },
    },
    {
      title: 'a requirement with an operator that there is not: the controller judges it',
      spec: { clusterSelector: { matchExpressions: [{ key: 'tier', operator: 'Sometimes' }] } },
    },
    {
      title: 'a namespace in the target cluster',
      spec: { helmSpec, targetNamespace: 'metallb-system' },
      becomes: { targetNamespace: 'metallb-system' },
    },
    {
      title: 'another selector later on',
      from: { clusterSelector: { matchLabels: { tier: 'stage' } }, helmSpec },
      spec: { clusterSelector: { matchLabels: { tier: 'prod' } }, helmSpec },
      becomes: { clusterSelector: { matchLabels: { tier: 'prod' } } },
    },
    {
      title: 'a field that the schema does not know is dropped',
      spec: { helmSpec, colour: 'blue' },
      drops: ['colour'],
    },
    ...charts.accepted,
  ],
  refused: [
    { title: 'no spec at all', at: 'spec', says: 'Required value' },
    {
      title: 'a requirement without a key',
      spec: { clusterSelector: { matchExpressions: [{ operator: 'Exists' }] } },
      at: 'spec.clusterSelector.matchExpressions[0].key',
      says: 'Required value',
    },
    {
      title: 'a requirement without an operator',
      spec: { clusterSelector: { matchExpressions: [{ key: 'tier' }] } },
      at: 'spec.clusterSelector.matchExpressions[0].operator',
      says: 'Required value',
    },
    {
      title: 'a label that is no text',
      spec: { clusterSelector: { matchLabels: { gpu: true } } },
      at: 'spec.clusterSelector.matchLabels.gpu',
      says: 'must be of type string',
    },
    {
      title: 'a selector as text',
      spec: { clusterSelector: 'tier=prod' },
      at: 'spec.clusterSelector',
      says: 'must be of type object',
    },
    ...charts.refused,
  ],
}
