import type { KindCases } from './cases.ts'
import { helmChartCases } from './helm-chart.cases.ts'
import { everyReferenceField } from './machine-parts.cases.ts'

const clusterRef = { name: 'prod', namespace: 'default' }
const charts = helmChartCases({ clusterRef })

export const addonReleaseCases: KindCases = {
  accepted: [
    { title: 'a cluster without a chart', spec: { clusterRef }, becomes: { clusterRef } },
    { title: 'an empty reference to a cluster', spec: { clusterRef: {} } },
    {
      title: 'a reference with everything that one can have',
      spec: { clusterRef: everyReferenceField },
      becomes: { clusterRef: everyReferenceField },
    },
    {
      title: 'another cluster later on',
      from: { clusterRef },
      spec: { clusterRef: { ...clusterRef, name: 'stage' } },
      becomes: { clusterRef: { name: 'stage' } },
    },
    {
      title: 'a field that the schema does not know is dropped',
      spec: { clusterRef, targetNamespace: 'metallb-system' },
      drops: ['targetNamespace'],
    },
    ...charts.accepted,
  ],
  refused: [
    { title: 'no spec at all', at: 'spec', says: 'Required value' },
    { title: 'no cluster', spec: {}, at: 'spec.clusterRef', says: 'Required value' },
    {
      title: 'a cluster as bare text',
      spec: { clusterRef: 'prod' },
      at: 'spec.clusterRef',
      says: 'must be of type object',
    },
    ...charts.refused,
  ],
}
