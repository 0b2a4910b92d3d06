// A machine for tests: nothing happens on it by itself, and it remembers what it was told.

import type { Clock } from '#base/clock.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import type { Disk, Hardware } from '#simulator/machine/hardware.ts'
import { KeptEvents } from '#simulator/machine/kept-events.ts'
import type { Door, Machine } from '#simulator/machine/machine.ts'
import { seededRandom } from '#simulator/random.ts'
import { Refusal } from '#simulator/refusal.ts'
import { MachineResources } from '#simulator/resources/machine-resources.ts'

type Changeable = { -readonly [Key in keyof Machine]: Machine[Key] }

/** A machine that a test can change, with what it was told so far. */
export interface TestMachine extends Changeable {
  resources: MachineResources
  events: KeptEvents
  readonly told: readonly (readonly [command: string, ...details: unknown[]])[]
  /** Opens another door, and tells those who listen. */
  open(door: Door): void
}

/** A v1.13 machine in maintenance mode at 127.0.0.1, unless told otherwise. */
export function aMachine(
  clock: Clock,
  overrides: Partial<Omit<Changeable, 'resources' | 'events'>> = {},
): TestMachine {
  const told: [string, ...unknown[]][] = []
  const listeners = new Set<() => void>()
  const note =
    <T>(command: string, answer: T) =>
    (...details: unknown[]): T => {
      told.push([command, ...details])
      return answer
    }
  const actor = { actorId: 'actor-1' }
  const machine: TestMachine = {
    ...facts(clock),
    told,
    onDoor: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open: (door) => {
      machine.door = door
      for (const listener of [...listeners]) listener()
    },
    applyConfiguration: note('applyConfiguration', {
      warnings: ['a warning'],
      mode: 'NO_REBOOT',
      details: 'Applied configuration without a reboot',
    } as const),
    bootstrap: note('bootstrap', undefined),
    receiveSnapshot: note('receiveSnapshot', undefined),
    reboot: note('reboot', actor),
    shutdown: note('shutdown', actor),
    reset: note('reset', actor),
    rollback: note('rollback', undefined),
    upgrade: note('upgrade', Promise.resolve(actor)),
    lifecycleUpgrade: note('lifecycleUpgrade', lines('pulled', { exitCode: 0 })),
    lifecycleInstall: note('lifecycleInstall', lines('installed', { exitCode: 0 })),
    startService: note('startService', 'Service started'),
    stopService: note('stopService', 'Service stopped'),
    restartService: note('restartService', 'Service restarted'),
    writeMeta: note('writeMeta', undefined),
    deleteMeta: note('deleteMeta', undefined),
    wipeDevices: note('wipeDevices', undefined),
    readFile: async (path) => {
      if (path === '/etc/hostname') return Buffer.from(`${machine.hostname}\n`)
      throw new Refusal('NotFound', `stat ${path}: no such file or directory`)
    },
    ...overrides,
  }
  return machine
}

async function* lines(...all: (string | { exitCode: number })[]) {
  yield* all
}

function facts(clock: Clock) {
  const config: MachineConfig | undefined = undefined
  const none: Pick<Machine, 'config' | 'schematic' | 'type' | 'etcd' | 'clusterEtcd'> = {
    ...{ config, schematic: undefined, type: undefined, etcd: undefined, clusterEtcd: undefined },
  }
  const some: Pick<Machine, 'platform' | 'door'> = { platform: 'metal', door: 'maintenance' }
  return {
    ...none,
    ...some,
    address: '127.0.0.1',
    talosVersion: 'v1.13.0',
    hostname: 'talos-1',
    bootId: '00000000-0000-4000-8000-000000000001',
    clockSkewMs: 0,
    hardware: HARDWARE,
    disks: HARDWARE.disks,
    resources: new MachineResources(clock),
    events: new KeptEvents(clock, seededRandom(1)),
    services: [SERVICE],
    images: {
      list: () => [IMAGE],
      pull: async (reference: string) => `${reference.replace(/:[^:]*$/, '')}@sha256:aa`,
      remove: () => {},
    },
  }
}

const AT = new Date('2030-01-01T00:00:00Z')

const SERVICE = {
  id: 'apid',
  phase: 'Running',
  health: { isKnown: true, isHealthy: true, message: '', sinceMs: AT.getTime() },
  events: [{ phase: 'Running', message: 'Started task apid', atMs: AT.getTime() }],
} as const

const IMAGE = {
  name: 'ghcr.io/siderolabs/kubelet:v1.36.0',
  digest: 'sha256:aa',
  bytes: 7,
  createdAt: AT,
}

const DISK: Disk = {
  ...{ path: '/dev/sda', bytes: 10_737_418_240, model: 'DISK', serial: 'D1' },
  ...{ type: 'SSD', transport: 'sata', busPath: '/pci0000:00/ata1', isReadOnly: false },
}

const HARDWARE: Hardware = {
  ...{ uuid: '00000000-0000-4000-8000-00000000000a', serialNumber: 'SN1', cpus: 2 },
  ...{ manufacturer: 'Simulated', productName: 'Machine', macAddress: '02:00:00:00:00:01' },
  ...{ memoryMiB: 4096, disks: [DISK] },
}
