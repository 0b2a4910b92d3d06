import { requestAddressProblem, requestPath } from '#machineconfig/validate/checks/endpoint.ts'
import { isOn, type Section, sectionAt, textAt } from '#machineconfig/validate/checks/fields.ts'

const DEFAULT_ENDPOINT = 'https://discovery.talos.dev/'

/** What is wrong with `cluster.discovery`, if the registry outside of the cluster is used. */
export function* discoveryProblems(cluster: Section): Generator<string> {
  const discovery = sectionAt(cluster, 'discovery')
  const registry = sectionAt(sectionAt(discovery, 'registries'), 'service')
  if (!isOn(discovery, 'enabled') || isOn(registry, 'disabled')) return
  const endpoint = textAt(registry, 'endpoint') || DEFAULT_ENDPOINT
  const problem = requestAddressProblem(endpoint)
  if (problem) yield `cluster discovery service registry endpoint is invalid: ${problem}`
  else if (!['', '/'].includes(requestPath(endpoint))) {
    yield 'cluster discovery service path should be empty'
  }
  if (textAt(cluster, 'id') === '') yield 'cluster discovery service requires .cluster.id'
  if (textAt(cluster, 'secret') === '') yield 'cluster discovery service requires .cluster.secret'
}
