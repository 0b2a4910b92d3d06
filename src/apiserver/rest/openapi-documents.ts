import { type OpenApiDocument, OpenApiDocuments } from '#apiserver/openapi/documents.ts'
import { type Pace, paceOf } from '#apiserver/pace.ts'
import type { Resource } from '#apiserver/resource.ts'
import type { ServedKinds } from '#apiserver/served-kinds.ts'
import { inTurns, type Steps } from '#apiserver/steps.ts'
import type { Clock } from '#base/clock.ts'
import type { Answer } from './answer.ts'
import type { DocumentRequest, Documents } from './documents.ts'
import { notTaken, type OpenApiForm, openapiAnswer, openapiFormFor } from './openapi-answer.ts'

// By the kinds that they tell of: APIs that serve the same share them.
const made = new WeakMap<readonly Resource[], DocumentsOnce>()

const INDEX = '/openapi/v3'
const V2 = '/openapi/v2'
const V3 = `${INDEX}/`

/** Serves what is below `/openapi`, made anew when the kinds change. */
export function openapiOf(kinds: ServedKinds, program: string, clock: Clock): Documents {
  return (asked) => {
    const { path } = asked
    const documents =
      made.get(kinds.described) ?? new DocumentsOnce(new OpenApiDocuments(kinds.described, program))
    made.set(kinds.described, documents)
    if (path === INDEX) return indexed(documents, clock)
    if (path === V2) return negotiated(documents, asked, clock)
    if (!path.startsWith(V3)) return undefined
    return documents.hasGroup(path) ? negotiated(documents, asked, clock) : { code: 404, body: '' }
  }
}

async function negotiated(
  documents: DocumentsOnce,
  asked: DocumentRequest,
  clock: Clock,
): Promise<Answer | undefined> {
  const { path, accept } = asked
  const form = openapiFormFor(accept, path === V2 ? 'v2' : 'v3')
  if (!form) return notTaken
  const document = await documents.at(path, form, paceOf(clock))
  return document && openapiAnswer(document, asked, clock.now())
}

async function indexed(documents: DocumentsOnce, clock: Clock): Promise<Answer> {
  const { body, contentType } = await inTurns(paceOf(clock), documents.index())
  return { code: 200, body, contentType }
}

/** Makes a document once for all who ask for it while it is being made. */
class DocumentsOnce {
  readonly #documents: OpenApiDocuments
  readonly #underWay = new Map<string, Promise<OpenApiDocument | undefined>>()

  constructor(documents: OpenApiDocuments) {
    this.#documents = documents
  }

  index(): Steps<OpenApiDocument> {
    return this.#documents.index()
  }

  hasGroup(path: string): boolean {
    return this.#documents.hasGroup(path.slice(V3.length))
  }

  async at(path: string, form: OpenApiForm, pace: Pace): Promise<OpenApiDocument | undefined> {
    const key = `${path} ${form}`
    const making = this.#underWay.get(key) ?? this.#make(path, form, pace)
    this.#underWay.set(key, making)
    try {
      return await making
    } finally {
      this.#underWay.delete(key)
    }
  }

  async #make(path: string, form: OpenApiForm, pace: Pace): Promise<OpenApiDocument | undefined> {
    const steps = this.#stepsTo(path, form)
    return steps && inTurns(pace, steps)
  }

  #stepsTo(path: string, form: OpenApiForm): Steps<OpenApiDocument | undefined> {
    return path === V2 ? this.#documents.v2(form) : this.#documents.group(path.slice(V3.length))
  }
}
