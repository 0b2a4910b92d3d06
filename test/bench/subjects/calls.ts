/** A client that reads and applies ConfigMaps of 4 KB in the namespace `default`. */
export interface Calls {
  read(name: string): Promise<unknown>
  apply(name: string, content: Record<string, string>): Promise<unknown>
}

export interface Round {
  of: keyof Calls
  /** What the names of the ConfigMaps begin with. */
  prefix: string
  /** How many ConfigMaps there are to take turns. */
  objects: number
  /** How many calls are under way at any time. */
  atOnce: number
  seconds: number
}

/** What a client can be asked: for the calls per second that it makes in a round. */
export const roundsOf = (connect: (kubeconfig: string) => Promise<Calls>) => {
  let calls: Calls | undefined
  return {
    async connect(kubeconfig: string): Promise<void> {
      calls = await connect(kubeconfig)
    },
    async round(round: Round): Promise<number> {
      if (!calls) throw new Error('connect first')
      return callsPerSecond(calls, round)
    },
  }
}

async function callsPerSecond(calls: Calls, round: Round): Promise<number> {
  const { prefix, objects, atOnce, seconds } = round
  const start = performance.now()
  const end = start + seconds * 1e3
  let begun = 0
  let finished = 0
  const oneAfterTheOther = async () => {
    while (performance.now() < end) {
      const turn = begun++
      const name = `${prefix}-${turn % objects}`
      // What is applied is never what is there already: each call is a write to the server's store.
      if (round.of === 'apply') await calls.apply(name, contentOf(`${start} ${turn}`))
      else await calls.read(name)
      finished += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, oneAfterTheOther))
  return finished / ((performance.now() - start) / 1e3)
}

/** The content of a ConfigMap that is 4 KB as the server sends it. */
export const contentOf = (version: string): Record<string, string> => ({
  version,
  ...Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [
      `file-${index}.yaml`,
      'endpoint: 10.0.0.1\n'.repeat(21),
    ]),
  ),
})
