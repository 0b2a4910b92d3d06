import { quoted } from '#apiserver/field-error.ts'
import type { Answer } from './answer.ts'

/** One thing that must be well for the API to work. */
export interface HealthCheck {
  /** By which it is asked for and left out. */
  name: string
  /** What is wrong, if something is. */
  problem?(): string | undefined
}

interface Asked {
  path: string
  query: URLSearchParams
}

const PROBES = ['/healthz', '/livez', '/readyz']

/** The paths at which it can be asked whether all is well, or one thing. */
export const healthPaths = (checks: readonly HealthCheck[]): string[] =>
  PROBES.flatMap((probe) => [probe, ...checks.map(({ name }) => `${probe}/${name}`)])

/** Whether the API works, in the words that probes know; undefined where that is not asked. */
export function healthAt(checks: readonly HealthCheck[], { path, query }: Asked) {
  const probe = PROBES.find((one) => path === one || path.startsWith(`${one}/`))
  if (probe === undefined) return undefined
  if (path === probe) return allOf(checks, probe.slice(1), query)
  const check = checks.find(({ name }) => path === `${probe}/${name}`)
  return check && oneOf(check)
}

function oneOf(check: HealthCheck): Answer {
  const problem = check.problem?.()
  if (problem === undefined) return { code: 200, body: 'ok' }
  return { code: 500, body: `internal server error: ${problem}\n`, headers: NOSNIFF }
}

/** All checks, each on a line if that is asked or one fails. */
function allOf(checks: readonly HealthCheck[], probe: string, query: URLSearchParams): Answer {
  const excluded = new Set(query.getAll('exclude'))
  const failed = checks.filter((one) => !excluded.has(one.name) && one.problem?.() !== undefined)
  const lines = checks.map((one) => {
    if (excluded.has(one.name)) return `[+]${one.name} excluded: ok\n`
    // Everybody may ask: what is wrong is told only to those who may ask for the check itself.
    return failed.includes(one) ? `[-]${one.name} failed: reason withheld\n` : `[+]${one.name} ok\n`
  })
  const told = [...lines, unknownNames(checks, excluded)].join('')
  if (failed.length > 0) {
    return { code: 500, body: `${told}${probe} check failed\n`, headers: NOSNIFF }
  }
  const body = query.has('verbose') ? `${told}${probe} check passed\n` : 'ok'
  return { code: 200, body, headers: NOSNIFF }
}

function unknownNames(checks: readonly HealthCheck[], excluded: ReadonlySet<string>): string {
  const unknown = [...excluded].filter((name) => !checks.some((check) => check.name === name))
  if (unknown.length === 0) return ''
  const names = unknown.toSorted().map(quoted).join(',')
  return `warn: some health checks cannot be excluded: no matches for ${names}\n`
}

const NOSNIFF = { 'x-content-type-options': 'nosniff' }
