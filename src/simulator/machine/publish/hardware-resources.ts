import type { ShownResource } from '#simulator/resources/machine-resources.ts'
import type { MachineView } from './machine-view.ts'
import { placed } from './placed.ts'

const hardware = placed('hardware', 'hardware.talos.dev')

/** What the machine is made of; containers know nothing of it. */
export function hardwareResources({ hardware: made, platform }: MachineView): ShownResource[] {
  if (platform === 'container') return []
  return [
    hardware('SystemInformations', 'systeminformation', {
      manufacturer: made.manufacturer,
      productName: made.productName,
      version: '1.0',
      serialnumber: made.serialNumber,
      uuid: made.uuid,
      wakeUpType: 'Power Switch',
    }),
    hardware('Processors', 'CPU-0', {
      socket: 'CPU 0',
      manufacturer: made.manufacturer,
      productName: 'Pretend CPU',
      maxSpeedMhz: 2000,
      bootSpeedMhz: 2000,
      status: 65,
      coreCount: made.cpus,
      coreEnabled: made.cpus,
      threadCount: made.cpus,
    }),
    hardware('MemoryModules', 'DIMM-0', {
      sizeMiB: made.memoryMiB,
      deviceLocator: 'DIMM 0',
      manufacturer: made.manufacturer,
    }),
  ]
}
