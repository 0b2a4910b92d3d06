/** That a text is no regular expression, in the words of Go. */
export class RegexProblem extends Error {
  override readonly name = 'RegexProblem'

  constructor(what: string, where: string) {
    super(`error parsing regexp: ${what}: \`${where}\``)
  }
}
