import { type Fields, isFields } from '#apiserver/objects.ts'
import { pathIn } from '#test/conformance/apiserver/cases/objects.ts'
import type { Call } from '#test/conformance/apiserver/raw-http.ts'
import type { Stage } from '#test/conformance/apiserver/stage.ts'
import { textAt } from '#test/conformance/apiserver/values.ts'
import type { History, Step } from './history.ts'
import { laidOver } from './parts.ts'

/** Which step of a history, counted from 1, has made an entry of the transcript, counted so, too. */
export const stepOfEntry = (entry: number): number => Math.floor(entry / 2)

/** Plays a history in the namespace of a stage. */
export async function playHistory(stage: Stage, history: History): Promise<void> {
  const { kind, version, path, steps } = history
  const here = pathIn(stage)(version, path)
  const known = await prepare(stage)
  // First of all, so that they have the same placeholders on every API.
  stage.note('uids', [known.$namespace, known.$owner])
  for (const step of steps) {
    const { status, body } = await stage.quietly({ method: 'GET', path: here })
    const there = status === 200 ? body : { kind, metadata: { name: 'a' } }
    const revision = textAt(there, 'metadata', 'resourceVersion')
    known.$current = revision || '1'
    known.$stale ||= revision
    await stage.send(callOf(stage, step, { known, there }), withoutPicture)
    await stage.get(here)
  }
}

/** Without the picture of a changed pod, line by line in the words of Go, that kube-apiserver adds. */
const withoutPicture = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (_, value) =>
    typeof value === 'string' ? value.replace(/\n@@ -[\s\S]*?\n(?=$|[\],])/, '') : value,
  )

/** Makes what objects of a history may refer to. */
async function prepare(stage: Stage): Promise<Record<string, string>> {
  const make = async (plural: string, kind: string, name: string) =>
    await stage.quietly({
      method: 'POST',
      path: pathIn(stage)('v1', plural),
      body: { kind, metadata: { name } },
    })
  await make('serviceaccounts', 'ServiceAccount', 'default') // that pods run as
  const owner = await make('configmaps', 'ConfigMap', 'owner')
  const space = await stage.quietly({ method: 'GET', path: `/api/v1/namespaces/${stage.id}` })
  return {
    $id: stage.id,
    $namespace: textAt(space.body, 'metadata', 'uid'),
    $owner: textAt(owner.body, 'metadata', 'uid'),
    $stale: '',
  }
}

interface World {
  known: Record<string, string>
  there: unknown
}

function callOf(stage: Stage, step: Step, { known, there }: World): Call {
  const { method, version, contentType, agent } = step
  const filled = filledIn(step.body, known)
  const body = step.isEdit && isFields(there) ? laidOver(there, filled) : filled
  return {
    method,
    path: `${pathIn(stage)(version, step.path)}${step.query ? `?${step.query}` : ''}`,
    ...(body !== undefined && { body: isFields(body) ? { ...body, apiVersion: version } : body }),
    ...(contentType && { contentType }),
    ...(agent && { headers: { 'user-agent': agent } }),
  }
}

function filledIn(value: unknown, known: Record<string, string>): unknown {
  if (typeof value === 'string') return known[value] || value
  if (Array.isArray(value)) return value.map((item) => filledIn(item, known))
  if (!isFields(value)) return value
  const fields: Fields = {}
  for (const [name, field] of Object.entries(value)) fields[name] = filledIn(field, known)
  return fields
}
