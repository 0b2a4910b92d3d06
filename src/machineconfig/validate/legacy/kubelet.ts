import { type Section, sectionAt, textsAt, valueAt } from '#machineconfig/validate/checks/fields.ts'
import { subnetProblems } from '#machineconfig/validate/checks/subnets.ts'

const PROTECTED = [
  'apiVersion',
  'authentication',
  'authorization',
  'cgroupRoot',
  'kind',
  'kubeletCgroups',
  'port',
  'protectKernelDefaults',
  'resolvConf',
  'rotateCertificates',
  'systemCgroups',
  'staticPodPath',
  'seccompDefault',
]

/** What is wrong with `machine.kubelet`. */
export function* kubeletProblems(kubelet: Section): Generator<string> {
  const nodeIp = sectionAt(kubelet, 'nodeIP')
  yield* subnetProblems('kubelet nodeIP subnet', textsAt(nodeIp, 'validSubnets'))
  yield* protectedFieldProblems(sectionAt(kubelet, 'extraConfig'))
}

/** Fields of the configuration of a kubelet that Talos itself sets. */
export function* protectedFieldProblems(configuration: Section): Generator<string> {
  for (const field of PROTECTED) {
    if (valueAt(configuration, field) !== undefined) {
      yield `kubelet configuration field "${field}" can't be overridden`
    }
  }
}
