import { aborted, onAbort } from '#base/on-abort.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { bundleFromConfig } from '#machineconfig/secrets/bundle-from-config.ts'
import type { Boot } from '#simulator/machine/boot.ts'
import { clusterFacts } from '#simulator/machine/cluster-facts.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import type { EtcdPlace } from '#simulator/machine/kept/ephemeral-partition.ts'
import { untilTrue } from '#simulator/machine/listeners.ts'
import { SimulatedImages } from '#simulator/machine/simulated-images.ts'
import { Refusal } from '#simulator/refusal.ts'
import { type ServiceContext, start, startedAs } from './bring-up.ts'
import { joinEtcd, newMember } from './join-etcd.ts'
import { timeIsSynced } from './readiness.ts'
import { recoveredContent } from './recovered-content.ts'
import { type ServiceBody, ServiceFailure } from './services.ts'

/** etcd on a control plane: goes on with the data it has, begins anew if it is told to, or joins others. */
export const runEtcd =
  (inside: MachineInside, boot: Boot): ServiceBody =>
  async (service, signal) => {
    const context = { inside, boot, service, signal }
    let joined: EtcdPlace | undefined
    await start(context, {
      waits: {
        for: 'service "cri" to be "up", time sync, network, etcd spec',
        until: async () => {
          await boot.services.whenUp(['cri'], signal)
          await timeIsSynced(inside, boot, signal)
        },
      },
      prepares: async () => {
        joined = await prepare(context)
      },
      takes: 'startEtcd',
    })
    // A machine that goes down before has nothing on its disk, and a member is in its way that never ran.
    if (joined) inside.storage.ephemeral.etcd = joined
    if (inside.storage.ephemeral.halfRecovered) await crashes(context)
    const place = inside.storage.ephemeral.etcd
    if (!place) return
    for (;;) {
      if (isDown(inside)) await restarted(context, place)
      await untilItFails(context, place)
      signal.throwIfAborted()
    }
  }

const EXITED =
  'Error running Containerd(etcd), going to restart forever: task "etcd" failed: exit code 1'

/** There is a database, and nothing of what belongs to it: it ends each time as soon as it has begun. */
async function crashes({ inside, service, signal }: ServiceContext): Promise<void> {
  inside.record('fails to run etcd')
  service.to('Waiting', EXITED)
  await aborted(signal)
}

const isDown = (inside: MachineInside): boolean =>
  inside.world.faults.find('etcd-down', inside) !== undefined

/** Talos starts it again and again; that it is well for a moment each time is left out. */
async function restarted(
  { inside, boot, service, signal }: ServiceContext,
  { half, memberId }: EtcdPlace,
): Promise<void> {
  const { faults } = inside.world
  inside.record('fails to run etcd')
  half.etcd.stop(memberId)
  service.to('Waiting', EXITED)
  boot.cluster?.changed()
  await untilTrue(
    () => !isDown(inside),
    signal,
    (listener) => faults.onChange(listener),
  )
  await inside.takes('startEtcd', signal)
  service.to('Running', startedAs(inside, service))
}

/** The process, from its start to the moment at which it fails, or the service is stopped. */
async function untilItFails(context: ServiceContext, place: EtcdPlace): Promise<void> {
  const { inside, signal } = context
  const over = new AbortController()
  const leave = [
    onAbort(signal, () => over.abort(signal.reason)),
    inside.world.faults.onChange(() => {
      if (isDown(inside)) over.abort(new Error('etcd has failed'))
    }),
  ]
  try {
    await runUntil({ ...context, signal: over.signal }, place)
  } catch (error) {
    if (!over.signal.aborted) throw error
  } finally {
    for (const cancel of leave) cancel()
  }
}

async function runUntil(context: ServiceContext, place: EtcdPlace): Promise<void> {
  const { inside, signal } = context
  runMember(context, place)
  if (isLearner(place)) await promoteInTime(context, place)
  await inside.takes('etcdHealthCheck', signal)
  keepChecking(context, place)
  await aborted(signal)
}

/** Makes sure that there is data, or a place among others for which it will be. */
async function prepare(context: ServiceContext): Promise<EtcdPlace | undefined> {
  const { inside, boot, signal } = context
  const { ephemeral } = inside.storage
  const image = boot.config?.facts?.images.etcd
  if (image) await new SimulatedImages(inside).ensure(image, 'system', signal)
  if (!ephemeral.isEtcdEmpty) return undefined
  if (boot.etcdBootstrap) {
    await bootstrap(context)
    return undefined
  }
  inside.passes('before-etcd-join')
  const place = await joinEtcd(context)
  inside.record('joins etcd')
  return place
}

const isLearner = ({ half, memberId }: EtcdPlace): boolean =>
  half.etcd.members.some(({ id, isLearner }) => id === memberId && isLearner)

async function bootstrap({ inside, boot }: ServiceContext): Promise<void> {
  const { ephemeral } = inside.storage
  const { etcdBootstrap, cluster, config } = boot
  if (!etcdBootstrap || !cluster || !config?.facts) return
  const { recovers, skipHashCheck } = etcdBootstrap
  const restored = recovers ? recoveredContent(ephemeral, skipHashCheck) : undefined
  try {
    const facts = clusterFacts(config.facts, bundleFromConfig(config.config))
    ephemeral.etcd = await cluster.bootstrap(facts, {
      member: newMember(inside),
      ...(restored && { restored }),
    })
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof ConfigError)) throw error
    throw new ServiceFailure(`Failed to run pre stage: ${error.message}`)
  }
  ephemeral.snapshot = undefined
  boot.etcdBootstrap = undefined
  inside.record(recovers ? 'recovers etcd' : 'bootstraps etcd')
}

/** The process runs from now on until the service is stopped; others count on it while they get through to it. */
function runMember({ inside, signal }: ServiceContext, { half, memberId }: EtcdPlace): void {
  const { faults } = inside.world
  const connect = () => {
    if (inside.isReachable) half.etcd.start(memberId)
    else half.etcd.stop(memberId)
  }
  connect()
  const leave = [faults.onChange(connect), inside.ways.add(connect)]
  onAbort(signal, () => {
    for (const cancel of leave) cancel()
    half.etcd.stop(memberId)
  })
  const alarm = faults.strike('etcd-alarm', inside)
  if (!alarm) return
  const isCorrupt = alarm.options.get('alarm') === 'CORRUPT'
  half.etcd.raiseAlarm(memberId, isCorrupt ? 'CORRUPT' : 'NOSPACE')
}

/** A learner becomes a voter once it has everything. */
async function promoteInTime(
  { inside, boot, signal }: ServiceContext,
  { half, memberId }: EtcdPlace,
): Promise<void> {
  for (;;) {
    await inside.takes('etcdCatchUp', signal)
    try {
      half.etcd.promote(memberId)
      inside.record('votes in etcd')
      boot.cluster?.changed()
      return
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // Removed while it was catching up: nothing to wait for.
      if (!half.etcd.isMember(memberId)) return
    }
  }
}

/** From now on its health is known: whether there is a majority that it belongs to. */
function keepChecking(
  { boot, service, signal, inside }: ServiceContext,
  { half, memberId }: EtcdPlace,
): void {
  const check = () => {
    if (!half.etcd.isMember(memberId)) return removed()
    // Talos tells the others where it is when its address has become another.
    half.etcd.advertise(memberId, newMember(inside))
    const wasHealthy = service.health.isHealthy
    service.checked(half.etcd.hasQuorum, 'context deadline exceeded')
    if (service.health.isHealthy !== wasHealthy) boot.cluster?.changed()
  }
  const removed = () => {
    leave()
    inside.record('was removed from etcd')
    service.to('Waiting', EXITED)
  }
  const leave = half.etcd.onChange(check)
  onAbort(signal, leave)
  check()
}
