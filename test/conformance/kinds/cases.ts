/** The spec of an object as a user writes it. */
export type Spec = Record<string, unknown>

interface Attempt {
  title: string
  /** The object's metadata.name, where that matters. Left out: one of its own. */
  name?: string
  /** What is sent. Left out: an object without any spec. */
  spec?: Spec
  /** The spec that is there already: the attempt is an update of it, and not a creation. */
  from?: Spec
}

/** The API takes it. `becomes` is what the stored spec must contain: defaults, kept fields. */
export interface Accepted extends Attempt {
  becomes?: Spec
  /** Paths that must not be in the stored spec, because the schema does not know them. */
  drops?: string[]
}

/** The API refuses it, naming the field and the reason. */
export interface Refused extends Attempt {
  /** Path of the field as the API reports it: `spec.metalSpec.machines[0].address`. */
  at: string
  /** Part of the message for that field. */
  says: string
}

export interface KindCases {
  accepted: Accepted[]
  refused: Refused[]
}

/** The status of an object as a controller writes it, on its own and over an object that is there. */
export type Status = Record<string, unknown>

interface StatusAccepted {
  title: string
  status: Status
  /** What the stored status is, to the letter. Left out: what was written. */
  becomes?: Status
}

export interface StatusRefused extends Pick<Refused, 'at' | 'says'> {
  title: string
  status: Status
}

export interface StatusCases {
  accepted: StatusAccepted[]
  refused: StatusRefused[]
}

/**
 * The cases of a spec that another kind holds inside its own, at a path below `spec`. Immutability
 * and the like must hold there, too.
 */
export const inside = (path: string[], { accepted, refused }: KindCases, around: Spec = {}) => {
  const wrap = (spec: Spec): Spec =>
    path.reduceRight<Spec>((inner, key) => ({ [key]: inner }), spec)
  const place = <Case extends Attempt>(attempt: Case): Case => ({
    ...attempt,
    title: `inside ${path.join('.')}: ${attempt.title}`,
    ...(attempt.spec && { spec: { ...around, ...wrap(attempt.spec) } }),
    ...(attempt.from && { from: { ...around, ...wrap(attempt.from) } }),
  })
  const deeper = (at: string): string => at.replace(/^spec/, ['spec', ...path].join('.'))
  // A missing spec is a matter of the kind itself.
  const hasSpec = ({ spec }: Attempt): boolean => spec !== undefined

  return {
    accepted: accepted.filter(hasSpec).map((attempt) => ({
      ...place(attempt),
      ...(attempt.becomes && { becomes: wrap(attempt.becomes) }),
      ...(attempt.drops && { drops: attempt.drops.map((drop) => [...path, drop].join('.')) }),
    })),
    refused: refused
      .filter(hasSpec)
      .map((attempt) => ({ ...place(attempt), at: deeper(attempt.at) })),
  }
}
