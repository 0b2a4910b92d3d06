import { Failure } from '#test/misbehaving/failure.ts'
import type { KubeObject } from './objects.ts'

export type Selects = (object: KubeObject) => boolean

/** What the `labelSelector` and the `fieldSelector` of a request ask for, taken together. */
export function selectorOf(query: URLSearchParams): Selects {
  const labels = query.get('labelSelector') ?? ''
  const fields = query.get('fieldSelector') ?? ''
  // Commas stand between requirements, and between the values of a set.
  const requirements = labels.match(/(?:[^,(]|\([^)]*\)?)+/g) ?? []
  const tests = [
    ...requirements.map((text) => labelRequirement(text.trim())),
    ...fields.split(',').flatMap((text) => (text === '' ? [] : [fieldRequirement(text)])),
  ]
  return (object) => tests.every((test) => test(object))
}

function labelRequirement(text: string): Selects {
  const [, absent, alone] = /^(!?)\s*([\w./-]+)$/.exec(text) ?? []
  if (alone !== undefined) return (object) => (label(object, alone) === undefined) === !!absent

  const [, name, word, one, set] =
    /^([\w./-]+)\s*(?:(==?|!=)\s*([\w.-]*)|(?:(?<=\s)(?:in|notin)\s*\(([^)]*)\)))$/.exec(text) ?? []
  if (name === undefined) throw new Failure(400, `unable to parse requirement: ${text}`)
  const values = set === undefined ? [one] : set.split(',').map((value) => value.trim())
  const isNegative = word === '!=' || (set !== undefined && /\snotin\s*\(/.test(text))
  return (object) => values.includes(label(object, name)) !== isNegative
}

const label = ({ metadata }: KubeObject, name: string): string | undefined =>
  metadata.labels?.[name]

function fieldRequirement(text: string): Selects {
  const [, name = '', word, value = ''] = /^([^=!]+)(==?|!=)(.*)$/.exec(text) ?? []
  if (!word) throw new Failure(400, `invalid selector: '${text}'; can't understand '${text}'`)
  if (name !== 'metadata.name' && name !== 'metadata.namespace') {
    throw new Failure(400, `field label not supported: ${name}`)
  }
  const field = name === 'metadata.name' ? 'name' : 'namespace'
  return ({ metadata }) => ((metadata[field] ?? '') === value) === (word !== '!=')
}
