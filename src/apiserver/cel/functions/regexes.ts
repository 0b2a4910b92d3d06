import { EvaluationError, PlainList, type Value } from '#apiserver/cel/values.ts'
import { work } from '#apiserver/cel/work.ts'
import { type Regex, regexOf } from '#base/regex/regex.ts'
import { type CelFunction, int, text } from './argument.ts'

function regex(value: Value | undefined, problem: string): Regex {
  const pattern = text(value)
  const found = regexOf(pattern)
  if (typeof found !== 'string') return found
  throw new EvaluationError(`${problem}${found}`)
}

function findAll([value, pattern, limit]: readonly Value[]): Value {
  const whole = text(value)
  const expression = regex(pattern, 'Illegal regex: ')
  const most = limit === undefined ? -1n : int(limit)
  const found: string[] = []
  let last = -1
  for (let from = 0; from <= whole.length && (most < 0n || found.length < most); ) {
    const match = expression.find(whole, from, work)
    if (match === undefined) break
    // An empty match right behind the one before counts as part of that.
    if (match.end > match.start || match.start !== last) {
      found.push(whole.slice(match.start, match.end))
    }
    last = match.end
    from = match.end > match.start ? match.end : match.end + 1
  }
  return new PlainList(found)
}

function find([value, pattern]: readonly Value[]): Value {
  const whole = text(value)
  const match = regex(pattern, 'Illegal regex: ').find(whole, 0, work)
  return match === undefined ? '' : whole.slice(match.start, match.end)
}

export const REGEXES: Readonly<Record<string, CelFunction>> = {
  matches: ([value, pattern]) => regex(pattern, '').test(text(value), work),
  find,
  findAll,
}
