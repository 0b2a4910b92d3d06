import { sleep } from '#base/clock.ts'
import { Refusal } from '#simulator/refusal.ts'
import { allowCall } from '#simulator/services/allow-call.ts'
import { METHODS } from '#simulator/services/methods.ts'
import type { Roles } from '#simulator/services/roles.ts'
import type { Directory, Endpoint } from './endpoint.ts'
import { neighboursOf } from './neighbours.ts'

/** A call as it travels: nothing of it has been read. */
export interface Passing {
  readonly path: string
  readonly roles: Roles
  readonly requests: AsyncIterable<Uint8Array>
  readonly signal: AbortSignal
}

/** What the machine itself answers, once its faults have let the call through. */
export async function* localAnswer(
  { machine, faults }: Endpoint,
  { path, roles, requests, signal }: Passing,
  directory: Directory,
): AsyncIterable<Uint8Array> {
  const method = METHODS.get(path)
  allowCall(path, machine, roles)
  if (!method) throw new Refusal('Unimplemented', `the simulator does not answer ${path}`)
  const { clock, wallClock } = directory
  const peers = () => neighboursOf(machine, directory).map((endpoint) => endpoint.machine)
  const latencyMs = faults.latencyMs(path)
  if (latencyMs > 0) await sleep(clock, latencyMs, signal)
  yield* method.answer(requests, { machine, roles, clock, wallClock, signal, peers })
}
