import { isOn, type Section, sectionAt } from '#machineconfig/validate/checks/fields.ts'

/** What is wrong with the resolver on the host, which containers cannot do without. */
export function* hostDnsProblems(machine: Section, inContainer: boolean): Generator<string> {
  const hostDns = sectionAt(sectionAt(machine, 'features'), 'hostDNS')
  const enabled = isOn(hostDns, 'enabled')
  const forwards = isOn(hostDns, 'forwardKubeDNSToHost')
  if (inContainer && !enabled) {
    yield 'feature HostDNS should be enabled in container mode (.machine.features.hostDNS.enabled)'
  }
  if (inContainer && !forwards) {
    yield 'feature HostDNS should forward kube-dns to host in container mode (.machine.features.hostDNS.forwardKubeDNSToHost)'
  }
  if (forwards && !enabled) {
    yield 'feature hostDNS.forwardKubeDNSToHost requires hostDNS.enabled to be true (.machine.features.hostDNS)'
  }
}
