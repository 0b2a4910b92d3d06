import { TURN, TURN_DONE, TURNS } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { KubeObject, ObjectMeta } from '#api/meta.ts'
import type { Reader } from '#runtime/reader.ts'
import { liveObject } from './live-object.ts'

// Who may be changed at the moment. It is one text on one object, written only over the version that was looked at: so
// however many operators there are, and however old what they see, no more have a turn than there may.

/** That a machine may be changed, until it says that it has done with it. */
export interface Turn {
  readonly id: number
  /** The TalosMachine that has it. */
  readonly machine: string
  readonly uid: string
}

/** All turns of a control plane or a pool. */
export interface Turns {
  /** The number of the last one that was given. */
  readonly last: number
  readonly held: readonly Turn[]
}

/** `7 one-10.0.0.1/uid,…`; the number alone when nobody has one. */
export const turnsText = ({ last, held }: Turns): string =>
  [last, held.map(({ id, machine, uid }) => `${id}/${machine}/${uid}`).join()].join(' ').trim()

/** Undefined if it cannot be read: then nobody knows who is being changed. */
export function turnsOf({ metadata }: KubeObject): Turns | undefined {
  const text = metadata.annotations?.[TURNS]
  if (text === undefined) return { last: 0, held: [] }
  const [number = '', list] = text.split(' ')
  const held = (list?.split(',') ?? []).map(turnIn)
  if (!/^\d{1,15}$/.test(number) || held.includes(undefined)) return undefined
  return { last: Number(number), held: held.filter((turn) => turn !== undefined) }
}

function turnIn(text: string): Turn | undefined {
  const [, id, machine = '', uid = ''] = /^(\d{1,15})\/([^/]+)\/([^/]+)$/.exec(text) ?? []
  return id === undefined ? undefined : { id: Number(id), machine, uid }
}

/** Whether the machine has done with the turn. */
export const isDone = ({ metadata }: Machine, { id }: Turn): boolean =>
  metadata.annotations?.[TURN_DONE] === `${id}`

/** Whether the machine was told that it has the turn. */
export const isTold = ({ metadata }: Machine, { id }: Turn): boolean =>
  metadata.annotations?.[TURN] === `${id}`

/** The turn that a machine was told to have and has not done with, as far as that is known to it. */
export function ownTurn({ metadata }: Machine): number | undefined {
  const { [TURN]: given, [TURN_DONE]: done } = metadata.annotations ?? {}
  return given === undefined || given === done ? undefined : Number(given)
}

/**
 * Whether a machine has a turn, as the API itself has it at this moment: of its own object, and of the one that turns are
 * written on. The number of the turn, or undefined.
 */
export async function heldTurn(
  machine: Machine,
  on: { kind: Parameters<typeof liveObject>[0]; metadata: ObjectMeta },
  read: Pick<Reader, 'fetchAny'>,
): Promise<number | undefined> {
  const given = ownTurn(machine)
  // Who goes is changed no more.
  if (given === undefined || machine.metadata.deletionTimestamp !== undefined) return undefined
  const [own, parent] = await Promise.all([
    liveObject(Machine, machine.metadata.name, read),
    liveObject(on.kind, on.metadata.name, read),
  ])
  if (!own || !parent || own.metadata.uid !== machine.metadata.uid) return undefined
  if (parent.metadata.uid !== on.metadata.uid || ownTurn(own) !== given) return undefined
  const isHeld = turnsOf(parent)?.held.some(
    ({ id, uid }) => id === given && uid === machine.metadata.uid,
  )
  return isHeld ? given : undefined
}
