import { readFirstInSteps } from '#base/yaml/read-yaml.ts'
import { YamlError, YamlTooLarge } from '#base/yaml/yaml-error.ts'
import { MOST, tooMuch } from './body-size.ts'
import { duplicateFieldsIn } from './builtin/duplicate-fields.ts'
import { ApiFailure } from './failure.ts'
import { LEVELS } from './json-strings.ts'
import { parseBodyInSteps } from './parse-json.ts'
import type { Steps } from './steps.ts'
import { valueOfYaml, type YamlValue } from './yaml-value.ts'

const MEBIBYTE = 1024 * 1024
const LIMITS = {
  ...{ letters: 3 * MEBIBYTE, lines: 500_000, levels: LEVELS },
  // Keys count here, and do not where values are counted.
  ...{ nodes: 2 * MOST.values, aliased: 3 * MEBIBYTE, escapes: Number.POSITIVE_INFINITY },
}

/**
 * The value of a body that may be YAML, with pauses: of its first document, whatever comes after. Most are JSON, which
 * is YAML too. Throws an `ApiFailure` if there is more in it than anyone may send, and an error in Kubernetes' words if
 * it cannot be read.
 */
export function* parseYamlBodyInSteps(text: string): Steps<YamlValue> {
  const json = /^\s*\{/.test(text) ? yield* jsonValueIn(text) : undefined
  if (json) return json
  try {
    const node = yield* readFirstInSteps(text, LIMITS)
    return node ? yield* valueOfYaml(node) : { value: null, repeated: [] }
  } catch (error) {
    if (error instanceof YamlTooLarge) throw tooMuch(error.why)
    throw error instanceof YamlError ? new Error(inOldWords(error)) : error
  }
}

/** Nothing, if it is no JSON, or has a field twice, of which YAML says where. */
function* jsonValueIn(text: string): Steps<YamlValue | undefined> {
  try {
    const value = yield* parseBodyInSteps(text)
    return (yield* duplicateFieldsIn(text)).length > 0 ? undefined : { value, repeated: [] }
  } catch (error) {
    if (error instanceof ApiFailure) throw error
    return undefined
  }
}

/** As the version of go-yaml says it that Kubernetes has, which counts some lines from 0 and leaves that out. */
function inOldWords({ why, place }: YamlError): string {
  if (place?.by === 'composer') return `yaml: ${composed(why, place.anchor)}`
  const line = place && place.line > 1 ? place.line - (place.by === 'parser' ? 1 : 0) : 0
  return `yaml: ${line > 0 ? `line ${line}: ` : ''}${why}`
}

const composed = (why: string, anchor = ''): string =>
  why === 'unknown anchor referenced'
    ? `unknown anchor '${anchor}' referenced`
    : `anchor '${anchor}' value contains itself`
