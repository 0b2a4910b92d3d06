import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import type { SequenceRun } from './sequence-run.ts'

// In this order: what needs the others goes first.
const WITH_PODS = ['kubelet', 'etcd', 'trustd', 'cri']
const REST = ['apid', 'dashboard', 'containerd', 'udevd', 'auditd', 'syslogd', 'machined']

/** All services end, the API with them. */
export async function stopEverything(
  inside: MachineInside,
  boot: Boot,
  run: SequenceRun,
): Promise<void> {
  await run.phase('stopEverything', [
    'stopAllServices',
    async () => {
      await inside.takes('stopServices', run.signal)
      stop(boot, [...WITH_PODS, ...REST])
      inside.door = 'shut'
    },
  ])
}

/** Everything ends, in the order in which a restart needs it. */
export async function stopForRestart(
  inside: MachineInside,
  run: SequenceRun,
  { boot, kexecs }: { boot: Boot; kexecs: boolean },
): Promise<void> {
  if (inside.platform === 'container') return stopEverything(inside, boot, run)
  await stopPods(inside, boot, run)
  await run.phase('volumeFinalize', [
    'teardownLifecycle',
    () => inside.takes('unmount', run.signal),
  ])
  if (kexecs) await prepareKexec(inside, boot, run)
  await stopEverything(inside, boot, run)
}

/** The next kernel is loaded beforehand, if there is one on the disk. */
export async function prepareKexec(
  inside: MachineInside,
  boot: Boot,
  run: SequenceRun,
): Promise<void> {
  await run.phase('kexec', [
    'kexecPrepare',
    () => {
      boot.isKexecReady = inside.isInstalled
    },
  ])
}

/** Services with data on the disk end, so that it can be taken away. */
export async function stopPods(inside: MachineInside, boot: Boot, run: SequenceRun): Promise<void> {
  await run.phase('stopServices', [
    'stopServicesForUpgrade',
    async () => {
      await inside.takes('stopPods', run.signal)
      stop(boot, WITH_PODS)
      boot.cluster?.changed()
    },
  ])
  await run.phase('unmountSystem', [
    'unmountEphemeralPartition',
    () => inside.takes('unmount', run.signal),
  ])
}

function stop({ services }: Boot, ids: readonly string[]): void {
  for (const id of ids) services.stop(id)
}
