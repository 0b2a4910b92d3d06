import { Node, Secret } from '#api/foreign.ts'
import type { KubeObject } from '#api/meta.ts'
import { fingerprint } from '#base/fingerprint.ts'
import type { CarriedRequest, Carry } from '#kube/access.ts'
import type { Boundary } from './boundary.ts'
import { hangUp } from './in-process-rest.ts'
import { isOfShape, mayBeOfShape, type ProvidedAround } from './provided-around.ts'
import type { RacingClock } from './racing-clock.ts'
import { isWatch, placeIn } from './request-place.ts'

interface Options {
  boundary: Boundary
  clock: RacingClock
  /** What clusters by their shape have, before it becomes another. Left out: nobody asks. */
  lookAtProvided?: (sent: KubeObject | undefined) => Promise<ProvidedAround>
  /** Ends the operator, at once. */
  kill: () => void
}

/** Leads the requests of one operator through the boundary. */
export const throughBoundary =
  (options: Options) =>
  (onward: Carry): Carry =>
  (request) => {
    if (isWatch(request)) return onward(request)
    const pass = request.method === 'GET' ? onward(request) : change(request, onward, options)
    return options.clock.during(() => pass)
  }

async function change(
  request: CarriedRequest,
  onward: Carry,
  { boundary, kill, lookAtProvided }: Options,
): ReturnType<Carry> {
  const { kind, name } = placeIn(request.url)
  const provided = await aroundOf(request, kind, lookAtProvided)
  const { call, interruption } = boundary.enter({
    ...{ to: 'kubernetes', method: request.method, kind },
    ...(request.url.searchParams.get('dryRun') === 'All' && { isDryRun: true }),
    ...(name === undefined ? madeBy(kind, request.body ?? '{}') : { name }),
    ...(provided && { provided }),
    ...(kind === Node.plural && isCordon(request.body ?? '{}') && { isCordon: true }),
  })
  if (interruption === 'killed before') {
    call.outcome = 'never made'
    kill()
    throw hangUp()
  }
  const answer = await onward(request)
  call.status = answer.status
  call.outcome = answer.status < 300 ? 'done' : 'refused'
  if (interruption === 'killed after') kill()
  if (interruption === 'reply lost') call.outcome = 'reply lost'
  if (interruption === undefined) return answer
  answer.body.destroy()
  throw hangUp()
}

const isCordon = (body: string): boolean => Object(JSON.parse(body)).spec?.unschedulable === true

async function aroundOf(
  { method, body, signal }: CarriedRequest,
  kind: string,
  look: Options['lookAtProvided'],
): Promise<ProvidedAround | undefined> {
  if (!look || !mayBeOfShape(kind)) return undefined
  const sent = method === 'DELETE' ? undefined : Object(JSON.parse(body ?? '{}'))
  if (!isOfShape(kind, sent)) return undefined
  const around = await look(sent)
  // Whoever died meanwhile has not sent it.
  signal.throwIfAborted()
  return around
}

/** The name of what is made, and what tells two Secrets apart that have the same one. */
function madeBy(kind: string, body: string): { name: string; digest?: string } {
  const { metadata = {}, data } = Object(JSON.parse(body))
  const name = String(metadata.name ?? metadata.generateName ?? '')
  return { name, ...(kind === Secret.plural && { digest: fingerprint(data) }) }
}
