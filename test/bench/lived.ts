/** Runs something when it is first asked for; whoever asks again is told what came of that. */
export function lived<Result>(live: () => Promise<Result>): () => Promise<Result> {
  let once: Promise<Result> | undefined
  return () => {
    once ??= live()
    return once
  }
}
