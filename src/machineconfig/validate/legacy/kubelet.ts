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
  const configuration = sectionAt(kubelet, 'extraConfig')
  for (const field of PROTECTED) {
    if (valueAt(configuration, field) !== undefined) {
      yield `kubelet configuration field "${field}" can't be overridden`
    }
  }
}
