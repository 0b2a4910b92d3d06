/**
 * Lets one task at a time have a key; the others wait their turn, first come, first served. A task is
 * called at once when the key is free, and has it until it calls `done`.
 */
export class KeyTurns {
  readonly #waiting = new Map<string, Queue>()
  #idle: (() => void)[] = []

  take(key: string, task: Task): void {
    const waiting = this.#waiting.get(key)
    if (waiting) waiting.tasks.push(task)
    else {
      this.#waiting.set(key, { tasks: [], taken: 0 })
      this.#run(key, task)
    }
  }

  /** Resolves when no key is taken. */
  async idle(): Promise<void> {
    if (this.#waiting.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  // A loop and no recursion: thousands may wait who are done as soon as they are called.
  #run(key: string, first: Task): void {
    let task: Task | undefined = first
    while (task) {
      const turn: Turn = { isDone: false, goOn: undefined }
      task(() => {
        turn.isDone = true
        turn.goOn?.()
      })
      if (!turn.isDone) {
        turn.goOn = () => this.#next(key)
        return
      }
      task = this.#shift(key)
    }
    this.#free(key)
  }

  #next(key: string): void {
    const task = this.#shift(key)
    if (task) this.#run(key, task)
    else this.#free(key)
  }

  // Shifting the array itself would move all who wait, each time.
  #shift(key: string): Task | undefined {
    const queue = this.#waiting.get(key)
    const task = queue?.tasks[queue.taken++]
    if (queue && queue.taken * 2 > queue.tasks.length) {
      queue.tasks.splice(0, queue.taken)
      queue.taken = 0
    }
    return task
  }

  #free(key: string): void {
    this.#waiting.delete(key)
    if (this.#waiting.size > 0) return
    for (const resolve of this.#idle.splice(0)) resolve()
  }
}

type Task = (done: () => void) => void

interface Queue {
  tasks: Task[]
  taken: number
}

interface Turn {
  isDone: boolean
  goOn: (() => void) | undefined
}
