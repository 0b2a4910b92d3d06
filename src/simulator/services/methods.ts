import { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { clusterHealth } from './cluster-health.ts'
import { cosiState } from './cosi/cosi-state.ts'
import { imageCalls } from './image-calls.ts'
import { inspectCalls } from './inspect-calls.ts'
import { lifecycleCalls } from './lifecycle-calls.ts'
import { commands } from './machine/commands.ts'
import { containers } from './machine/containers.ts'
import { credentials } from './machine/credentials.ts'
import { devices } from './machine/devices.ts'
import { etcd } from './machine/etcd.ts'
import { etcdDowngrade } from './machine/etcd-downgrade.ts'
import { events } from './machine/events.ts'
import { files } from './machine/files.ts'
import { identity } from './machine/identity.ts'
import { images } from './machine/images.ts'
import { logs } from './machine/logs.ts'
import { memoryAndLoad } from './machine/memory-and-load.ts'
import { meta } from './machine/meta.ts'
import { processes } from './machine/processes.ts'
import { processors } from './machine/processors.ts'
import { services } from './machine/services.ts'
import { type ServedMethod, served } from './served-method.ts'
import { storageCalls } from './storage-calls.ts'
import { timeCalls } from './time-calls.ts'

const machineCalls = served(MachineService, {
  ...{ ...identity, ...commands, ...services, ...etcd, ...etcdDowngrade, ...events },
  ...{ ...logs, ...containers, ...files, ...credentials, ...images, ...meta },
  ...{ ...memoryAndLoad, ...processors, ...devices, ...processes },
})

/** Everything that machines answer, by the full name of the method. */
export const METHODS: ReadonlyMap<string, ServedMethod> = new Map(
  [
    ...machineCalls,
    ...imageCalls,
    ...lifecycleCalls,
    ...cosiState,
    ...storageCalls,
    ...timeCalls,
    ...clusterHealth,
    ...inspectCalls,
  ].map((method) => [method.path, method]),
)
