import { ConfigError } from '#machineconfig/config-error.ts'
import { acceptConfig } from '#simulator/machine/accept-config.ts'
import type { Boot } from '#simulator/machine/boot.ts'
import { type HeldConfig, heldConfig } from '#simulator/machine/held-config.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import { untilTrue } from '#simulator/machine/listeners.ts'
import {
  earlyServices,
  startDashboard,
  startEarly,
} from '#simulator/machine/services/early-services.ts'
import type { SequenceBody, SequenceRun } from './sequence-run.ts'

/** The first thing after a boot: services that need no configuration, then the configuration. */
export const initializeSequence =
  (inside: MachineInside, boot: Boot): SequenceBody =>
  async (run) => {
    const isMetal = inside.platform === 'metal'
    if (isMetal) await run.phase('systemRequirements', ['enforceKSPPRequirements', () => {}])
    void becomeReady(inside, boot)
    await run.phase(
      isMetal ? 'earlyServices' : 'machined',
      ...earlyServices(inside, boot).map(
        (service) => [service.task, () => startEarly(inside, boot, service)] as const,
      ),
    )
    if (isMetal) {
      await run.phase('meta', ['reloadMeta', () => {}])
      await run.phase('dashboard', ['startDashboard', () => startDashboard(inside, boot)])
    }
    await run.phase('config', ['loadConfig', () => loadConfig(inside, boot, run)])
  }

/** The network and the time of day come by themselves. */
async function becomeReady(inside: MachineInside, boot: Boot): Promise<void> {
  try {
    await inside.takes('timeSync', boot.signal)
    boot.isNetworkReady = true
    inside.tell({ type: 'AddressEvent', hostname: inside.hostname, addresses: [inside.address] })
    inside.changed()
    const { faults } = inside.world
    const isRight = () => faults.find('clock-skew', inside) === undefined
    await untilTrue(isRight, boot.signal, (listener) => faults.onChange(listener))
    await inside.takes('timeSync', boot.signal)
    boot.isTimeSynced = true
    inside.changed()
  } catch (error) {
    if (!boot.signal.aborted) throw error
  }
}

async function loadConfig(inside: MachineInside, boot: Boot, run: SequenceRun): Promise<void> {
  const found = savedConfig(inside, boot)
  if (found) acceptConfig(inside, boot, found)
  // Where there is a place for it, a name is for good.
  if (found && hasState(inside)) inside.storage.state.nodeId = inside.nodeId
  if (boot.isConfigured) return
  await inside.takes('searchConfiguration', run.signal)
  await maintenance(inside, boot, run)
}

function savedConfig(inside: MachineInside, boot: Boot): HeldConfig | undefined {
  const saved =
    (hasState(inside) ? inside.storage.state.config?.open() : undefined) ?? inside.userData
  if (saved === undefined) return undefined
  try {
    return heldConfig(saved, boot.image.version)
  } catch (error) {
    // A version that does not understand what another one took, after a downgrade.
    if (!(error instanceof ConfigError)) throw error
    inside.tell({ type: 'ConfigLoadErrorEvent', error: error.message })
    return undefined
  }
}

const hasState = ({ isInstalled, platform }: MachineInside): boolean =>
  isInstalled || platform === 'container'

/** Waits for somebody to bring a configuration that is enough to boot with. */
async function maintenance(inside: MachineInside, boot: Boot, run: SequenceRun): Promise<void> {
  boot.isInMaintenance = true
  inside.tell({ type: 'TaskEvent', task: 'runningMaintenance', action: 'START' })
  inside.door = 'maintenance'
  inside.changed()
  await untilTrue(() => boot.isConfigured, run.signal, inside.onShown)
  await inside.takes('leaveMaintenance', run.signal)
  inside.door = 'shut'
  boot.isInMaintenance = false
  inside.tell({ type: 'TaskEvent', task: 'runningMaintenance', action: 'STOP' })
  inside.changed()
}
