import type { Kind } from '#api/meta.ts'
import type { Answer, Send } from '#test/conformance/kubernetes/https-json.ts'
import type { Spec } from './cases.ts'
import { pathOf } from './install.ts'

let attempts = 0

/** Creates an object with the spec, or updates one that was created with `from`. */
export async function attempt(
  send: Send,
  kind: Kind,
  { from, spec, name = `attempt-${++attempts}` }: { from?: Spec; spec?: Spec; name?: string },
): Promise<Answer> {
  const object = (content?: Spec, metadata = {}) => ({
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: { name, namespace: 'default', ...metadata },
    ...(content && { spec: content }),
  })
  if (!from) return send({ method: 'POST', path: pathOf(kind), body: object(spec) })

  const first = await send({ method: 'POST', path: pathOf(kind), body: object(from) })
  if (first.status !== 201) return first
  const { metadata } = first.body as { metadata: { resourceVersion: string } } // the API's words
  return send({
    method: 'PUT',
    path: pathOf(kind, name),
    body: object(spec, { resourceVersion: metadata.resourceVersion }),
  })
}
