/** One that is lived once, and then told if need be. */
interface ALife {
  /** Throws what is not as it should be. */
  live(): Promise<void>
  /** All that is known, for whoever has to find out why. */
  described(): Promise<string[]>
}

/** What is not as it should be after a life; nothing if all is well. */
export async function whatIsWrongWith(life: ALife): Promise<string | undefined> {
  try {
    await life.live()
    return undefined
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [why, ...(await life.described())].join('\n')
  }
}
