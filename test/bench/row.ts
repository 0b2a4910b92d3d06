import type { Point } from '#scripts/growth/points.ts'
import type { RealKubernetes } from '#test/conformance/kubernetes/real-kubernetes.ts'
import type { ApiDuel } from './api-duel.ts'

/** What a row measured: the figure, and whatever a reader needs to believe it. */
export interface Measurement {
  value: number
  /** How it came about: what was compared, what was set. One line. */
  detail: string
  /** Of rows that tell how all grows: what each size took. */
  points?: readonly Point[]
}

interface Figure {
  /** What `ONLY` chooses it by. */
  name: string
  budget: number
  unit: string
  /** Which side of the budget is the good one. */
  better: 'less' | 'more'
}

/** One figure with its budget, and how it is measured. What cannot be measured throws a sentence. */
export type Row = Figure &
  (
    | { needs?: undefined; measure(): Promise<Measurement> }
    /** All such rows share one server, which is started for the first of them. */
    | { needs: 'real-kubernetes'; measure(kubernetes: RealKubernetes): Promise<Measurement> }
    /** The same with a real API and the embedded one. */
    | { needs: 'api-duel'; measure(duel: ApiDuel): Promise<Measurement> }
  )

/** A row after its turn: with what it measured, or why it could not. */
export type Outcome = Figure & (Measurement | { whyNot: string })
