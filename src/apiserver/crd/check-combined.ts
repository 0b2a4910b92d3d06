import { type FieldError, quoted } from '#apiserver/field-error.ts'
import type { Steps } from '#apiserver/steps.ts'
import type { SchemaNode } from './node.ts'
import { pathText, type Run, reportLoose } from './run.ts'

/** Checks a value against the schemas of which any, one, all or none must fit. */
export function* checkCombined(node: SchemaNode, value: unknown, run: Run): Steps<void> {
  if (node.anyOf.length > 0) yield* checkAnyOf(node, value, run)
  if (node.oneOf.length > 0) yield* checkOneOf(node, value, run)
  if (node.allOf.length > 0) yield* checkAllOf(node, value, run)
  if (node.not) yield* checkNot(node.not, value, run)
}

interface Attempt {
  errors: FieldError[]
  matches: number
}

/** Tries a value on a schema, and leaves what comes of it out of the run. */
function* attempt(node: SchemaNode, value: unknown, run: Run): Steps<Attempt> {
  const { errors, matches } = run
  run.errors = []
  run.matches = 0
  yield* run.check(node, value, run)
  const result = { errors: run.errors, matches: run.matches }
  run.errors = errors
  run.matches = matches
  return result
}

function take(run: Run, { errors, matches }: Attempt): void {
  for (const error of errors) run.errors.push(error)
  run.matches += matches
}

const closest = (attempts: readonly Attempt[]): Attempt | undefined =>
  attempts.reduce<Attempt | undefined>(
    (best, one) => (best && best.matches >= one.matches ? best : one),
    undefined,
  )

function* checkAnyOf(node: SchemaNode, value: unknown, run: Run): Steps<void> {
  const failures: Attempt[] = []
  for (const one of node.anyOf) {
    const result = yield* attempt(one, value, run)
    if (result.errors.length === 0) {
      run.matches += result.matches
      return
    }
    failures.push(result)
  }
  reportLoose(run, `${quoted(pathText(run))} must validate at least one schema (anyOf)`)
  const best = closest(failures)
  if (best) take(run, best)
}

function* checkOneOf(node: SchemaNode, value: unknown, run: Run): Steps<void> {
  const attempts: Attempt[] = []
  for (const one of node.oneOf) attempts.push(yield* attempt(one, value, run))
  const [first, ...more] = attempts.filter(({ errors }) => errors.length === 0)
  if (first && more.length === 0) {
    run.matches += first.matches
    return
  }
  const found = first ? `Found ${more.length + 1} valid alternatives` : 'Found none valid'
  reportLoose(
    run,
    `${quoted(pathText(run))} must validate one and only one schema (oneOf). ${found}`,
  )
  const best = first ? undefined : closest(attempts)
  if (best) take(run, best)
}

function* checkAllOf(node: SchemaNode, value: unknown, run: Run): Steps<void> {
  let failed = 0
  for (const one of node.allOf) {
    const before = run.errors.length
    yield* run.check(one, value, run)
    if (run.errors.length > before) failed += 1
  }
  if (failed === 0) return
  const none = failed === node.allOf.length ? '. None validated' : ''
  reportLoose(run, `${quoted(pathText(run))} must validate all the schemas (allOf)${none}`)
}

function* checkNot(not: SchemaNode, value: unknown, run: Run): Steps<void> {
  if ((yield* attempt(not, value, run)).errors.length > 0) return
  reportLoose(run, `${quoted(pathText(run))} must not validate the schema (not)`)
}
