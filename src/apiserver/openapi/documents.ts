import { createHash } from 'node:crypto'
import { version } from '#apiserver/builtin/generated/kinds.ts'
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

/** What Helm before 3.14 and old kubectl accept at `/openapi/v2`, and nothing else. */
export const V2_PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'

// Answered by a name that clients can parse, which the one they ask for is not.
const V2_PROTOBUF_ANSWER = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'

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
  index(): OpenApiDocument {
    return this.#keep('', () => {
      const paths = [...new Set(this.#resources.map(pathOf))].toSorted().map((path) => {
        const hash = this.#hashOf(this.#servedAt(path))
        return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }]
      })
      const index = jsonDocument(
        { paths: Object.fromEntries(paths) },
        this.#hashOf(this.#resources),
      )
      return { ...index, contentType: 'text/plain; charset=utf-8' }
    })
  }

  /** What `/openapi/v3/PATH` answers, for `api/v1` or `apis/GROUP/VERSION`; nothing if there is no such. */
  *group(path: string): Steps<OpenApiDocument | undefined> {
    const resources = this.#servedAt(path)
    if (resources.length === 0) return undefined
    const known = this.#made.get(path)
    if (known) return known
    const document = yield* v3Document(resources)
    yield
    return this.#keep(path, () => jsonDocument(document, this.#hashOf(resources)))
  }

  /** What `/openapi/v2` answers. */
  *v2(form: 'json' | 'protobuf'): Steps<OpenApiDocument> {
    const key = `v2 ${form}`
    const known = this.#made.get(key)
    if (known) return known
    const document = yield* v2Document(this.#resources)
    yield
    const etag = this.#hashOf(this.#resources)
    if (form === 'json') return this.#keep(key, () => jsonDocument(document, etag))
    const body = yield* protobufOf(document)
    return this.#keep(key, () => ({ contentType: V2_PROTOBUF_ANSWER, body, etag }))
  }

  #servedAt(path: string): Described[] {
    return this.#resources.filter((one) => pathOf(one) === path)
  }

  #keep(key: string, make: () => OpenApiDocument): OpenApiDocument {
    const known = this.#made.get(key)
    if (known) return known
    const document = make()
    this.#made.set(key, document)
    return document
  }

  /** Of what a document is made from: the index tells them all, and making them all takes long. */
  #hashOf(resources: readonly Described[]): string {
    const hash = createHash('sha512').update(`${this.#program} ${version}`)
    for (const resource of resources) hash.update(sourceOf(resource))
    return hash.digest('hex').toUpperCase()
  }
}

const pathOf = ({ group, version }: Described): string =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`

const sources = new WeakMap<Described, string>()

function sourceOf(resource: Described): string {
  const known = sources.get(resource)
  if (known !== undefined) return known
  const { group, plural, kind, namespaced, verbs, subresources } = resource
  const selectable = Object.keys(resource.behaviour?.selectableFields ?? {})
  const told = { group, version: resource.version, plural, kind, namespaced, verbs, subresources }
  // The schemas of built-in kinds follow from the version of Kubernetes, and may contain themselves. They are made
  // when they are asked for, which takes long for all of them.
  const source = JSON.stringify(
    resource.isCustom ? { ...told, schema: resource.schema, selectable } : told,
  )
  sources.set(resource, source)
  return source
}

const jsonDocument = (document: Fields, etag: string): OpenApiDocument => ({
  contentType: 'application/json',
  body: Buffer.from(JSON.stringify(document)),
  etag,
})
