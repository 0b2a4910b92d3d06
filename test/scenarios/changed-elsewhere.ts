import { Secret as SecretKind } from '#api/foreign.ts'
import { Secret } from '#base/secret.ts'
import { readSecrets } from '#engine/cluster-secrets.ts'
import { applyPatches } from '#machineconfig/patch/apply-patches.ts'
import { loadPatch } from '#machineconfig/patch/load-patch.ts'
import { adminCertificate } from '#machineconfig/secrets/certificates.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import type { World } from './world.ts'

/** Somebody changes a machine, by other means than the operator. */
export async function changeElsewhere(world: World, number: number, patch: object): Promise<void> {
  const secret = await world.objects.find(SecretKind, 'one-secrets')
  const config = world.fleet.machine(world.address(number))?.config
  if (!secret || !config) throw new Error('there is no cluster yet')
  const { talos } = readSecrets(secret)
  const now = world.clock.now()
  const client = await adminCertificate({ ca: talos, roles: ['os:admin'], now })
  using machines = world.machinesOfSomebodyElse()
  const machine = machines.machine({
    address: world.address(number),
    access: { kind: 'cluster', authority: talos.certificate, ...client },
  })
  const patches = [loadPatch({ name: 'by somebody else', value: patch })]
  const configuration = new Secret(writeConfig(applyPatches(config, patches)))
  await machine.configuration.apply({ configuration, mode: 'no-reboot' })
}
