import { messageOf } from '#base/operator-error.ts'
import type { MachineTarget } from './machine-target.ts'
import { probe } from './maintenance-probe.ts'
import { MachineError, type Mismatch } from './outcome.ts'

// OpenSSL's words for a certificate that does not follow from the authority.
const NOT_VOUCHED_FOR =
  /self-signed certificate|self signed certificate|unable to (get (local )?issuer|verify the first) certificate|certificate signature failure|invalid CA certificate|unsuitable certificate purpose/
const ANOTHER_NAME = /does not match certificate's altnames/

const MISMATCHES: Record<'another-cluster' | 'in-maintenance', string> = {
  'another-cluster': 'its certificate is not of this cluster',
  'in-maintenance':
    'it is in maintenance mode, so it does not have the configuration of this cluster',
}

interface Dial {
  target: MachineTarget
  /** What the machine is called in messages. */
  where: string
}

/** What a dial with a cluster's credentials failed for. Looks once more when it is not of the cluster. */
export async function dialFailure(
  { target, where }: Dial,
  error: unknown,
  signal: AbortSignal,
): Promise<MachineError> {
  if (error instanceof MachineError) return error
  const why = messageOf(error)
  if (NOT_VOUCHED_FOR.test(why)) {
    const mismatch = await whoElse(target, signal)
    return wrong(mismatch, `${where} is not the machine that we mean: ${MISMATCHES[mismatch]}`)
  }
  if (ANOTHER_NAME.test(why)) {
    return wrong(
      'another-address',
      `${where} is not the machine that we mean: its certificate is for other addresses`,
    )
  }
  return new MachineError({
    message: `${where} cannot be reached: ${inWords(why)}`,
    outcome: 'unreachable',
    cause: error,
  })
}

const wrong = (mismatch: Mismatch, message: string): MachineError =>
  new MachineError({ message, outcome: 'wrong-identity', mismatch })

/** A machine that lets in who has no certificate is in maintenance mode. */
async function whoElse(
  target: MachineTarget,
  signal: AbortSignal,
): Promise<keyof typeof MISMATCHES> {
  const found = await probe(target, signal).catch(() => undefined)
  return found?.kind === 'maintenance' ? 'in-maintenance' : 'another-cluster'
}

/** OpenSSL and grpc-js in words. A machine that does not take our certificate says so by an alert. */
function inWords(why: string): string {
  const alert = /alert ([a-z ]+?)(?=:|$)/.exec(why)?.[1]
  if (alert) return `it refused the TLS handshake: ${alert}`
  if (why === 'Failed to connect') return 'it ended the connection during the TLS handshake'
  return why
}
