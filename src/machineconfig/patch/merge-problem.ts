/** Why two values cannot be merged, in Talos' words where it has any, and where they are. */
export class MergeProblem extends Error {
  override readonly name = 'MergeProblem'
  /** `machine.network.interfaces[0].mtu`. */
  readonly path: string

  constructor(why: string, path = '') {
    super(why)
    this.path = path
  }

  /** The same as seen from one level up: from where it is under a key, or under `[0]`. */
  under(key: string): MergeProblem {
    const joint = this.path === '' || this.path.startsWith('[') ? '' : '.'
    return new MergeProblem(this.message, `${key}${joint}${this.path}`)
  }
}

/** Does something for what is under a key, so that a problem says so. */
export function under<Result>(key: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    throw error instanceof MergeProblem ? error.under(key) : error
  }
}
