import { letsIn } from '#simulator/machine/trust-facts.ts'
import type { ClusterMachine } from './cluster-machine.ts'

/** Whether a control plane signs certificates for a machine that asks it, and the machine asks it. */
export const givesCertificates = (
  { facts: host }: ClusterMachine,
  { facts: guest }: ClusterMachine,
): boolean => !!host && !!guest && letsIn(host.trust.machines, guest.trust.machines)

/** Whether etcd on two machines can talk: each wants a certificate of the authority that it has itself. */
export const sharesEtcd = (
  { facts: one }: ClusterMachine,
  { facts: other }: ClusterMachine,
): boolean => !!one && !!other && one.trust.etcd === other.trust.etcd

/** Whether the API server on a control plane lets the kubelet of a machine in, and is believed by it. */
export const letsKubeletIn = (
  { facts: host }: ClusterMachine,
  { facts: guest, hasKubeletCertificate }: ClusterMachine,
): boolean =>
  !!host && !!guest && letsIn(host.trust.kubernetes, guest.trust.kubernetes, !hasKubeletCertificate)
