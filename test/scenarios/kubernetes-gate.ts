import { Secret } from '#api/foreign.ts'
import { fingerprint } from '#base/fingerprint.ts'
import type { CarriedRequest, Carry } from '#kube/access.ts'
import type { Boundary } from './boundary.ts'
import { hangUp } from './in-process-rest.ts'
import type { RacingClock } from './racing-clock.ts'
import { isWatch, placeIn } from './request-place.ts'

interface Options {
  boundary: Boundary
  clock: RacingClock
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
  { boundary, kill }: Options,
): ReturnType<Carry> {
  const { kind, name } = placeIn(request.url)
  const { call, interruption } = boundary.enter({
    ...{ to: 'kubernetes', method: request.method, kind },
    ...(request.url.searchParams.get('dryRun') === 'All' && { isDryRun: true }),
    ...(name === undefined ? madeBy(kind, request.body ?? '{}') : { name }),
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

/** The name of what is made, and what tells two Secrets apart that have the same one. */
function madeBy(kind: string, body: string): { name: string; digest?: string } {
  const { metadata = {}, data } = Object(JSON.parse(body))
  const name = String(metadata.name ?? metadata.generateName ?? '')
  return { name, ...(kind === Secret.plural && { digest: fingerprint(data) }) }
}
