import type { Connection } from './connection.ts'
import { type Action, requestFor } from './numbered-request.ts'

/** So many calls, by all writers together. */
export interface Round {
  action: Action
  namespace: string
  calls: number
  /** How many objects take turns. */
  objects: number
  /** What is written is of this version and those after it, so that each call changes something. */
  version: number
}

/** Makes the calls of a round, one at a time on each connection. Rejects at the first refusal. */
export function runRound(connections: readonly Connection[], round: Round): Promise<void> {
  const { action, namespace, calls, objects, version } = round
  let begun = 0
  let finished = 0
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      begun = calls
      reject(error)
    }
    for (const connection of connections) {
      const request = requestFor(action, namespace)
      const next = () => {
        if (begun >= calls) return
        const turn = begun++
        connection.send(request.with(turn % objects, version + turn))
      }
      connection.listen(({ status, words }) => {
        if (status >= 300) return fail(new Error(`the server answered ${status}: ${words}`))
        finished += 1
        if (finished === calls) resolve()
        else next()
      }, fail)
      next()
    }
  })
}
