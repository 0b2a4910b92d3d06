import type { BoundMachine, TalosMachine } from '#talos/machine.ts'
import { MachineError, outcomeOf } from '#talos/outcome.ts'

/** Who it is. A machine that does not say cannot be told from another, and is nobody's. */
export async function uuidOf(machine: BoundMachine, signal: AbortSignal): Promise<string> {
  const uuid = (await machine.state.systemInformation({ signal }))?.uuid
  if (uuid) return uuid.toLowerCase()
  throw new MachineError({
    outcome: 'not-ready',
    message: `${machine.where} does not say who it is: its firmware gives it no UUID, or not yet`,
  })
}

/**
 * Does something to this machine and to no other one. An address may lead to another machine since the
 * last look, and from one moment to the next: so it is asked who it is, and whatever is done goes over the
 * connection that it said it on, or is not done. `isNone`: nobody uses that connection afterwards.
 */
export const onlyTo = <Result>(
  machine: TalosMachine,
  { uuid, signal, isNone = false }: { uuid: string; signal: AbortSignal; isNone?: boolean },
  deed: (same: BoundMachine) => Promise<Result>,
): Promise<Result> =>
  machine.bound(
    async (same) => {
      await assertIs(same, uuid, signal)
      return deed(same)
    },
    { isNone },
  )

/** Throws unless it is this machine. */
export async function assertIs(
  machine: BoundMachine,
  uuid: string,
  signal: AbortSignal,
): Promise<void> {
  const there = await uuidOf(machine, signal)
  if (there === uuid) return
  throw new MachineError({
    outcome: 'wrong-identity',
    message: `${machine.where} is the machine ${there} and not ${uuid}, which is meant: nothing was done to it`,
  })
}

/** What a machine answers, or nothing if it is too old to know of it. */
export async function orNothing<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked
  } catch (error) {
    const outcome = outcomeOf(error)
    if (outcome === 'not-supported' || outcome === 'absent') return undefined
    throw error
  }
}

/** What a machine answers, or nothing if it does not, or says no. What is no answer of a machine is thrown. */
export async function unlessFailed<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked
  } catch (error) {
    if (outcomeOf(error) === undefined) throw error
    return undefined
  }
}
