import { endpointProblem } from '#machineconfig/validate/checks/endpoint.ts'
import {
  isOn,
  itemsAt,
  type Section,
  sectionAt,
  textAt,
  textsAt,
} from '#machineconfig/validate/checks/fields.ts'

/** What is wrong with the choice of the pod network. */
export function* cniProblems(cluster: Section): Generator<string> {
  const cni = sectionAt(sectionAt(cluster, 'network'), 'cni')
  const name = cniName(cni)
  switch (name) {
    case 'flannel':
      yield* urlProblems(cni, name)
      break
    case 'none':
      yield* urlProblems(cni, name)
      yield* flannelProblems(cni, name)
      break
    case 'custom':
      yield* flannelProblems(cni, name)
      yield* textsAt(cni, 'urls').flatMap((url) => endpointProblem(url) ?? [])
      break
    default:
      yield 'cni name should be one of ["flannel", "custom", "none"]'
  }
}

/** Warns of a custom network that nothing is to be fetched for. */
export function* cniWarnings(cluster: Section): Generator<string> {
  const cni = sectionAt(sectionAt(cluster, 'network'), 'cni')
  if (cniName(cni) === 'custom' && itemsAt(cni, 'urls').length === 0) {
    yield '"urls" field should not be empty for "custom" CNI'
  }
}

const cniName = (cni: Section): string => (cni ? textAt(cni, 'name') : 'flannel')

function* urlProblems(cni: Section, name: string): Generator<string> {
  if (itemsAt(cni, 'urls').length > 0) yield `"urls" field should be empty for "${name}" CNI`
}

function* flannelProblems(cni: Section, name: string): Generator<string> {
  const flannel = sectionAt(cni, 'flannel')
  if (itemsAt(flannel, 'extraArgs').length > 0) {
    yield `"flanneldExtraArgs" field should be empty for "${name}" CNI`
  }
  if (isOn(flannel, 'kubeNetworkPoliciesEnabled')) {
    yield `"flannelKubeNetworkPoliciesEnabled" should not be enabled for "${name}" CNI`
  }
}
