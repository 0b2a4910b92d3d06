import type { ValueMap } from '#machineconfig/document.ts'
import { quote } from '#machineconfig/quote.ts'
import { parseBytes } from '#machineconfig/read/leaves/byte-size.ts'
import { Refusal } from '#machineconfig/read/refusal.ts'
import { REDACTED } from '#machineconfig/redacted.ts'
import {
  numberAt,
  type Section,
  sectionAt,
  textAt,
  textsAt,
} from '#machineconfig/validate/checks/fields.ts'
import { imageReference } from '#machineconfig/validate/checks/image-reference.ts'
import { absolutePathErrors, mountErrors } from './container-mounts.ts'
import { securityErrors } from './container-security.ts'
import type { RulesByKind } from './kind-rules.ts'

const LONGEST_NAME = 63
const NETWORK_CONDITIONS = ['addresses', 'connectivity', 'hostname', 'etcfiles']
const LARGEST_UINT64 = 2n ** 64n - 1n

/** Containers that Talos itself runs. What they wait for is judged in container-dependencies.ts. */
export const containerRules: RulesByKind = {
  ContainerConfig: { errors: containerErrors, warnings: containerWarnings },
}

function* containerWarnings(fields: ValueMap): Iterable<string> {
  const image = textAt(fields, 'image')
  if (image !== '' && imageReference(image)?.isPinned === false) {
    yield `container ${quote(textAt(fields, 'name'))}: image ${quote(image)} is not digest-pinned, the running image may change on restart`
  }
}

function* containerErrors(fields: ValueMap): Iterable<string> {
  const name = textAt(fields, 'name')
  yield* nameErrors(name)
  yield* imageErrors(textAt(fields, 'image'))
  for (const [i, variable] of textsAt(fields, 'environment').entries()) {
    // Talos shows it, we do not: who forgets the sign may have written a password.
    if (!variable.includes('=')) yield `environment[${i}]: ${REDACTED} must be in KEY=value form`
  }
  yield* mountErrors(fields)
  yield* securityErrors(sectionAt(fields, 'security'))
  const mode = textAt(sectionAt(fields, 'network'), 'mode')
  if (!['', 'none', 'host'].includes(mode)) {
    yield `unsupported network mode ${quote(mode)}, expected none or host`
  }
  yield* limitErrors(sectionAt(sectionAt(fields, 'resources'), 'limits'))
  yield* waitErrors(name, sectionAt(fields, 'dependsOn'))
  for (const key of ['uid', 'gid']) {
    const id = numberAt(sectionAt(fields, 'runAs'), key)
    if (id < 0) yield `runAs.${key} must be non-negative, got ${id}`
  }
}

function* nameErrors(name: string): Iterable<string> {
  if (name === '') yield 'name is required'
  else if (Buffer.byteLength(name) > LONGEST_NAME) {
    yield `name ${quote(name)} must be ${LONGEST_NAME} characters or fewer`
  } else if (!/^[a-z0-9-]+$/.test(name)) {
    yield `name ${quote(name)}: name can only contain lowercase ASCII letters, digits and hyphens`
  }
}

function* imageErrors(image: string): Iterable<string> {
  if (image === '') yield 'image is required'
  else if (imageReference(image) === undefined) {
    yield `invalid image reference ${quote(image)}: could not parse reference: ${image}`
  }
}

function* limitErrors(limits: Section): Iterable<string> {
  const [memory, cpu] = [textAt(limits, 'memory'), textAt(limits, 'cpu')]
  const bytes = memory === '' ? 0 : parseBytes(memory)
  if (bytes instanceof Refusal) {
    yield `limits.memory ${quote(memory)} is not a valid size: ${bytes.why}`
  }
  const problem = cpu === '' ? undefined : millicoresProblem(cpu)
  if (problem !== undefined) yield `limits.cpu ${quote(cpu)} ${problem}`
}

function millicoresProblem(cpu: string): string | undefined {
  if (!cpu.endsWith('m')) return 'must be expressed in millicores, e.g. 1500m'
  const digits = cpu.slice(0, -1)
  const wrong = `is not a valid millicore quantity: strconv.ParseUint: parsing ${quote(digits)}:`
  if (!/^[0-9]+$/.test(digits)) return `${wrong} invalid syntax`
  const significant = digits.replace(/^0+/, '')
  if (significant === '') return 'must be greater than zero'
  // Twenty digits are the most that there are; more are not worth a large number.
  const isLarger = significant.length > 20 || BigInt(significant) > LARGEST_UINT64
  return isLarger ? `${wrong} value out of range` : undefined
}

function* waitErrors(name: string, dependsOn: Section): Iterable<string> {
  for (const path of textsAt(dependsOn, 'paths')) {
    yield* absolutePathErrors('dependsOn.paths entry', path)
  }
  for (const condition of textsAt(dependsOn, 'networks')) {
    if (!NETWORK_CONDITIONS.includes(condition)) {
      yield `unsupported dependsOn.networks condition ${quote(condition)}`
    }
  }
  for (const other of textsAt(dependsOn, 'containers')) {
    if (other === '') yield 'dependsOn.containers entry must not be empty'
    else if (other === name) yield `container ${quote(name)} cannot depend on itself`
  }
}
