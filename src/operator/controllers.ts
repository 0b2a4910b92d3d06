import { cluster } from '#controllers/cluster/controller.ts'
import { controlPlane } from '#controllers/control-plane/controller.ts'
import { machine } from '#controllers/machine/controller.ts'
import { worker } from '#controllers/worker/controller.ts'
import type { Controller } from '#runtime/controller.ts'
import type { Ports } from './ports.ts'

/** Every controller of the operator. Watches and permissions follow from what they declare. */
export const controllersWith = (ports: Ports): readonly Controller[] => [
  cluster,
  controlPlane(ports),
  worker(ports),
  machine(ports),
]
