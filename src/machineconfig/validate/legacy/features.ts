import { quote } from '#machineconfig/quote.ts'
import {
  isOn,
  type Section,
  sectionAt,
  textAt,
  textsAt,
} from '#machineconfig/validate/checks/fields.ts'

/** The roles that a client of Talos may have. */
export const ROLES = [
  'os:admin',
  'os:operator',
  'os:reader',
  'os:etcd:backup',
  'os:image:verifier',
  'os:meta:writer',
  'os:impersonator',
]
const SORT_ALGORITHMS = ['', 'v1', 'v2']

/** What is wrong with `machine.features`, the resolver on the host aside. */
export function* featureProblems(machine: Section, onControlPlane: boolean): Generator<string> {
  const features = sectionAt(machine, 'features')
  yield* talosAccessProblems(sectionAt(features, 'kubernetesTalosAPIAccess'), onControlPlane)
  const algorithm = textAt(features, 'nodeAddressSortAlgorithm')
  if (!SORT_ALGORITHMS.includes(algorithm.toLowerCase())) {
    yield `invalid node address sort algorithm: ${algorithm} does not belong to AddressSortAlgorithm values`
  }
}

function* talosAccessProblems(access: Section, onControlPlane: boolean): Generator<string> {
  if (!isOn(access, 'enabled')) return
  if (!onControlPlane) {
    yield 'feature Kubernetes Talos API Access can only be enabled on control plane machines'
  }
  for (const role of textsAt(access, 'allowedRoles')) {
    if (!ROLES.includes(role)) {
      yield `invalid role ${quote(role)} in allowed roles for Kubernetes Talos API Access`
    }
  }
}
