import type { Value } from './values.ts'
import { work } from './work.ts'

/** One evaluation: what variables hold, and what it has cost up to here. */
export class Evaluation {
  /** `self`, `oldSelf`, and those of loops behind them. */
  readonly variables: Value[]
  cost = 0
  private readonly limit: number

  constructor(self: Value, oldSelf: Value, limit: number) {
    this.variables = [self, oldSelf]
    this.limit = limit
  }

  /** Throws CostExceeded when there is nothing left to spend. */
  spend(cost: number): void {
    work(1)
    this.cost += cost
    if (this.cost > this.limit) throw new CostExceeded()
  }
}

/** That an evaluation was given up because it got too expensive. */
export class CostExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded')
  }
}

/** Gives the value of an expression; throws EvaluationError where it has none. */
export type Evaluate = (run: Evaluation) => Value
