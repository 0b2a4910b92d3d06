import { forwardAbort } from '#base/deadline.ts'
import type { Carry } from '#kube/access.ts'
import { ANYONE } from './client-socket.ts'
import { inProcessApi } from './in-process-api.ts'
import { InProcessDoors } from './in-process-doors.ts'
import { askRest, hangUp } from './in-process-rest.ts'
import { InProcessWire } from './in-process-wire.ts'
import type { RacingClock } from './racing-clock.ts'
import type { Gate, Ways } from './ways.ts'

const KUBERNETES_PORT = 6443

/** No network at all: requests are handed over, and whoever would be turned away over TLS is turned away. */
export async function inProcessWays(clock: RacingClock): Promise<Ways> {
  const api = await inProcessApi(clock)
  const doors = new InProcessDoors(clock)
  const wire = new InProcessWire(clock)
  const reach = { openDoor: doors.open, startWire: wire.start.bind(wire) }
  return {
    send: api.send,
    simulation: { kubernetesPort: KUBERNETES_PORT, reach },
    kubernetesPort: KUBERNETES_PORT,
    talos: { dial: wire.dial },
    nodes: { carry: doors.carry },
    openGate: async (through) => openGate(through((request) => askRest(api.rest, request, ANYONE))),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  }
}

function openGate(carry: Carry): Gate {
  const closing = new AbortController()
  return {
    access: {
      ...{ origin: 'a scenario', server: new URL('https://api'), skipVerify: false },
      ...{ namespace: 'default', credentials: async () => ({}) },
      carry: (request) => untilClosed(carry, request, closing.signal),
    },
    [Symbol.asyncDispose]: async () => closing.abort(hangUp()),
  }
}

/** Whatever is under way when the gate closes is hung up on. */
async function untilClosed(
  carry: Carry,
  request: Parameters<Carry>[0],
  closing: AbortSignal,
): ReturnType<Carry> {
  const until = new AbortController()
  const unlink = [request.signal, closing].map((from) => forwardAbort(from, until))
  const leave = () => {
    for (const cancel of unlink) cancel()
  }
  try {
    until.signal.throwIfAborted()
    const response = await carry({ ...request, signal: until.signal })
    response.body.once('close', leave)
    return response
  } catch (error) {
    leave()
    throw error
  }
}
