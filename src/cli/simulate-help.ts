import { faultKinds, type KeyForm } from '#simulator/faults/fault-kinds.ts'

/** What `simulate --help` says besides its options: what goes on, all faults, and how it is used. */
export const simulateHelp = (): string => `
Machines begin in maintenance mode. They take a configuration, install, reboot, become clusters, and serve
the Kubernetes API of those clusters, each at its own address. Nothing is kept when the command ends.

On Linux every address in 127.0.0.0/8 can be used. macOS has 127.0.0.1 alone; add the others first, one for
each machine: sudo ifconfig lo0 alias 127.50.0.1 up

With --provider there are no machines at first: one is made for each Machine (vitistack.io) of an API whose
spec.provider is empty or the name, with its disks, processors and memory, and taken away with it. Its status says
where it is. Machines of an earlier run are booted anew, with empty disks. The command has to run for a Machine
to be deleted.

With --clusters the machines are as many as so many clusters take, and a file with one TalosCluster for each is
written, to be applied where an operator runs on this machine.

A fault is written NAME[:MACHINE][,KEY=VALUE]…; the machine is an address, a UUID or a host name, or, for what the
provider does (provider-…, address-…), the name of a Machine. Without one all machines are meant. Each takes after=DURATION, for=DURATION and times=COUNT besides its own keys:
${Object.entries(faultKinds).map(faultLine).join('\n')}

Example:
  talos-operator simulate --machines 5 --speed 20 --fault dies:127.50.0.3,at=after-install
  talosctl apply-config --insecure -n 127.50.0.1 -f controlplane.yaml
  talos-operator simulate --provider --kubeconfig ./state/kubeconfig --fault provider-fails:prod-cp-1
  talos-operator simulate --clusters 1000 --shape 1+2 --speed max
  kubectl apply -f clusters.yaml`

const faultLine = ([name, { description, keys }]: [string, FaultText]): string =>
  `  ${name.padEnd(17)} ${description}${Object.entries(keys).map(keyLine).join('')}`

interface FaultText {
  readonly description: string
  readonly keys: Readonly<Record<string, KeyForm>>
}

function keyLine([key, { takes, isRequired }]: [string, KeyForm]): string {
  const value = typeof takes === 'string' ? takes.toUpperCase() : takes.join('|')
  return `\n${' '.repeat(22)}${key}=${value}${isRequired ? '' : ' (optional)'}`
}
