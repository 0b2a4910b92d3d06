import { itemsAt, type Section, sectionAt, textAt } from '#machineconfig/validate/checks/fields.ts'

/** Every machine trusts someone. */
export function* trustProblems(machine: Section): Generator<string> {
  if (!sectionAt(machine, 'ca') && itemsAt(machine, 'acceptedCAs').length === 0) {
    yield 'issuing CA or some accepted CAs are required (.machine.ca, machine.acceptedCAs)'
  }
}

/** A control plane issues certificates. */
export function* issuerProblems(machine: Section): Generator<string> {
  const authority = sectionAt(machine, 'ca')
  if (!authority) yield 'issuing CA is required (.machine.ca)'
  else if (textAt(authority, 'key') === '') {
    yield 'issuing CA key is required for controlplane nodes (.machine.ca.key)'
  }
}

/** A worker must not be able to. */
export function* workerKeyProblems(machine: Section, cluster: Section): Generator<string> {
  const authority = sectionAt(machine, 'ca')
  if (textAt(authority, 'key') !== '') {
    yield 'issuing Talos API CA key is not allowed on non-controlplane nodes (.machine.ca)'
  }
  if (
    authority &&
    textAt(authority, 'crt') === '' &&
    itemsAt(machine, 'acceptedCAs').length === 0
  ) {
    yield 'trusted CA certificates are required on non-controlplane nodes (.machine.ca.crt, .machine.acceptedCAs)'
  }
  if (textAt(sectionAt(cluster, 'ca'), 'key') !== '') {
    yield 'issuing Kubernetes API CA key is not allowed on non-controlplane nodes (.cluster.ca)'
  }
}
