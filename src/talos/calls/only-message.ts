import type { Caller } from '#talos/caller.ts'
import type { Metadata } from '#talos/generated/common/common_pb.ts'
import { MachineError, saidBy } from '#talos/outcome.ts'

interface Answered {
  metadata?: Metadata | undefined
}

/** The message of an answer: there is one for each machine that was asked, and we ask one. */
export function onlyMessage<Message extends Answered>(
  { where }: Caller,
  { messages }: { messages: Message[] },
): Message {
  const [message] = messages
  if (!message) throw new MachineError({ message: `${where} answered nothing`, outcome: 'lost' })
  throwIfError(where, message)
  return message
}

/** A machine that fails in the middle of a stream says so in a message. */
export function throwIfError(where: string, { metadata }: Answered): void {
  const words = metadata?.error || metadata?.status?.message
  if (words) {
    throw new MachineError({
      message: `${where} answered with an error: ${saidBy(words)}`,
      outcome: 'refused',
    })
  }
}
