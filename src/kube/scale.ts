import type { ObjectMeta } from '#api/meta.ts'

/** How many there should be of what an object stands for, and how many there are. */
export interface Scale {
  metadata: ObjectMeta
  spec: { replicas: number }
  status: {
    replicas: number
    /** Selects the pods that are counted. */
    selector?: string
  }
}

/** A Scale as it is sent: a number that is 0 may be left out. */
export interface SentScale {
  metadata: ObjectMeta
  spec?: { replicas?: number }
  status?: { replicas?: number; selector?: string }
}

/** Puts in what was left out. */
export const wholeScale = ({ metadata, spec, status }: SentScale): Scale => ({
  metadata,
  spec: { replicas: spec?.replicas ?? 0 },
  status: {
    replicas: status?.replicas ?? 0,
    ...(status?.selector && { selector: status.selector }),
  },
})
