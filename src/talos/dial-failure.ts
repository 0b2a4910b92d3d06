import { messageOf } from '#base/operator-error.ts'
import type { MachineTarget } from './machine-target.ts'
import { MachineError, type Mismatch } from './outcome.ts'
import { AnotherAddress, AnotherKey } from './trust.ts'

// OpenSSL's words for a certificate that does not follow from the authority.
const NOT_VOUCHED_FOR =
  /self-signed certificate|self signed certificate|unable to (get (local )?issuer|verify the first) certificate|certificate signature failure|invalid CA certificate|unsuitable certificate purpose/
// So says a machine that has a configuration to whoever shows no certificate.
const WANTS_CERTIFICATE = /alert (certificate required|bad certificate|handshake failure)/

const MISMATCHES: Record<'another-cluster' | 'in-maintenance', string> = {
  'another-cluster': 'its certificate is not of this cluster',
  'in-maintenance':
    'it is in maintenance mode, so it does not have the configuration of this cluster',
}

interface Dial {
  target: MachineTarget
  /** What the machine is called in messages. */
  where: string
  /** Looks once more, without credentials. */
  isInMaintenance: (signal: AbortSignal) => Promise<boolean>
}

/** What a dial failed for. Looks once more when it is not of the cluster. */
export async function dialFailure(
  { target, where, isInMaintenance }: Dial,
  error: unknown,
  signal: AbortSignal,
): Promise<MachineError> {
  if (error instanceof MachineError) return error
  const why = messageOf(error)
  if (error instanceof AnotherKey) return wrong('another-key', `${where} ${why}`)
  if (error instanceof AnotherAddress) {
    return wrong(
      'another-address',
      `${where} is not the machine that we mean: its certificate is for other addresses`,
    )
  }
  if (target.access.kind === 'maintenance' && WANTS_CERTIFICATE.test(why)) {
    return wrong(
      'not-in-maintenance',
      `${where} is not in maintenance mode: it asks for a certificate, so it has a configuration`,
    )
  }
  if (NOT_VOUCHED_FOR.test(why)) {
    const mismatch = (await isInMaintenance(signal)) ? 'in-maintenance' : 'another-cluster'
    return wrong(mismatch, `${where} is not the machine that we mean: ${MISMATCHES[mismatch]}`)
  }
  return new MachineError({
    message: `${where} cannot be reached: ${inWords(why)}`,
    outcome: 'unreachable',
    cause: error,
  })
}

const wrong = (mismatch: Mismatch, message: string): MachineError =>
  new MachineError({ message, outcome: 'wrong-identity', mismatch })

/** OpenSSL in words. A machine that does not take our certificate says so by an alert. */
function inWords(why: string): string {
  const alert = /alert ([a-z ]+?)(?=:|$)/.exec(why)?.[1]
  if (alert) return `it refused the TLS handshake: ${alert}`
  return why
}
