import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'

/** Where the recording of the demo is kept. Its picture is made from it. */
export const RECORDING = join(import.meta.dirname, '..', '..', 'docs', 'pictures', 'demo.json')

export type Frame = Static<typeof Frame>
const Frame = Type.Object({
  /** Since the start. */
  seconds: Type.Number(),
  lines: Type.Array(Type.String()),
})

/** What a terminal showed while a program ran in it. */
export type Recording = Static<typeof Recording>
const Recording = Type.Object({
  /** As it was typed. */
  command: Type.String(),
  columns: Type.Integer(),
  /** The screens, oldest first; each stayed until the next one. */
  frames: Type.Array(Frame),
})

export function readRecording(): Recording {
  const found: unknown = JSON.parse(readFileSync(RECORDING, 'utf8'))
  if (!Check(Recording, found)) throw new Error(`${RECORDING} is no recording`)
  return found
}
