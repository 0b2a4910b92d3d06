import { Refusal } from '#simulator/refusal.ts'
import type { Answers } from '#simulator/services/served-method.ts'
import type { MachineService } from '#talos/generated/machine/machine_pb.ts'

/** What a machine remembers across installations. */
export const meta: Answers<typeof MachineService> = {
  metaWrite: ({ key, value }, { machine }) => {
    machine.writeMeta(checked(key), value)
    return { messages: [{}] }
  },
  metaDelete: ({ key }, { machine }) => {
    machine.deleteMeta(checked(key))
    return { messages: [{}] }
  },
}

function checked(key: number): number {
  if (key > 255) throw new Refusal('InvalidArgument', 'key must be a uint8')
  return key
}
