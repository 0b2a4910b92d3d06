import { ApiFailure } from '#apiserver/failure.ts'

/** How an answer is to be shown. */
export interface Form {
  as: 'object' | 'table' | 'partial'
  syntax: 'json' | 'yaml'
}

interface Clause {
  type: string
  parameters: Map<string, string>
}

/** The clauses of an Accept or Content-Type header, in order. */
export function clausesOf(header: string): Clause[] {
  return header.split(',').map((clause) => {
    const [type = '', ...parameters] = clause.split(';').map((part) => part.trim())
    const pairs = parameters.map((one) => {
      const at = one.indexOf('=')
      return [one.slice(0, at).toLowerCase(), one.slice(at + 1)] as const
    })
    return { type: type.toLowerCase(), parameters: new Map(pairs) }
  })
}

const cache = new Map<string, Form | undefined>()
const MOST_CACHED = 100

/** The first form that the client takes and we have; undefined if there is none. */
export function formFor(accept: string | undefined): Form | undefined {
  if (!accept) return { as: 'object', syntax: 'json' }
  if (cache.has(accept)) return cache.get(accept)
  const form = clausesOf(accept)
    .map(formOf)
    .find((one) => one !== undefined)
  if (cache.size < MOST_CACHED) cache.set(accept, form)
  return form
}

function formOf({ type, parameters }: Clause): Form | undefined {
  const syntax = syntaxOf(type)
  if (!syntax) return undefined
  const as = shapeOf(parameters)
  return as && { as, syntax }
}

function syntaxOf(type: string): Form['syntax'] | undefined {
  if (type === 'application/yaml') return 'yaml'
  return ['application/json', 'application/*', '*/*'].includes(type) ? 'json' : undefined
}

function shapeOf(parameters: Map<string, string>): Form['as'] | undefined {
  const as = parameters.get('as')
  if (as === undefined) return 'object'
  if (parameters.get('g') !== 'meta.k8s.io' || parameters.get('v') !== 'v1') return undefined
  if (as === 'Table') return 'table'
  return as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList'
    ? 'partial'
    : undefined
}

const SPOKEN = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'

const STREAMED = ', application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch'

/** Whether a client takes something that is spoken here, if not in the form that it wants. */
export const takesSpoken = (accept: string): boolean =>
  clausesOf(accept).some(({ type }) => syntaxOf(type) !== undefined)

/** Nothing that the client takes is spoken here. The words are those of a server that also speaks protobuf. */
export const notAcceptable = (isCustom: boolean, isList: boolean): ApiFailure =>
  isCustom
    ? new ApiFailure(406, `only the following media types are accepted: ${SPOKEN}`, {
        reason: 'NotAcceptable',
      })
    : new ApiFailure(
        406,
        `406: Not Acceptable\n\nAvailable representations: ${SPOKEN}${isList ? STREAMED : ''}`,
        {
          reason: 'NotAcceptable',
          details: {},
        },
      )
