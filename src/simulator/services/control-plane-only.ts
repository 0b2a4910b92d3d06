import type { Machine } from '#simulator/machine/machine.ts'
import { Refusal } from '#simulator/refusal.ts'
import { minorOf } from './minor-of.ts'

/** Refuses an API, named as Talos names it, on a machine that is no control plane. */
export function controlPlaneOnly(machine: Machine, api: string): void {
  if (machine.type === 'controlplane') return
  if (machine.type === undefined && minorOf(machine) >= 13) {
    throw new Refusal('Unimplemented', `machine type is not set, cannot use ${api} API`)
  }
  throw new Refusal('Unimplemented', `${api} is only available on control plane nodes`)
}
