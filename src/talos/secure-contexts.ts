import { createHash, X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Clock } from '#base/clock.ts'
import { OperatorError } from '#base/operator-error.ts'
import { Secret } from '#base/secret.ts'
import type { ClusterAccess } from './machine-target.ts'

// One costs a millisecond and some 40 KB. A machine that is on its way is dialled every second or two, one that is well
// every few minutes: at rest they would be kept for nothing. While more clusters than these come up at once, looks
// cost a few per cent more.
const MOST_KEPT = 256
const KEPT_MS = 60_000

interface Kept {
  context: SecureContext
  usedAtMs: number
}

/** The TLS contexts of clusters: all machines of one cluster share one, for as long as they are dialled. */
export class SecureContexts {
  readonly #clock: Clock
  /** Whoever was used last stands last. */
  readonly #kept = new Map<string, Kept>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The context for these credentials. Throws what is wrong with them, without showing them. */
  of(access: ClusterAccess): SecureContext {
    const id = idOf(access)
    const context = this.#kept.get(id)?.context ?? contextOf(access)
    const usedAtMs = this.#clock.monotonicMs()
    this.#kept.delete(id)
    this.#kept.set(id, { context, usedAtMs })
    this.#forget(usedAtMs - KEPT_MS)
    return context
  }

  #forget(unusedSinceMs: number): void {
    for (const [id, { usedAtMs }] of this.#kept) {
      if (usedAtMs > unusedSinceMs && this.#kept.size <= MOST_KEPT) return
      this.#kept.delete(id)
    }
  }
}

const ids = new WeakMap<ClusterAccess, string>()

/** The same for the same credentials, and of no use to whoever wants to know them. */
export function idOf(access: ClusterAccess): string {
  const known = ids.get(access)
  if (known) return known
  const { authority, certificate, key } = access
  const hash = createHash('sha256')
  for (const text of [authority, certificate, key.open()]) hash.update(`${text.length}:${text}`)
  const id = hash.digest('base64')
  ids.set(access, id)
  return id
}

/** Talos labels an Ed25519 key in a way that OpenSSL does not know; what is under the label is the same. */
const plainKey = (key: Secret<string>): Secret<string> =>
  new Secret(key.open().replaceAll('ED25519 PRIVATE KEY-----', 'PRIVATE KEY-----'))

/** Throws unless there is one: Node takes an empty text for none, and trusts the authorities of the web. */
function withCertificate(pem: string): string {
  if (new X509Certificate(pem).raw.length === 0) throw new Error('there is no certificate')
  return pem
}

function contextOf({ authority, certificate, key }: ClusterAccess): SecureContext {
  try {
    if (!key.open()) throw new Error('there is no key')
    return createSecureContext({
      ca: withCertificate(authority),
      cert: withCertificate(certificate),
      key: plainKey(key).open(),
      minVersion: 'TLSv1.2',
    })
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
    throw new OperatorError('ValidationError', {
      message: `the credentials for the machines of the cluster cannot be used: no valid PEM, or the key is not that of the certificate${why}`,
    })
  }
}
