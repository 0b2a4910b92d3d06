import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Kind, KubeObject } from '#api/meta.ts'
import { ApiError } from '#kube/api-error.ts'
import type { KubeClient } from '#kube/client.ts'
import { WRITTEN_BY } from '#runtime/written-by.ts'
import type { FileObject } from './diff-file.ts'
import { applyPatch } from './diff-last-applied.ts'
import { rightFormFor } from './diff-old-form.ts'

/** An object of a file, with the namespace that it goes to. */
export type PlacedObject = FileObject & { metadata: { namespace: string } }

/** What the API makes of an object. */
export type Rehearsed =
  /** As it would be, with defaults, and as it is; without `live` it would be created. */
  | { is: 'accepted'; object: KubeObject; live: KubeObject | undefined }
  | { is: 'refused'; message: string; rightForm?: string }

const KUBECTL = 'kubectl'

const Applier = Type.Object({
  manager: Type.String({ minLength: 1 }),
  operation: Type.Literal('Apply'),
})

/** Has the API go through the motions of applying an object, as whoever applied it before would. Nothing is changed. */
export async function rehearse(
  client: KubeClient,
  kind: Kind,
  object: PlacedObject,
): Promise<Rehearsed> {
  const { namespace, name } = object.metadata
  try {
    const live = await client.find(kind, { namespace, name })
    return { is: 'accepted', live, object: await applied(client, kind, { object, live }) }
  } catch (error) {
    const rightForm = rightFormFor(object)
    return { is: 'refused', message: refusalIn(error), ...(rightForm && { rightForm }) }
  }
}

/** Why the API does not take an object. Throws the error again if it is about something else. */
export function refusalIn(error: unknown): string {
  if (error instanceof ApiError && isRefusal(error)) return wordsOf(error)
  throw error
}

function applied(
  client: KubeClient,
  kind: Kind,
  { object, live }: { object: PlacedObject; live: KubeObject | undefined },
): Promise<KubeObject> {
  const body = applyPatch(object, live)
  if (!body) {
    const fieldManager = applierOf(live)
    return client.apply<Kind>(kind, object, { dryRun: true, force: true, fieldManager })
  }
  const { namespace, name } = object.metadata
  return client.patch<Kind>(
    kind,
    { namespace, name },
    { type: 'merge', body, dryRun: true, fieldValidation: 'Strict', fieldManager: KUBECTL },
  )
}

// Who is not known, asks too often, or asks one that has too much to do, hears nothing of the object.
const NO_ANSWER: readonly number[] = [401, 408, 429, 502, 503, 504]

/** Whether it is this object that the API does not want. What is not even of its shape it calls an error of its own. */
const isRefusal = ({ status }: ApiError): boolean => status >= 400 && !NO_ANSWER.includes(status)

/** Without the value that has the wrong shape: nobody knows what it is. */
const wordsOf = ({ message }: ApiError): string =>
  message.replace(/\bgot &\{.*\}/s, 'got something else')

/** Whoever applied it before: only that one takes fields away by leaving them out. */
function applierOf(live: KubeObject | undefined): string {
  const appliers = (live?.metadata.managedFields ?? [])
    .filter((entry) => Value.Check(Applier, entry))
    .map(({ manager }) => manager)
    .filter((manager) => manager !== WRITTEN_BY)
  return appliers.includes(KUBECTL) ? KUBECTL : (appliers.at(-1) ?? KUBECTL)
}
