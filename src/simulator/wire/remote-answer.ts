import { sleep } from '#base/clock.ts'
import { onAbort } from '#base/on-abort.ts'
import type { Machine } from '#simulator/machine/machine.ts'
import { Refusal } from '#simulator/refusal.ts'
import { apiKeysOf } from '#simulator/services/config-keys.ts'
import type { Directory, Endpoint } from './endpoint.ts'
import { localAnswer, type Passing } from './local-answer.ts'
import { neighboursOf, trusts } from './neighbours.ts'
import { isSilent } from './wire-faults.ts'

const PORT = 50_000
const LONGEST_DIAL_MS = 20_000

/** What another machine answers to a call that this one passes on, or why it cannot be reached. */
export async function* remoteAnswer(
  here: Endpoint,
  { target, ...call }: Passing & { readonly target: string },
  directory: Directory,
): AsyncIterable<Uint8Array> {
  const there = find(target, here, directory)
  await dial(here.machine, there, { directory, signal: call.signal })
  using line = lineTo(there, call.signal)
  const answers = localAnswer(there, { ...call, signal: line.signal }, directory)
  let isFirst = true
  for await (const answer of answers) {
    if (isFirst && there.machine !== here.machine && there.faults.losesReply(call.path)) {
      throw lost()
    }
    isFirst = false
    yield answer
  }
  if (line.isCut) throw lost()
}

const lost = () => new Refusal('Unavailable', 'error reading from server: EOF')

function find(target: string, here: Endpoint, directory: Directory): Endpoint {
  const found =
    directory.at(target) ??
    [here, ...neighboursOf(here.machine, directory)].find(
      ({ machine }) => machine.hostname === target,
    )
  if (found) return found
  const isAddress = /^[\d.]+$|:/.test(target)
  throw isAddress
    ? unreachable(target, 'connect: no route to host')
    : new Refusal('Unavailable', 'name resolver error: produced zero addresses')
}

async function dial(
  here: Machine,
  { machine, faults }: Endpoint,
  { directory, signal }: { directory: Directory; signal: AbortSignal },
): Promise<void> {
  if (machine === here) return
  if (isSilent(faults)) {
    await sleep(directory.clock, LONGEST_DIAL_MS, signal)
    throw unreachable(machine.address, 'i/o timeout')
  }
  if (faults.isUnreachable || machine.door === 'shut') {
    throw unreachable(machine.address, 'connect: connection refused')
  }
  const own = apiKeysOf(here.config)
  if (machine.door === 'cluster' && own && trusts(apiKeysOf(machine.config), own)) return
  throw new Refusal(
    'Unavailable',
    'connection error: desc = "transport: authentication handshake failed: tls: failed to verify certificate: x509: certificate signed by unknown authority"',
  )
}

const unreachable = (address: string, why: string): Refusal =>
  new Refusal(
    'Unavailable',
    `connection error: desc = "transport: Error while dialing: dial tcp ${address}:${PORT}: ${why}"`,
  )

interface Line extends Disposable {
  readonly signal: AbortSignal
  readonly isCut: boolean
}

/** Ends when the caller goes, and is cut when the other machine does. */
function lineTo({ machine, faults }: Endpoint, caller: AbortSignal): Line {
  const stop = new AbortController()
  let isCut = false
  const cut = () => {
    isCut = true
    stop.abort()
  }
  const leave = [
    machine.onDoor(cut),
    faults.onChange(() => {
      if (faults.isUnreachable) cut()
    }),
    onAbort(caller, () => stop.abort(caller.reason)),
  ]
  return {
    signal: stop.signal,
    get isCut() {
      return isCut
    },
    [Symbol.dispose]: () => {
      for (const cancel of leave) cancel()
    },
  }
}
