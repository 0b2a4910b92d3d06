import type { Binding, Caller } from './caller.ts'
import { bootstrapCalls } from './calls/bootstrap.ts'
import { clientConfigurationCalls } from './calls/client-configuration.ts'
import { configurationCalls } from './calls/configuration.ts'
import { etcdDatabaseCalls } from './calls/etcd-database.ts'
import { etcdMemberCalls } from './calls/etcd-members.ts'
import { eventCalls } from './calls/events.ts'
import { imageCalls } from './calls/images.ts'
import { kubeconfigCalls } from './calls/kubeconfig.ts'
import { logCalls } from './calls/logs.ts'
import { metaCalls } from './calls/meta.ts'
import { powerCalls } from './calls/power.ts'
import { servicesCalls } from './calls/services.ts'
import { storageCalls } from './calls/storage.ts'
import { systemCalls } from './calls/system.ts'
import { upgradeCalls } from './calls/upgrade.ts'
import { resourceCalls } from './resources/resource-calls.ts'
import { clusterStateCalls, stateCalls } from './resources/state-calls.ts'

/**
 * All calls to one machine. Each goes to that machine and no other, has a deadline, and throws a
 * MachineError whose `outcome` says what became of it. Nothing is tried again here.
 */
function machineCalls(caller: Caller) {
  const resources = resourceCalls(caller)
  return {
    /** What it is called in messages: its address. */
    where: caller.where,
    ...systemCalls(caller),
    ...bootstrapCalls(caller),
    ...powerCalls(caller),
    ...eventCalls(caller),
    ...logCalls(caller),
    ...kubeconfigCalls(caller),
    ...clientConfigurationCalls(caller),
    configuration: configurationCalls(caller),
    upgrade: upgradeCalls(caller),
    etcd: { ...etcdMemberCalls(caller), ...etcdDatabaseCalls(caller) },
    services: servicesCalls(caller),
    images: imageCalls(caller),
    meta: metaCalls(caller),
    storage: storageCalls(caller),
    /** Resources, as the machine has them. */
    resources,
    /** Those that the operator needs, read: of the machine itself, and of its part in the cluster. */
    state: stateCalls(resources),
    cluster: clusterStateCalls(resources),
  }
}

type MachineCalls = ReturnType<typeof machineCalls>

/** One machine: whoever answers at its address, which may be another one for each call. */
export interface TalosMachine extends MachineCalls {
  /**
   * Lends the machine that answers now, for as long as the work takes: all calls go over the connection
   * that the first one goes over. Once that is gone they are `unreachable`, and nothing was asked.
   */
  bound<Result>(
    work: (same: BoundMachine) => Promise<Result>,
    how?: Binding<Result>,
  ): Promise<Result>
}

/** One machine, and the same one for each call. */
export interface BoundMachine extends MachineCalls {
  readonly isBound: true
}

/** The machine at one address. */
export const talosMachine = (caller: Caller): TalosMachine => ({
  ...machineCalls(caller),
  bound: (work, how) => caller.bound((same) => work({ ...machineCalls(same), isBound: true }), how),
})
