import type { ControlPlane } from '#api/control-plane.ts'
import { MAY_GO } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { Acts } from '#runtime/definition.ts'
import type { Writer } from '#runtime/writer.ts'
import type { Step, World } from './world.ts'

type Permit = Extract<Step, { do: 'letGo' | 'keepBack' }>

/** How it is said of a machine that it may go, and that it may not after all. */
export const permits: Acts<typeof ControlPlane, World, Permit> = {
  letGo: (step, { write }) => note(step, write, 'true'),
  keepBack: (step, { write }) => note(step, write, null),
}

/** Only on the object that was looked at: another one of its name may stand for another machine. */
const note = ({ machine, uid }: Permit, write: Writer, value: 'true' | null): Promise<unknown> =>
  write.patch(Machine, machine, {
    type: 'merge',
    body: { metadata: { uid, annotations: { [MAY_GO]: value } } },
  })
