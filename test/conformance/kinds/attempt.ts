import type { Kind, ObjectMeta } from '#api/meta.ts'
import type { Answer, Send } from '#test/conformance/kubernetes/https-json.ts'
import type { Spec, Status } from './cases.ts'
import { pathOf } from './install.ts'

let attempts = 0

/** An object as the API has it. */
export interface Subject {
  metadata: ObjectMeta
  spec?: Spec
}

interface SpecAttempt {
  title: string
  name?: string
  spec?: Spec
  from?: Spec
}

/**
 * Creates an object with the spec, or updates one that was created with `from`. Throws if there is
 * nothing to update: the answer would not be that of the attempt.
 */
export async function attempt(send: Send, kind: Kind, tried: SpecAttempt): Promise<Answer> {
  const { title, from, spec, name = `attempt-${++attempts}` } = tried
  if (!from) return create(send, kind, { name, spec })

  const { metadata } = createdBy(
    await create(send, kind, { name, spec: from }),
    `${kind.kind}, ${title}`,
  )
  return send({
    method: 'PUT',
    path: pathOf(kind, name),
    body: objectOf(kind, { name, resourceVersion: metadata.resourceVersion }, spec),
  })
}

/** Creates an object for others to change. Throws if the API refuses it. */
export async function subjectOf(
  send: Send,
  kind: Kind,
  { title, spec }: { title: string; spec?: Spec },
): Promise<Subject> {
  const name = `attempt-${++attempts}`
  return createdBy(await create(send, kind, { name, spec }), `${kind.kind}, ${title}`)
}

/** Writes the status of an object; the spec that goes along must not count. */
export const writeStatus = (
  send: Send,
  kind: Kind,
  { subject, status }: { subject: Subject; status: Status },
): Promise<Answer> =>
  send({
    method: 'PUT',
    path: `${pathOf(kind, subject.metadata.name)}/status`,
    body: { ...subject, spec: {}, status },
  })

const create = (
  send: Send,
  kind: Kind,
  { name, spec }: { name: string; spec: Spec | undefined },
): Promise<Answer> =>
  send({ method: 'POST', path: pathOf(kind), body: objectOf(kind, { name }, spec) })

const objectOf = (kind: Kind, metadata: object, spec?: Spec) => ({
  apiVersion: `${kind.group}/${kind.version}`,
  kind: kind.kind,
  metadata: { namespace: 'default', ...metadata },
  ...(spec && { spec }),
})

function createdBy({ status, body }: Answer, title: string): Subject {
  if (status !== 201) {
    throw new Error(`${title}: there is nothing to change: ${JSON.stringify(body)}`)
  }
  return body as Subject // the API's words
}
