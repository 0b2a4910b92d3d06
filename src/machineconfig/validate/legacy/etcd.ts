import {
  itemsAt,
  type Section,
  sectionAt,
  textAt,
  textsAt,
} from '#machineconfig/validate/checks/fields.ts'
import { subnetProblems } from '#machineconfig/validate/checks/subnets.ts'

/** What is wrong with `cluster.etcd`. */
export function* etcdProblems(etcd: Section): Generator<string> {
  const subnet = textAt(etcd, 'subnet')
  const advertised = textsAt(etcd, 'advertisedSubnets')
  if (!sectionAt(etcd, 'ca')) yield 'key/cert combination should not be empty'
  if (subnet !== '' && advertised.length > 0) {
    yield "etcd subnet can't be set when advertised subnets are set"
  }
  const legacy = subnet === '' ? [] : [subnet]
  yield* subnetProblems('etcd advertised subnet', advertised.length > 0 ? advertised : legacy)
  const listens = itemsAt(etcd, 'listenSubnets').length > 0
  yield* subnetProblems('etcd listen subnet', listens ? textsAt(etcd, 'listenSubnets') : advertised)
}
