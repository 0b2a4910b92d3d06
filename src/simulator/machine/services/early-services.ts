import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import { runApid } from './apid.ts'
import { bringUp } from './bring-up.ts'

interface EarlyService {
  readonly id: string
  readonly task: string
  readonly isChecked: boolean
  /** The first minor version that has it. */
  readonly since: number
  readonly inContainers: boolean
}

const EARLY: readonly EarlyService[] = [
  { id: 'udevd', task: 'startUdevd', isChecked: true, since: 5, inContainers: false },
  { id: 'machined', task: 'startMachined', isChecked: true, since: 5, inContainers: true },
  { id: 'apid', task: 'startApid', isChecked: true, since: 13, inContainers: true },
  { id: 'auditd', task: 'startAuditd', isChecked: true, since: 7, inContainers: false },
  { id: 'syslogd', task: 'startSyslogd', isChecked: true, since: 6, inContainers: false },
  { id: 'containerd', task: 'startContainerd', isChecked: true, since: 5, inContainers: true },
]

/** The services that a machine has before it knows its configuration. */
export const earlyServices = (inside: MachineInside, boot: Boot): readonly EarlyService[] =>
  EARLY.filter(
    ({ since, inContainers }) =>
      boot.minor >= since && (inContainers || inside.platform === 'metal'),
  )

/** Starts one of them; resolves when it is up, but does not wait for the API. */
export async function startEarly(
  inside: MachineInside,
  boot: Boot,
  { id, isChecked }: EarlyService,
): Promise<void> {
  boot.services.load(id, isChecked)
  if (id === 'apid') return boot.services.start(id, runApid(inside, boot))
  boot.services.start(id, (service, signal) =>
    bringUp(
      { inside, boot, service, signal },
      { takes: 'earlyService', checks: 'firstHealthCheck' },
    ),
  )
  await boot.services.whenUp([id], boot.signal)
}

/** The screen of the machine. */
export function startDashboard(inside: MachineInside, boot: Boot): void {
  boot.services.load('dashboard', false)
  boot.services.start('dashboard', (service, signal) =>
    bringUp({ inside, boot, service, signal }, { takes: 'earlyService' }),
  )
}
