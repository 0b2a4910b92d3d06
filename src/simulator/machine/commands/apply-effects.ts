import { formatDuration } from '#base/duration.ts'
import { changesBetween } from '#machineconfig/diff/changes.ts'
import { acceptConfig, saveConfig } from '#simulator/machine/accept-config.ts'
import type { Boot } from '#simulator/machine/boot.ts'
import type { HeldConfig } from '#simulator/machine/held-config.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import type { ApplyRequest } from '#simulator/machine/machine.ts'
import { rebootSequence } from '#simulator/machine/sequences/reboot.ts'
import { runKubelet } from '#simulator/machine/services/kubelet.ts'
import { patience } from '#simulator/timing.ts'
import { poweredBoot } from './powered-boot.ts'

/** Does what was chosen. The answer is what there is to say besides. */
export function carryOut(
  inside: MachineInside,
  held: HeldConfig,
  { mode, tryTimeoutMs }: ApplyRequest,
): string {
  const boot = poweredBoot(inside)
  if (mode === 'TRY') return tryOut(inside, held, tryTimeoutMs ?? patience.tryMode * 1000)
  saveConfig(inside, boot, held)
  if (mode === 'NO_REBOOT') activate(inside, boot, held)
  if (mode === 'REBOOT') {
    boot.isRebootingForConfig = true
    const body = rebootSequence(inside, boot, 'DEFAULT')
    void boot.sequencer.run('reboot', body, { takesOver: true })
  }
  return ''
}

function tryOut(inside: MachineInside, held: HeldConfig, timeoutMs: number): string {
  const boot = poweredBoot(inside)
  const before = boot.config
  boot.tryRollback?.()
  boot.tryRollback = inside.world.wallClock.after(timeoutMs, () => {
    boot.tryRollback = undefined
    inside.record('takes back the configuration that was tried')
    if (before && inside.boot === boot) activate(inside, boot, before)
  })
  activate(inside, boot, held)
  const shown = formatDuration({ ms: timeoutMs })
  return `\nThe config is applied in 'try' mode and will be automatically reverted back in ${shown}`
}

/** The machine lives by it at once: some of its parts begin anew. */
function activate(inside: MachineInside, boot: Boot, held: HeldConfig): void {
  const before = boot.config
  const kubelet = before?.facts?.images.kubelet
  acceptConfig(inside, boot, held)
  if (!before) return
  const changed = changesBetween(before.config, held.config).map(({ path }) => path)
  const isKeyChanged = changed.some((path) => /^machine\.(ca|acceptedCAs|certSANs)\b/.test(path))
  if (isKeyChanged && inside.door === 'cluster') inside.doors.tell()
  if (kubelet !== undefined && kubelet !== held.facts?.images.kubelet) restartKubelet(inside, boot)
}

function restartKubelet(inside: MachineInside, boot: Boot): void {
  if (!boot.services.isStarted('kubelet')) return
  boot.services.stop('kubelet')
  boot.services.start('kubelet', runKubelet(inside, boot))
}
