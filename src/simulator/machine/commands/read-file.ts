import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import { Refusal } from '#simulator/refusal.ts'
import { poweredBoot } from './powered-boot.ts'

const KIB = 1024

type Content = (inside: MachineInside, boot: Boot) => string

const FILES: ReadonlyMap<string, Content> = new Map<string, Content>([
  ['/proc/sys/kernel/random/boot_id', (_, { id }) => `${id}\n`],
  ['/proc/version', () => 'Linux version 6.18.0-talos (talos@simulator) #1 SMP\n'],
  ['/proc/cmdline', () => 'talos.platform=metal console=tty0 init_on_alloc=1 slab_nomerge\n'],
  ['/proc/meminfo', ({ hardware }) => `MemTotal: ${hardware.memoryMiB * KIB} kB\n`],
  ['/etc/hostname', ({ hostname }) => `${hostname}\n`],
  [
    '/etc/os-release',
    (_, { image }) =>
      `NAME="Talos"\nID=talos\nVERSION_ID=${image.version}\nPRETTY_NAME="Talos (${image.version})"\n`,
  ],
])

/** The few files that clients read. */
export function readFile(inside: MachineInside, path: string): Uint8Array {
  const boot = poweredBoot(inside)
  const content = FILES.get(path)
  if (content) return Buffer.from(content(inside, boot))
  throw new Refusal('Unknown', `stat ${path}: no such file or directory`)
}
