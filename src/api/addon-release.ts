import { helmSpec } from './helm-chart.ts'
import { ageColumn, defineKind, type Resource, TALOS_GROUP } from './meta.ts'
import { object, optional } from './schema.ts'
import { conditions, NOT_BUILT_YET, objectReference, observedGeneration } from './shapes.ts'

/** One Helm release in one cluster. */
export const AddonRelease = defineKind({
  group: TALOS_GROUP,
  version: 'v1alpha1',
  kind: 'TalosClusterAddonRelease',
  plural: 'talosclusteraddonreleases',
  stem: 'addon-release',
  shortNames: ['tcar'],
  description: `One Helm release in one cluster. Made by a TalosClusterAddon, or written by hand. ${NOT_BUILT_YET}`,
  columns: [
    {
      name: 'Cluster',
      jsonPath: '.spec.clusterRef.name',
      type: 'string',
      description: 'TalosControlPlane of the cluster.',
    },
    {
      name: 'Chart',
      jsonPath: '.spec.helmSpec.chartName',
      type: 'string',
      description: 'Name of the chart.',
    },
    ageColumn,
  ],
  specRequired: true,
  spec: object('Which chart goes into which cluster.', {
    clusterRef: objectReference('The TalosControlPlane of the cluster.'),
    helmSpec: optional(helmSpec),
  }),
  status: object('How far the release is.', { observedGeneration, conditions }),
  conditions: { Ready: 'The release is installed as wanted.' },
})
export type AddonRelease = Resource<typeof AddonRelease>
