import { quote } from '#machineconfig/quote.ts'
import {
  isOn,
  numberAt,
  type Section,
  sectionAt,
  textAt,
  textsAt,
} from '#machineconfig/validate/checks/fields.ts'
import { isPrefix } from '#machineconfig/validate/checks/ip.ts'
import { subnetProblems } from '#machineconfig/validate/checks/subnets.ts'

const SMALLEST_MTU = 1280

/** KubeSpan, if it is on. */
export function enabledKubeSpan(machine: Section): Section {
  const kubeSpan = sectionAt(sectionAt(machine, 'network'), 'kubespan')
  return isOn(kubeSpan, 'enabled') ? kubeSpan : undefined
}

/** Its links carry IPv6. */
export function* kubeSpanLinkProblems(kubeSpan: Section): Generator<string> {
  const mtu = numberAt(kubeSpan, 'mtu')
  if (mtu !== 0 && mtu < SMALLEST_MTU) yield `kubespan link MTU must be at least ${SMALLEST_MTU}`
}

/** What KubeSpan, if it is on, needs of the cluster. */
export function* kubeSpanDiscoveryProblems(kubeSpan: Section, cluster: Section): Generator<string> {
  if (!kubeSpan) return
  if (!isOn(sectionAt(cluster, 'discovery'), 'enabled')) {
    yield '.cluster.discovery should be enabled when .machine.network.kubespan is enabled'
  }
  for (const key of ['id', 'secret']) {
    if (textAt(cluster, key) === '') {
      yield `.cluster.${key} should be set when .machine.network.kubespan is enabled`
    }
  }
}

/** What is wrong with the filters of KubeSpan. */
export function* kubeSpanFilterProblems(kubeSpan: Section): Generator<string> {
  const filters = sectionAt(kubeSpan, 'filters')
  yield* subnetProblems('KubeSpan endpoint filter', textsAt(filters, 'endpoints'))
  for (const network of textsAt(filters, 'excludeAdvertisedNetworks')) {
    if (!isPrefix(network)) {
      yield `KubeSpan exclude advertised networks filter is not valid: ${quote(network)}`
    }
  }
}
