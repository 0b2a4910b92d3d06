import { TURN, TURNS } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { Kind, KubeObject } from '#api/meta.ts'
import type { Told } from '#runtime/definition.ts'
import type { Reader } from '#runtime/reader.ts'
import type { Writer } from '#runtime/writer.ts'
import { liveObject } from './live-object.ts'
import { isLeaving } from './removal.ts'
import { isDone, isTold, type Turn, type Turns, turnsOf, turnsText } from './turns.ts'

/** What control planes and pools do so that their machines are changed in turn. */
export type TurnStep =
  | { do: 'giveTurns'; machines: readonly string[]; turns: Turns }
  | { do: 'endTurns'; machines: readonly string[]; turns: Turns }
  /** Wakes a machine whose turn it is. */
  | { do: 'tellTurn'; machine: string; uid: string; id: number }

/** What is known of turns when a pass begins. */
export interface TurnsSeen {
  /** Undefined: what is written down cannot be read. */
  turns: Turns | undefined
  /** The uids of those that have a turn, and are not there any more. */
  gone: ReadonlySet<string>
}

/** Reads the turns of a parent. Whether one that has a turn is gone is asked of the API, because a cache can be behind. */
export async function seeTurns(
  parent: KubeObject,
  machines: readonly Machine[],
  read: Pick<Reader, 'fetchAny'>,
): Promise<TurnsSeen> {
  const turns = turnsOf(parent)
  const unseen = (turns?.held ?? []).filter(
    ({ uid }) => !machines.some(({ metadata }) => metadata.uid === uid),
  )
  const found = await Promise.all(
    unseen.map(async ({ machine, uid }) => {
      const live = await liveObject(Machine, machine, read)
      return live?.metadata.uid === uid ? [] : [uid]
    }),
  )
  return { turns, gone: new Set(found.flat()) }
}

/** What has to be written because of turns that are over, or that nobody was told of. */
export function turnSteps({ turns, gone }: TurnsSeen, machines: readonly Machine[]): TurnStep[] {
  const { held = [], last = 0 } = turns ?? {}
  const holderOf = ({ uid }: Turn) => machines.find(({ metadata }) => metadata.uid === uid)
  const isOver = (turn: Turn): boolean => {
    const holder = holderOf(turn)
    return holder ? isDone(holder, turn) || isLeaving(holder) : gone.has(turn.uid)
  }
  const over = held.filter(isOver)
  if (over.length > 0) {
    const left = held.filter((turn) => !over.includes(turn))
    return [{ do: 'endTurns', machines: namesOf(over), turns: { last, held: left } }]
  }
  return held.flatMap((turn) => {
    const holder = holderOf(turn)
    const { machine, uid, id } = turn
    return holder && !isTold(holder, turn) ? [{ do: 'tellTurn', machine, uid, id }] : []
  })
}

/** Gives each of these a turn, besides those that have one. */
export function givingTo(machines: readonly Machine[], { last, held }: Turns): TurnStep {
  const given = machines.map(({ metadata: { name, uid = '' } }, at) => ({
    ...{ id: last + 1 + at, machine: name, uid },
  }))
  return {
    do: 'giveTurns',
    machines: namesOf(given),
    turns: { last: last + given.length, held: [...held, ...given] },
  }
}

const namesOf = (turns: readonly Turn[]): string[] => turns.map(({ machine }) => machine)

interface On {
  resource: KubeObject
  write: Writer
}

/** How those steps are done, on objects of a kind. */
export function turnActs(kind: Kind) {
  // Only over the version that was looked at: on another one somebody else may have a turn.
  const set = (
    { turns }: { turns: Turns },
    { resource: { metadata }, write }: On,
  ): Promise<unknown> =>
    write.patch(kind, metadata.name, {
      type: 'merge',
      body: {
        metadata: {
          resourceVersion: metadata.resourceVersion,
          annotations: { [TURNS]: turnsText(turns) },
        },
      },
    })
  return {
    giveTurns: set,
    endTurns: set,
    tellTurn: ({ machine, uid, id }: { machine: string; uid: string; id: number }, { write }: On) =>
      write.patch(Machine, machine, {
        type: 'merge',
        body: { metadata: { uid, annotations: { [TURN]: `${id}` } } },
      }),
  }
}

/** Those steps in words. */
export const turnWords = {
  giveTurns: ({ machines }: { machines: readonly string[] }): Told => ({
    ...{ reason: 'TurnGiven', failure: 'FailedGiveTurn' },
    deed: `let ${machines.join(', ')} be changed`,
    done: `it is the turn of ${machines.join(', ')} to be changed`,
  }),
  endTurns: ({ machines }: { machines: readonly string[] }): Told => ({
    ...{ reason: 'TurnEnded', failure: 'FailedEndTurn' },
    deed: `write down that ${machines.join(', ')} has been changed, or goes`,
    done: `the turn of ${machines.join(', ')} is over`,
  }),
  tellTurn: ({ machine }: { machine: string }): Told => ({
    ...{ reason: 'TurnTold', failure: 'FailedTellTurn' },
    deed: `tell ${machine} that it is its turn`,
    done: `${machine} knows that it is its turn`,
  }),
}
