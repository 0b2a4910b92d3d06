import { MACHINE_UUID } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { TalosMachines } from '#engine/talos-machines.ts'
import type { Writer } from '#runtime/writer.ts'
import type { TalosMachine } from '#talos/machine.ts'
import type { MachineTarget } from '#talos/machine-target.ts'
import { outcomeOf } from '#talos/outcome.ts'
import type { World } from './world.ts'

/** The machine at the address of the object, whichever that is. */
export const at = (
  machines: TalosMachines,
  { spec }: Machine,
  access: MachineTarget['access'],
): TalosMachine => machines.machine({ address: spec?.endpoint ?? '', access })

/** The same as one of the cluster. */
export function member(
  machines: TalosMachines,
  resource: Machine,
  { means: { access } }: World,
): TalosMachine {
  if (!access) throw notOfThisLook()
  return at(machines, resource, access)
}

/** With the version that was looked at: another one may stand for another machine meanwhile. */
export const note = (
  { metadata }: Machine,
  write: Writer,
  annotations: Record<string, string | null>,
): Promise<unknown> =>
  write.patch(Machine, metadata.name, {
    type: 'merge',
    body: { metadata: { resourceVersion: metadata.resourceVersion, annotations } },
  })

/** Whatever a plan says: nothing is done to a machine that is not written down as this object's. */
export function assertClaimed({ metadata }: Machine, uuid: string): void {
  if (metadata.annotations?.[MACHINE_UUID] !== uuid) throw notOfThisLook()
}

export const notOfThisLook = () => new Error('the plan is not of this look')

/** An answer that was lost is no failure: the next look tells what became of it. */
export async function answeredOrLost<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked
  } catch (error) {
    if (outcomeOf(error) === 'lost') return undefined
    throw error
  }
}
