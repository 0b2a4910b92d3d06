import { TalosClient } from '#talos/client.ts'

export const DIALS_AT_ONCE = 50
const FIRST = 50
const PER_BLOCK = 250

/** Addresses of this machine, 127.50.0.1 and on. */
export const addresses = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const [block, last] = [Math.floor(index / PER_BLOCK), (index % PER_BLOCK) + 1]
    return `127.${FIRST}.${block}.${last}`
  })

/** Asks each machine, none of which has a configuration yet, for its version. */
export async function versionOfEach(all: readonly string[]): Promise<void> {
  const client = new TalosClient({
    limits: { mostOpen: all.length, dialsPerCluster: DIALS_AT_ONCE },
  })
  const left = [...all]
  const work = async () => {
    for (let address = left.pop(); address; address = left.pop()) {
      await client.machine({ address, access: { kind: 'maintenance' } }).version()
    }
  }
  try {
    await Promise.all(Array.from({ length: DIALS_AT_ONCE }, work))
  } finally {
    client.close()
  }
}
