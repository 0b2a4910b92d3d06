import { randomInt } from 'node:crypto'

// No vowels and nothing that looks like one: no name spells a word.
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'
const longestBase = 63 - 5

/** A name that begins with what was asked for and is very likely free. */
export const generateName = (base: string): string => `${base.slice(0, longestBase)}${randomPart()}`

/** The five characters that make a generated name differ from the next. */
function randomPart(): string {
  let part = ''
  for (let index = 0; index < 5; index++) part += alphabet[randomInt(alphabet.length)]
  return part
}
