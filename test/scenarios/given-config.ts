import { ControlPlane } from '#api/control-plane.ts'
import { machineDraft } from '#engine/pool.ts'
import { wantedConfig } from '#engine/wanted-config.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import type { World } from './world.ts'

/** A whole configuration for the first machine of a control plane that is there, with secrets of its own. */
export async function givenConfig({ objects, clock }: World, name: string): Promise<string> {
  const controlPlane = await objects.find(ControlPlane, name)
  const [entry] = controlPlane?.spec?.metalSpec?.machines ?? []
  const machine = controlPlane && entry && machineDraft(controlPlane, entry, entry.address ?? '')
  if (!machine) throw new Error(`TalosControlPlane ${name} has no machine`)
  const bundle = await generateBundle({ talosVersion: 'v1.6.0', now: clock.now() })
  return writeConfig(wantedConfig({ controlPlane, machine, bundle, installDisk: '/dev/sda' }))
}
