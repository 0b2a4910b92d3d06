import { kubernetesProblem } from '#machineconfig/versions/compatibility.ts'
import { releaseOf } from '#machineconfig/versions/contract.ts'
import { parseVersion } from '#machineconfig/versions/version.ts'
import type { Notice } from '#runtime/plan.ts'
import { lostControlPlane } from './lost-control-plane.ts'
import type { Shape } from './shape.ts'
import type { World } from './world.ts'

/** What users should hear of though it keeps nothing from being done. */
export const noticesFor = (shape: Shape, world: World): Notice[] => [
  ...openSecrets(world),
  ...ignoredSecrets(world),
  ...lostMachines(world),
  ...sharedEndpoint(shape, world),
  ...oddVersions(shape),
]

function openSecrets({ secrets }: World): Notice[] {
  if (secrets.is === 'wrong') return []
  const isOpen = secrets.is === 'to be made' ? secrets.from === 'spec' : secrets.isInSpec
  if (!isOpen) return []
  return [
    warning(
      'SecretsInSpec',
      `spec.talosConfig.machine has token or ca, for everybody to read. They are kept in Secret ${secrets.name}, which alone counts from now on: take them out of the spec`,
    ),
  ]
}

function ignoredSecrets({ secrets }: World): Notice[] {
  if (secrets.is !== 'with the control plane' || secrets.ignored === undefined) return []
  return [
    warning(
      'SecretsIgnored',
      `${secrets.ignored} is another one than the cluster has, which keeps that of Secret ${secrets.name}: keys are never changed`,
    ),
  ]
}

function lostMachines(world: World): Notice[] {
  const lost = lostControlPlane(world)
  return lost === undefined ? [] : [warning('ControlPlaneLost', lost)]
}

const sharedEndpoint = ({ endpoint }: Shape, { sameEndpoint }: World): Notice[] =>
  sameEndpoint.length === 0
    ? []
    : [
        warning(
          'EndpointShared',
          `${endpoint} is the endpoint of ${sameEndpoint.join(', ')} as well: only one of the clusters can be reached there`,
        ),
      ]

function oddVersions({ talosVersion, kubernetesVersion }: Shape): Notice[] {
  const why = kubernetesProblem(talosVersion, kubernetesVersion)
  return why === undefined
    ? []
    : [warning('VersionsUnsupported', `${why}: change spec.talosVersion or spec.kubernetesVersion`)]
}

/** Whether there are configurations for this version of Talos. */
export function isServed({ talosVersion }: Shape): boolean {
  const version = parseVersion(talosVersion)
  return version !== undefined && releaseOf(version) !== undefined
}

const warning = (reason: string, message: string): Notice => ({ type: 'Warning', reason, message })
