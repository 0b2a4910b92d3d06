import { helmSpec } from './helm-chart.ts'
import { ageColumn, defineKind, type Resource, TALOS_GROUP } from './meta.ts'
import { object, optional, text } from './schema.ts'
import { conditions, labelSelector, NOT_BUILT_YET, observedGeneration } from './shapes.ts'

/** A Helm chart that belongs in every cluster a selector matches. */
export const Addon = defineKind({
  group: TALOS_GROUP,
  version: 'v1alpha1',
  kind: 'TalosClusterAddon',
  plural: 'talosclusteraddons',
  stem: 'addon',
  shortNames: ['tca'],
  description: `A Helm chart for all clusters whose TalosControlPlane matches a selector; each gets a TalosClusterAddonRelease. ${NOT_BUILT_YET}`,
  columns: [
    {
      name: 'Chart',
      jsonPath: '.spec.helmSpec.chartName',
      type: 'string',
      description: 'Name of the chart.',
    },
    {
      name: 'Version',
      jsonPath: '.spec.helmSpec.version',
      type: 'string',
      description: 'Version of the chart that is wanted.',
    },
    ageColumn,
  ],
  specRequired: true,
  spec: object('Which chart goes into which clusters.', {
    clusterSelector: optional(
      labelSelector('Matches labels of TalosControlPlane objects; empty matches all of them.'),
    ),
    helmSpec: optional(helmSpec),
    targetNamespace: optional(
      text('Namespace of the release in the target cluster; wins over `helmSpec.namespace`.'),
    ),
  }),
  status: object('How far the add-on is.', { observedGeneration, conditions }),
  conditions: { Ready: 'Every matching cluster has a release that is installed as wanted.' },
})
export type Addon = Resource<typeof Addon>
