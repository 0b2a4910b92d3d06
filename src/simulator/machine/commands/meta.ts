import type { MachineInside } from '#simulator/machine/inside.ts'
import { Refusal } from '#simulator/refusal.ts'
import { poweredBoot, refuseInContainers } from './powered-boot.ts'

export function writeMeta(inside: MachineInside, key: number, value: Uint8Array): void {
  poweredBoot(inside)
  refuseInContainers(inside)
  checkKey(key)
  if (!inside.storage.meta.write(key, value)) {
    throw new Refusal('ResourceExhausted', 'meta write failed')
  }
  inside.changed()
}

export function deleteMeta(inside: MachineInside, key: number): void {
  poweredBoot(inside)
  refuseInContainers(inside)
  checkKey(key)
  if (!inside.storage.meta.delete(key)) throw new Refusal('NotFound', 'meta key not found')
  inside.changed()
}

function checkKey(key: number): void {
  if (!Number.isInteger(key) || key < 0 || key > 255) {
    throw new Refusal('InvalidArgument', 'key must be a uint8')
  }
}
