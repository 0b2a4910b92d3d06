import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import { Refusal } from '#simulator/refusal.ts'
import { poweredBoot } from './powered-boot.ts'

const KIB = 1024

/** Undefined: it is not there. */
type Content = (inside: MachineInside, boot: Boot) => string | Promise<Uint8Array> | undefined

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
  [
    '/var/lib/etcd/member/snap/db',
    ({ storage }, { hasBootDisk }) => (hasBootDisk ? storage.ephemeral.etcdDatabase() : undefined),
  ],
])

// Since this minor version it says so with a code of its own.
const FIRST_WITH_CODE = 8

/** The few files that clients read. */
export async function readFile(inside: MachineInside, path: string): Promise<Uint8Array> {
  const boot = poweredBoot(inside)
  const content = await FILES.get(path)?.(inside, boot)
  if (content !== undefined) return Buffer.from(content)
  const code = boot.minor >= FIRST_WITH_CODE ? 'NotFound' : 'Unknown'
  throw new Refusal(code, `stat ${path}: no such file or directory`)
}
