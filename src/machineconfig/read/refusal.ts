/** Why a text is no value of its type, in Talos' words and without what could be a secret. */
export class Refusal {
  readonly why: string

  constructor(why: string) {
    this.why = why
  }
}
