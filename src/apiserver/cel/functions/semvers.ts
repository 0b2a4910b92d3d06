import { EvaluationError, Extension, noSuchOverload, type Value } from '#apiserver/cel/values.ts'
import { quoted } from '#apiserver/field-error.ts'
import { MAX_UINT } from '#base/cel/literals.ts'
import { bool, type CelFunction, text } from './argument.ts'

/** A version as https://semver.org has it. */
class Semver extends Extension {
  readonly typeName = 'kubernetes.Semver'
  readonly numbers: readonly bigint[]
  readonly before: readonly string[]

  constructor(numbers: readonly bigint[], before: readonly string[]) {
    super()
    this.numbers = numbers
    this.before = before
  }

  equals(other: Extension): boolean {
    return other instanceof Semver && compareVersions(this, other) === 0
  }
}

const NUMBER = '(0|[1-9]\\d*)'
const IDENTIFIER = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][\\dA-Za-z-]*)'
const VERSION = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${IDENTIFIER}(?:\\.${IDENTIFIER})*))?(?:\\+([\\dA-Za-z-]+(?:\\.[\\dA-Za-z-]+)*))?$`,
)

function semverOf(value: string, normalize: boolean): Semver {
  const version = normalize ? normalized(value) : value
  const match = VERSION.exec(version)
  if (match === null) throw problemOf(version)
  const [, major = '', minor = '', patch = '', before] = match
  const large = [major, minor, patch].find((one) => BigInt(one) > MAX_UINT)
  if (large !== undefined) {
    throw new EvaluationError(`strconv.ParseUint: parsing ${quoted(large)}: value out of range`)
  }
  return new Semver([major, minor, patch].map(BigInt), before?.split('.') ?? [])
}

function problemOf(version: string): EvaluationError {
  if (version === '') return new EvaluationError('Version string empty')
  const [major = '', minor, ...rest] = version.split('.')
  if (minor === undefined || rest.length === 0) {
    return new EvaluationError('No Major.Minor.Patch elements found')
  }
  const patch = rest.join('.').replace(/[-+].*$/s, '')
  const parts = { major, minor, patch }
  for (const [name, part] of Object.entries(parts)) {
    if (!/^\d+$/.test(part)) {
      return new EvaluationError(`Invalid character(s) found in ${name} number ${quoted(part)}`)
    }
    if (part.length > 1 && part.startsWith('0')) {
      const start = `${name.charAt(0).toUpperCase()}${name.slice(1)} number`
      return new EvaluationError(`${start} must not contain leading zeroes ${quoted(part)}`)
    }
  }
  return new EvaluationError(
    /\+(?:$|.*\.$|\.|.*\.\.)/.test(version) ? 'Build meta data is empty' : 'Prerelease is empty',
  )
}

/** Without `v` and leading zeros, and with the numbers that were left out. */
function normalized(value: string): string {
  const [major = '', minor, ...rest] = value.replace(/^v/, '').split('.')
  const patch = rest.length > 0 ? rest.join('.') : undefined
  const parts = [major, minor, patch].filter((part) => part !== undefined).map(withoutZeros)
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) {
    throw new EvaluationError('short version cannot contain PreRelease/Build meta data')
  }
  while (parts.length < 3) parts.push('0')
  return parts.join('.')
}

function withoutZeros(part: string): string {
  if (part.length <= 1) return part
  const rest = part.replace(/^0+/, '')
  return /^\d/.test(rest) ? rest : `0${rest}`
}

const order = (a: bigint | string, b: bigint | string): number => {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function compareVersions(a: Semver, b: Semver): number {
  for (const [i, number] of a.numbers.entries()) {
    const difference = order(number, b.numbers[i] ?? 0n)
    if (difference !== 0) return difference
  }
  if (a.before.length === 0 || b.before.length === 0) {
    return order(BigInt(b.before.length), BigInt(a.before.length)) === 0
      ? 0
      : a.before.length === 0
        ? 1
        : -1
  }
  return compareIdentifiers(a.before, b.before)
}

function compareIdentifiers(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const difference = compareIdentifier(a[i] ?? '', b[i] ?? '')
    if (difference !== 0) return difference
  }
  return Math.sign(a.length - b.length)
}

const isNumeric = (identifier: string): boolean => /^\d+$/.test(identifier)

function compareIdentifier(a: string, b: string): number {
  if (isNumeric(a) && isNumeric(b)) return order(BigInt(a), BigInt(b))
  if (isNumeric(a)) return -1
  return isNumeric(b) ? 1 : order(a, b)
}

function semver(value: Value | undefined): Semver {
  if (!(value instanceof Semver)) throw noSuchOverload()
  return value
}

/** Negative, 0 or positive: which of two versions is older. */
export const compareSemvers = (a: Value | undefined, b: Value | undefined): number =>
  compareVersions(semver(a), semver(b))

function canParse(value: string, normalize: boolean): boolean {
  try {
    semverOf(value, normalize)
    return true
  } catch (error) {
    if (error instanceof EvaluationError) return false
    throw error
  }
}

const flag = (value: Value | undefined): boolean => value !== undefined && bool(value)

export const SEMVERS: Readonly<Record<string, CelFunction>> = {
  semver: ([value, normalize]) => semverOf(text(value), flag(normalize)),
  isSemver: ([value, normalize]) => canParse(text(value), flag(normalize)),
  major: ([value]) => semver(value).numbers[0] ?? 0n,
  minor: ([value]) => semver(value).numbers[1] ?? 0n,
  patch: ([value]) => semver(value).numbers[2] ?? 0n,
}
