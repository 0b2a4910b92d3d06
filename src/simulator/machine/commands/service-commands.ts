import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import { runKubelet } from '#simulator/machine/services/kubelet.ts'
import { Refusal } from '#simulator/refusal.ts'
import { poweredBoot } from './powered-boot.ts'

// The one service of Talos itself that clients may start; extensions there are none.
const STARTABLE = 'kubelet'

export function startService(inside: MachineInside, id: string): string {
  const boot = knownService(inside, id)
  if (!boot.services.isStarted(id)) startAgain(inside, boot, { id, operation: 'start' })
  return `Service ${JSON.stringify(id)} started`
}

export function stopService(inside: MachineInside, id: string): string {
  const boot = knownService(inside, id)
  if (boot.services.isStarted(id)) throw unsupported(id, 'stop')
  return `Service ${JSON.stringify(id)} stopped`
}

export function restartService(inside: MachineInside, id: string): string {
  const boot = knownService(inside, id)
  const operation = boot.services.isStarted(id) ? 'restart' : 'start'
  if (id !== STARTABLE) throw unsupported(id, operation)
  boot.services.stop(id)
  startAgain(inside, boot, { id, operation })
  return `Service ${JSON.stringify(id)} restarted`
}

function knownService(inside: MachineInside, id: string): Boot {
  const boot = poweredBoot(inside)
  if (!boot.services.get(id)) {
    throw new Refusal('Unknown', `service ${JSON.stringify(id)} not defined`)
  }
  return boot
}

function startAgain(
  inside: MachineInside,
  boot: Boot,
  { id, operation }: { id: string; operation: string },
): void {
  if (id !== STARTABLE) throw unsupported(id, operation)
  boot.services.start(id, runKubelet(inside, boot))
}

const unsupported = (id: string, operation: string): Refusal =>
  new Refusal(
    'Unknown',
    `service ${JSON.stringify(id)} doesn't support ${operation} operation via API`,
  )
