import { type CharacterTest, codeOf } from './character-test.ts'

/** Those of which no other letter is the upper or lower case, but which have one of their own. */
const ONE_WAY = 'KſµÅẞǅǈǋǲ\u0345ιϐϵϑϴϰϖϱςϕΩᲀᲁᲂᲃᲄᲅᲆᲇᲈẛᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾼῌῼ'

/** JavaScript takes it for a lower case of I; only in Turkish it is one. */
const DOTLESS_I = 0x131

const others = new Map<number, number[]>()
for (const letter of ONE_WAY) {
  for (const other of casesOf(codeOf(letter))) {
    others.set(other, [...(others.get(other) ?? []), codeOf(letter)])
  }
}

/** A test that takes letters for the same in upper and lower case, as Unicode folds them. */
export const inAnyCase =
  (test: CharacterTest): CharacterTest =>
  (code) =>
    test(code) || sameLetters(code).some(test)

function sameLetters(code: number): number[] {
  const found = [code]
  for (const one of found) {
    for (const other of [...casesOf(one), ...(others.get(one) ?? [])]) {
      if (!found.includes(other)) found.push(other)
    }
  }
  return found
}

function casesOf(code: number): number[] {
  if (code === DOTLESS_I) return []
  const letter = String.fromCodePoint(code)
  return [letter.toLowerCase(), letter.toUpperCase()]
    .filter((other) => other !== letter && other.length <= (codeOf(other) > 0xffff ? 2 : 1))
    .map(codeOf)
}
