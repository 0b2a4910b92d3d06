/** A pass, as the operator's log has it. */
export interface Pass {
  /** The name of the cluster that it was about. */
  cluster: string
  seconds: number
}

/** The passes in a log of level `debug`. */
export function passesIn(log: string): Pass[] {
  return log.split('\n').flatMap((line) => {
    if (!line.includes('"pass done"')) return []
    const { cluster, seconds }: Record<string, unknown> = Object(JSON.parse(line))
    return typeof cluster === 'string' && typeof seconds === 'number' ? [{ cluster, seconds }] : []
  })
}
