import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import type { BootstrapRequest } from '#simulator/machine/machine.ts'
import { runEtcd } from '#simulator/machine/services/etcd.ts'
import { Refusal } from '#simulator/refusal.ts'
import { poweredBoot } from './powered-boot.ts'

const FIRST_WITH_ONE_TEXT = 13
// From this minor version on a control plane may do without etcd.
const FIRST_WITHOUT_ETCD = 14

/** Makes etcd begin on this machine. */
export function bootstrap(inside: MachineInside, request: BootstrapRequest): void {
  const boot = poweredBoot(inside)
  if (!boot.services.isUp('cri')) {
    throw new Refusal('FailedPrecondition', 'bootstrap is not available yet')
  }
  refuseWorkers(inside, boot)
  if (boot.minor >= FIRST_WITHOUT_ETCD && !inside.facts?.hasEtcdAuthority) {
    throw new Refusal('InvalidArgument', 'etcd is not configured, bootstrap is not possible')
  }
  if (!boot.isTimeSynced) throw new Refusal('FailedPrecondition', 'time is not in sync yet')
  if (!inside.storage.ephemeral.isEtcdEmpty) {
    throw new Refusal('AlreadyExists', 'etcd data directory is not empty')
  }
  inside.record(request.recoverEtcd ? 'is told to recover' : 'is told to bootstrap')
  boot.etcdBootstrap = { recovers: request.recoverEtcd, skipHashCheck: request.skipHashCheck }
  boot.services.stop('etcd')
  boot.services.start('etcd', runEtcd(inside, boot))
  inside.passes('after-bootstrap')
}

function refuseWorkers({ facts }: MachineInside, { minor }: Boot): void {
  if (facts?.type === 'controlplane') return
  throw minor >= FIRST_WITH_ONE_TEXT
    ? new Refusal('Unimplemented', 'bootstrap is only available on control plane nodes')
    : new Refusal('FailedPrecondition', 'bootstrap can only be performed on a control plane node')
}

const LARGEST_SNAPSHOT = 2 * 1024 ** 3

/** Keeps a snapshot for the bootstrap that comes. */
export function receiveSnapshot(inside: MachineInside, bytes: Uint8Array): void {
  const boot = poweredBoot(inside)
  if (!boot.hasBootDisk) {
    throw new Refusal('FailedPrecondition', 'etcd service is not ready for recovery yet')
  }
  if (inside.facts?.type !== 'controlplane') {
    throw new Refusal('Unimplemented', 'etcd recover is only available on control plane nodes')
  }
  if (bytes.length > LARGEST_SNAPSHOT) {
    throw new Refusal('ResourceExhausted', 'error writing snapshot: no space left on device')
  }
  inside.storage.ephemeral.snapshot = bytes
}
