import type { Machine } from '#simulator/machine/machine.ts'

/** The disk that Talos is installed to, as the machine shows it: `/dev/sda`. */
export function systemDiskOf({ resources, hardware }: Machine): string | undefined {
  const shown = resources.get('runtime', 'SystemDisks.block.talos.dev', 'system-disk')?.spec
  const path = fieldOf(shown, 'devPath')
  if (typeof path === 'string') return path
  // Before v1.8 machines do not say; the partitions that they show are on it.
  const source = fieldOf(
    resources.get('runtime', 'MountStatuses.runtime.talos.dev', 'STATE')?.spec,
    'source',
  )
  return typeof source === 'string'
    ? hardware.disks.find((disk) => source.startsWith(disk.path))?.path
    : undefined
}

/** A field of plain data. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Reflect.get(value, name)
}
