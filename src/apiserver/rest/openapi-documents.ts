import {
  type OpenApiDocument,
  OpenApiDocuments,
  V2_PROTOBUF,
} from '#apiserver/openapi/documents.ts'
import { type Pace, paceOf } from '#apiserver/pace.ts'
import type { Resource } from '#apiserver/resource.ts'
import type { ServedKinds } from '#apiserver/served-kinds.ts'
import { inTurns, type Steps } from '#apiserver/steps.ts'
import type { Clock } from '#base/clock.ts'
import type { Answer } from './answer.ts'
import type { Documents } from './documents.ts'

/** Serves what is below `/openapi`, made anew when the kinds change. */
export function openapiOf(kinds: ServedKinds, program: string, clock: Clock): Documents {
  let documents: DocumentsOnce | undefined
  let madeFor: readonly Resource[] | undefined
  return async ({ path, accept }) => {
    if (!documents || madeFor !== kinds.all) {
      documents = new DocumentsOnce(new OpenApiDocuments(kinds.all, program), paceOf(clock))
      madeFor = kinds.all
    }
    const document = await documents.at(path, accept.includes(V2_PROTOBUF) ? 'protobuf' : 'json')
    return document && answer(document)
  }
}

const V3 = '/openapi/v3/'

type Form = 'json' | 'protobuf'

/** Makes a document once for all who ask for it while it is being made. */
class DocumentsOnce {
  readonly #documents: OpenApiDocuments
  readonly #pace: Pace
  readonly #underWay = new Map<string, Promise<OpenApiDocument | undefined>>()

  constructor(documents: OpenApiDocuments, pace: Pace) {
    this.#documents = documents
    this.#pace = pace
  }

  async at(path: string, form: Form): Promise<OpenApiDocument | undefined> {
    if (path === '/openapi/v3') return this.#documents.index()
    const key = `${path} ${form}`
    const making = this.#underWay.get(key) ?? this.#make(path, form)
    this.#underWay.set(key, making)
    try {
      return await making
    } finally {
      this.#underWay.delete(key)
    }
  }

  async #make(path: string, form: Form): Promise<OpenApiDocument | undefined> {
    const steps = this.#stepsTo(path, form)
    return steps && inTurns(this.#pace, steps)
  }

  #stepsTo(path: string, form: Form): Steps<OpenApiDocument | undefined> | undefined {
    if (path === '/openapi/v2') return this.#documents.v2(form)
    return path.startsWith(V3) ? this.#documents.group(path.slice(V3.length)) : undefined
  }
}

const answer = ({ body, contentType, etag }: OpenApiDocument): Answer => ({
  code: 200,
  body,
  contentType,
  headers: { etag: `"${etag}"` },
})
