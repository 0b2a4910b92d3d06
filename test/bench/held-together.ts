/** Holds on to something until all is disposed of. */
export type Hold = <Held extends AsyncDisposable | Disposable>(held: Held) => Held

/** Disposing of what is made disposes of all that it held on to, the last first; so does a failure. */
export async function heldTogether<Made extends object>(
  make: (hold: Hold) => Promise<Made>,
): Promise<Made & AsyncDisposable> {
  const all: (AsyncDisposable | Disposable)[] = []
  const end = async () => {
    for (const held of all.toReversed()) {
      if (Symbol.asyncDispose in held) await held[Symbol.asyncDispose]()
      else held[Symbol.dispose]()
    }
  }
  const hold: Hold = (held) => {
    all.push(held)
    return held
  }
  try {
    return { ...(await make(hold)), [Symbol.asyncDispose]: end }
  } catch (error) {
    await end()
    throw error
  }
}
