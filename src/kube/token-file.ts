import type { Clock } from '#base/clock.ts'
import { Secret } from '#base/secret.ts'
import { followFiles, type Source } from './followed-files.ts'

/** The bearer token in a file, followed as `followFiles` does. `what` names the file in errors. */
export const followToken = (path: string, what: string, clock: Clock): Source<Secret<string>> =>
  followFiles({ paths: [path], parse: ([text = '']) => tokenIn(text, `${what} (${path})`), clock })

/** The token in a text, without the blanks around it. Refuses what cannot stand in a header. */
export function tokenIn(text: string, what: string): Secret<string> {
  const token = text.trim()
  if (token === '') throw new Error(`${what} is empty; it must hold a bearer token`)
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new Error(`${what} holds no bearer token: that is one line without blanks, in ASCII`)
  }
  return new Secret(token)
}
