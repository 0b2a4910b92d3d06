import type { PlannedFault } from './soak-schedule.ts'
import type { World } from './world.ts'

type End = () => void

// Moments at which a machine loses power.
const STEPS = [
  'before-upgrade',
  'after-upgrade',
  'before-reboot',
  'after-apply',
  'before-install',
  'after-install',
  'after-reset',
] as const

/** It loses power at some step, and somebody switches it on again. */
export function machineDies(world: World, { machine, choice }: PlannedFault): End {
  const step = STEPS[Math.floor(choice * STEPS.length)] ?? STEPS[0]
  const end = world.fault('dies', machine, `at=${step}`)
  return () => {
    end()
    world.fleet.machine(world.address(machine))?.powerOn()
  }
}

// Nobody else is there.
const ELSEWHERE = 250
const UUID = '00000000-0000-4000-8000-000000000250'

/** Another machine, which waits for a configuration, is for a while at the address of one that runs. That is off meanwhile. */
export function wrongMachine(world: World, fault: PlannedFault): End {
  const { fleet } = world
  const [own, elsewhere] = [world.address(fault.machine), world.address(ELSEWHERE)]
  const machine = fleet.machine(own)
  // Of one that has no configuration yet the operator cannot know that it is another.
  if (machine?.stage !== 'running' || fleet.machine(elsewhere)) return () => undefined
  machine.powerOff()
  fleet.move(own, elsewhere)
  fleet.add({ address: own, talosVersion: machine.talosVersion, hardware: { uuid: UUID } })
  return () => {
    fleet.remove(own)
    fleet.move(elsewhere, own)
    machine.powerOn()
  }
}
