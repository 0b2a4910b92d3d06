import { createHash } from 'node:crypto'
import { version } from '#apiserver/builtin/generated/kinds.ts'
import { documentInSteps } from '#apiserver/json-text.ts'
import type { Fields } from '#apiserver/objects.ts'
import type { Steps } from '#apiserver/steps.ts'
import type { Described } from './operations.ts'
import { protobufOf } from './protobuf.ts'
import { v2Document } from './v2-document.ts'
import { v3Document } from './v3-document.ts'

export interface OpenApiDocument {
  contentType: string
  body: Buffer
  /** Without quotes; also what the index says after `?hash=`. */
  etag: string
}

// By this name it is answered: clients can parse it, which the one that most of them ask for is not.
const V2_PROTOBUF_ANSWER = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'

/** What protobuf is called at `/openapi/v2`: Helm before 3.14 and old kubectl accept the first, and nothing else. */
export const V2_PROTOBUF = [
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  V2_PROTOBUF_ANSWER,
] as const

/**
 * The OpenAPI documents of a set of resources. Make another when the set changes; each document is made when it is
 * first asked for, with pauses, and kept. `program` tells the release, so that what clients keep does not outlive it.
 */
export class OpenApiDocuments {
  readonly #resources: readonly Described[]
  readonly #program: string
  readonly #made = new Map<string, OpenApiDocument>()

  constructor(resources: readonly Described[], program: string) {
    this.#resources = resources
    this.#program = program
  }

  /** What `/openapi/v3` answers: where the documents of the groups are. */
  *index(): Steps<OpenApiDocument> {
    const known = this.#made.get('')
    if (known) return known
    const paths: Fields = {}
    for (const path of [...new Set(this.#resources.map(pathOf))].toSorted()) {
      const hash = yield* this.#hashOf(this.#servedAt(path))
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }
    }
    const index = yield* jsonDocument({ paths }, yield* this.#hashOf(this.#resources))
    return this.#keep('', { ...index, contentType: 'text/plain; charset=utf-8' })
  }

  /** Whether there is something at `/openapi/v3/PATH`. */
  hasGroup(path: string): boolean {
    return this.#resources.some((one) => pathOf(one) === path)
  }

  /** What `/openapi/v3/PATH` answers, for `api/v1` or `apis/GROUP/VERSION`; nothing if there is no such. */
  *group(path: string): Steps<OpenApiDocument | undefined> {
    const resources = this.#servedAt(path)
    if (resources.length === 0) return undefined
    const known = this.#made.get(path)
    if (known) return known
    const document = yield* v3Document(resources)
    return this.#keep(path, yield* jsonDocument(document, yield* this.#hashOf(resources)))
  }

  /** What `/openapi/v2` answers. */
  *v2(form: 'json' | 'protobuf'): Steps<OpenApiDocument> {
    const key = `v2 ${form}`
    const known = this.#made.get(key)
    if (known) return known
    const document = yield* v2Document(this.#resources)
    const etag = yield* this.#hashOf(this.#resources)
    if (form === 'json') return this.#keep(key, yield* jsonDocument(document, etag))
    const body = yield* protobufOf(document)
    return this.#keep(key, { contentType: V2_PROTOBUF_ANSWER, body, etag })
  }

  #servedAt(path: string): Described[] {
    return this.#resources.filter((one) => pathOf(one) === path)
  }

  /** Who was done first while others made the same is believed. */
  #keep(key: string, made: OpenApiDocument): OpenApiDocument {
    const document = this.#made.get(key) ?? made
    this.#made.set(key, document)
    return document
  }

  /** Of what a document is made from: the index tells them all, and making them all takes long. */
  *#hashOf(resources: readonly Described[]): Steps<string> {
    const hash = createHash('sha512').update(`${this.#program} ${version}`)
    for (const resource of resources) hash.update(yield* sourceOf(resource))
    return hash.digest('hex').toUpperCase()
  }
}

const pathOf = ({ group, version }: Described): string =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`

const sources = new WeakMap<Described, string>()

function* sourceOf(resource: Described): Steps<string> {
  const known = sources.get(resource)
  if (known !== undefined) return known
  const { group, plural, kind, namespaced, verbs, subresources } = resource
  const selectable = Object.keys(resource.behaviour?.selectableFields ?? {})
  const told = { group, version: resource.version, plural, kind, namespaced, verbs, subresources }
  // The schemas of built-in kinds follow from the version of Kubernetes, and may contain themselves. They are made
  // when they are asked for, which takes long for all of them.
  const source = yield* documentInSteps(
    resource.isCustom ? { ...told, schema: resource.schema, selectable } : told,
  )
  sources.set(resource, source)
  return source
}

function* jsonDocument(document: Fields, etag: string): Steps<OpenApiDocument> {
  const text = yield* documentInSteps(document)
  yield
  return { contentType: 'application/json', body: Buffer.from(text), etag }
}
