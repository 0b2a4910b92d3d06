import type { Evaluate, Evaluation } from './evaluation.ts'
import {
  EvaluationError,
  ListValue,
  MapValue,
  mapKey,
  noSuchOverload,
  PlainList,
  PlainMap,
  typeNameOf,
  type Value,
} from './values.ts'

/** A loop with its parts made ready. Its variables are kept at `slot` and the place behind it. */
interface LoopPlan {
  does: 'all' | 'exists' | 'one' | 'collect' | 'insert' | 'merge'
  range: Evaluate
  body: Evaluate
  filter: Evaluate | undefined
  slot: number
  /** Whether there are two variables: index or key, and value. */
  isPair: boolean
}

export function loopOf(plan: LoopPlan): Evaluate {
  switch (plan.does) {
    case 'all':
      return quantified(plan, false)
    case 'exists':
      return quantified(plan, true)
    case 'one':
      return exactlyOne(plan)
    case 'collect':
      return collected(plan)
    default:
      return inserted(plan)
  }
}

/** Sets the variables for one round after the other; `round` says whether to go on. */
function rounds(plan: LoopPlan, run: Evaluation, round: () => boolean): void {
  const over = plan.range(run)
  if (over instanceof ListValue) overItems(over, plan, { run, round })
  else if (over instanceof MapValue) overKeys(over, plan, { run, round })
  else throw notIterable(over)
}

interface Rounds {
  run: Evaluation
  round: () => boolean
}

function overItems(list: ListValue, { slot, isPair }: LoopPlan, { run, round }: Rounds): void {
  const { variables } = run
  for (let i = 0; i < list.size; i += 1) {
    const item = list.at(i)
    variables[slot] = isPair ? BigInt(i) : item
    if (isPair) variables[slot + 1] = item
    if (!round()) return
  }
}

function overKeys(map: MapValue, { slot, isPair }: LoopPlan, { run, round }: Rounds): void {
  const { variables } = run
  for (const key of map.keys()) {
    variables[slot] = key
    if (isPair) variables[slot + 1] = map.get(key) ?? null
    if (!round()) return
  }
}

const GO_TYPES: Readonly<Record<string, string>> = {
  int: 'Int',
  uint: 'Uint',
  double: 'Double',
  string: 'String',
  bool: 'Bool',
  bytes: 'Bytes',
  null_type: 'Null',
}

function notIterable(value: Value): EvaluationError {
  const name = GO_TYPES[typeNameOf(value)] ?? typeNameOf(value)
  return new EvaluationError(`got 'types.${name}', expected iterable type`)
}

/** The answer of a condition, or why there is none. */
export function answerOf(condition: Evaluate, run: Evaluation): boolean | EvaluationError {
  try {
    const value = condition(run)
    return typeof value === 'boolean' ? value : noSuchOverload()
  } catch (error) {
    if (error instanceof EvaluationError) return error
    throw error
  }
}

/** Ends with the first `decisive` answer, which counts even if other rounds failed. */
function quantified(plan: LoopPlan, decisive: boolean): Evaluate {
  const each = decisive ? 4 : 3
  return (run) => {
    let result = !decisive
    let failure: EvaluationError | undefined
    rounds(plan, run, () => {
      run.spend(each)
      const value = answerOf(plan.body, run)
      if (value === decisive) result = decisive
      else if (typeof value !== 'boolean') failure ??= value
      return result !== decisive
    })
    run.spend(1)
    if (result !== decisive && failure !== undefined) throw failure
    return result
  }
}

function holds(condition: Evaluate, run: Evaluation): boolean {
  const value = condition(run)
  if (typeof value !== 'boolean') throw noSuchOverload()
  return value
}

function exactlyOne(plan: LoopPlan): Evaluate {
  return (run) => {
    let count = 0
    rounds(plan, run, () => {
      const hit = holds(plan.body, run)
      if (hit) count += 1
      run.spend(hit ? 2 : 1)
      return true
    })
    run.spend(2)
    return count === 1
  }
}

function collected(plan: LoopPlan): Evaluate {
  return (run) => {
    const values: Value[] = []
    rounds(plan, run, () => {
      if (plan.filter === undefined || holds(plan.filter, run)) {
        values.push(plan.body(run))
        run.spend(12)
      } else run.spend(1)
      return true
    })
    run.spend(1)
    return new PlainList(values)
  }
}

function inserted(plan: LoopPlan): Evaluate {
  return (run) => {
    const entries: Entries = new Map()
    rounds(plan, run, () => {
      run.spend(1)
      if (plan.filter !== undefined && !holds(plan.filter, run)) return true
      const made = plan.body(run)
      run.spend(plan.does === 'insert' ? 2 : 1)
      if (plan.does === 'insert') insert(entries, run.variables[plan.slot] ?? null, made)
      else insertAll(entries, made)
      return true
    })
    run.spend(1)
    return new PlainMap(entries)
  }
}

type Entries = Map<string, readonly [Value, Value]>

function insert(entries: Entries, key: Value, value: Value): void {
  const name = mapKey(key)
  if (entries.has(name)) throw new EvaluationError(`insert failed: key ${key} already exists`)
  entries.set(name, [key, value])
}

function insertAll(entries: Entries, more: Value): void {
  if (!(more instanceof MapValue)) throw noSuchOverload()
  for (const key of more.keys()) insert(entries, key, more.get(key) ?? null)
}
