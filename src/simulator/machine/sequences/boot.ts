import { onAbort } from '#base/on-abort.ts'
import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import { startBootServices } from '#simulator/machine/services/boot-services.ts'
import { patience } from '#simulator/timing.ts'
import { SequenceFailure } from './restart.ts'
import type { SequenceBody, SequenceRun } from './sequence-run.ts'

/** From the configuration to everything running. On a control plane that is not before etcd has begun. */
export const bootSequence =
  (inside: MachineInside, boot: Boot): SequenceBody =>
  async (run) => {
    const isMetal = inside.platform === 'metal'
    boot.hasBootDisk = true
    inside.changed()
    await run.phase('memorySizeCheck', ['memorySizeCheck', () => {}])
    await run.phase('diskSizeCheck', ['diskSizeCheck', () => {}])
    await run.phase('env', ['setUserEnvVars', () => {}], ['waitForCARoots', () => {}])
    await run.phase('dbus', ['startDBus', () => {}])
    if (!isMetal) await run.phase('sharedFilesystems', ['setupSharedFilesystems', () => {}])
    await run.phase('ephemeral', [
      'mountEphemeralPartition',
      () => inside.takes('mountEphemeral', run.signal),
    ])
    if (isMetal) {
      await run.phase('udevSetup', ['writeUdevRules', () => {}])
      await run.phase('userDisks', ['mountUserDisks', () => {}])
    }
    await run.phase('userSetup', ['writeUserFiles', () => {}])
    await run.phase('startEverything', ['startAllServices', () => startAll(inside, boot, run)])
    uncordon(inside, boot)
  }

async function startAll(inside: MachineInside, boot: Boot, run: SequenceRun): Promise<void> {
  startBootServices(inside, boot)
  const ids = boot.services.list.map(({ id }) => id)
  const late = new AbortController()
  const cancel = inside.world.wallClock.after(patience.boot * 1000, () =>
    late.abort(new SequenceFailure('context deadline exceeded')),
  )
  const leave = onAbort(run.signal, cancel)
  try {
    await boot.services.whenUp(ids, AbortSignal.any([run.signal, late.signal]))
  } finally {
    cancel()
    leave()
  }
}

/** Undoes what this machine itself did to its node before it went down. */
function uncordon(inside: MachineInside, boot: Boot): void {
  const half = boot.cluster?.halfOf(inside)
  // The boot does not wait for it: the API may be away for long.
  if (half && !inside.facts?.skipsNodeRegistration) void half.kubernetes.uncordon(inside.hostname)
}
