import { Client, connectivityState, status } from '@grpc/grpc-js'
import { onAbort } from '#base/on-abort.ts'
import type { Line } from './line.ts'
import type { MachineCredentials } from './machine-credentials.ts'
import { channelTarget, type MachineTarget } from './machine-target.ts'

const LARGEST_MESSAGE = 32 * 1024 * 1024
// A channel that could not connect is thrown away: whoever tries again says when.
const NEVER_AGAIN_MS = 24 * 3_600_000
// For an IP address no name is sent in the handshake by others; grpc-js always sends one.
const NAME_IN_HANDSHAKE = 'machine.talos'

/** Makes a channel to one machine. It is not connected, and tries once when it is told to. */
export const openChannel = (target: MachineTarget, trust: MachineCredentials): Client =>
  new Client(channelTarget(target), trust, {
    'grpc.max_receive_message_length': LARGEST_MESSAGE,
    'grpc.max_send_message_length': LARGEST_MESSAGE,
    'grpc.enable_channelz': 0,
    'grpc.enable_retries': 0,
    'grpc.enable_http_proxy': 0,
    'grpc.service_config_disable_resolution': 1,
    'grpc.initial_reconnect_backoff_ms': NEVER_AGAIN_MS,
    'grpc.max_reconnect_backoff_ms': NEVER_AGAIN_MS,
    // Otherwise closing a channel leaves its connection to a pool, for a while.
    'grpc.use_local_subchannel_pool': 1,
    'grpc.ssl_target_name_override': NAME_IN_HANDSHAKE,
  })

/** A channel that is connected, as a line. */
export const channelLine = (client: Client): Line => ({
  calls: client,
  isUp: () => client.getChannel().getConnectivityState(false) === connectivityState.READY,
  close: () => client.close(),
})

/** Connects. Rejects with an error that has the reason, or with the signal's reason when that aborts. */
export async function connectChannel(client: Client, signal: AbortSignal): Promise<void> {
  const channel = client.getChannel()
  for (;;) {
    signal.throwIfAborted()
    const state = channel.getConnectivityState(true)
    if (state === connectivityState.READY) return
    if (state === connectivityState.TRANSIENT_FAILURE) throw await whyNotConnected(client)
    await stateAfter(client, state, signal)
  }
}

const stateAfter = (client: Client, state: connectivityState, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason))
    client.getChannel().watchConnectivityState(state, Number.POSITIVE_INFINITY, () => {
      leave()
      resolve()
    })
  })

/** A channel tells why it could not connect only to a call: one that is never sent. */
const whyNotConnected = (client: Client): Promise<Error> =>
  new Promise((resolve) => {
    const nothing = () => Buffer.alloc(0)
    client.makeUnaryRequest('/', nothing, nothing, undefined, (error) => {
      const details = error?.code === status.UNAVAILABLE ? error.details : 'no connection'
      resolve(new Error(reasonIn(details)))
    })
  })

/** The reason without what grpc-js puts around it. */
const reasonIn = (details: string): string =>
  details
    .replace(/^No connection established\. Last error: /, '')
    .replace(/\. Resolution note:.*$/s, '')
    .replace(/ \(\d{4}-\d\d-\d\dT[^)]*Z\)$/, '')
    .replace(/^(Error|null): /, '')
    .trim()
