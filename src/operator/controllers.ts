import { cluster } from '#controllers/cluster/controller.ts'
import { controlPlane } from '#controllers/control-plane/controller.ts'
import { kubernetesCluster } from '#controllers/kubernetes-cluster/controller.ts'
import { machine } from '#controllers/machine/controller.ts'
import { notBuilt } from '#controllers/not-built/controller.ts'
import { worker } from '#controllers/worker/controller.ts'
import type { Controller } from '#runtime/controller.ts'
import type { Ports } from './ports.ts'

/** What controllers are told to decide by, instead of their own rules. */
interface DecidedBy {
  cluster?: Parameters<typeof cluster>[0]
  kubernetesCluster?: Parameters<typeof kubernetesCluster>[1]
  controlPlane?: Parameters<typeof controlPlane>[1]
  worker?: Parameters<typeof worker>[1]
  machine?: Parameters<typeof machine>[1]
}

/** Every controller of the operator. Watches and permissions follow from what they declare. */
export const controllersWith = (ports: Ports, by?: DecidedBy): readonly Controller[] => [
  ...clusterControllers(ports, by),
  ...notBuilt,
]

/** Those that make clusters, and look after them. */
export const clusterControllers = (ports: Ports, by: DecidedBy = {}): readonly Controller[] => [
  cluster(by.cluster),
  kubernetesCluster(ports, by.kubernetesCluster),
  controlPlane(ports, by.controlPlane),
  worker(ports, by.worker),
  machine(ports, by.machine),
]
