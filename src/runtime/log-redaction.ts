/** What stands in the place of something that must not be seen. */
export const STARS = '***'

// Wherever they are in a name that is stripped of dots, dashes and capitals.
const SECRET_WORDS =
  /token|password|passwd|passphrase|secret|credential|kubeconfig|talosconfig|authorization|cookie|bearer|jwt|(private|client|access|api|ssh)key/
// A `key` alone is the key of a queue or of an index. Whether it is more is told by the word before
// it, or by its neighbours: see `hiddenNames`.
const KEY_OF_SOMETHING =
  /(^|[^a-z])(ca|tls|ssl|server|signing|encryption|etcd|account|aggregator|wireguard|pem)[^a-z]?keys?($|[^a-z])/
// `secretName`, `tokenFile`, `kubeconfigPath`: where a secret is, and not what it is.
const ABOUT_A_SECRET = /(names?|namespace|refs?|path|file|count|kind|type|hash|version|uid)$/

// A setting may be called `kubeconfig` and be where that is.
const PATH = /^[~./]\S{0,255}$/

/** Whether what a field holds is secret, going by its name. */
export function isSecret(name: string, value: unknown): boolean {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()
  const plain = words.replaceAll(/[^a-z0-9]/g, '')
  if (ABOUT_A_SECRET.test(plain)) return false
  if (plain.endsWith('config') && typeof value === 'string' && PATH.test(value)) return false
  return SECRET_WORDS.test(plain) || KEY_OF_SOMETHING.test(words)
}

/** Names of fields that are secret because of what else is in the object. */
export function hiddenNames(object: object): readonly string[] {
  if ('kind' in object && object.kind === 'Secret') return ['data', 'stringData']
  const isKeyPair = ['crt', 'cert', 'certificate', 'ca'].some((name) => name in object)
  return isKeyPair ? ['key'] : []
}

// Each also matches when its end was cut off.
const SECRET_TEXTS: [pattern: RegExp, shown: string][] = [
  [/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g, STARS],
  // `-----BEGIN` in base64, as keys and certificates are written in a kubeconfig.
  [/LS0tLS1CRUdJTi[\w+/=]*/g, STARS],
  [/\beyJ[\w-]{10,}(\.[\w-]*)*/g, STARS],
  [/\b(authorization["']?\s*[:=]\s*["']?\w+)\s+[^\s"']+/gi, `$1 ${STARS}`],
  [/\bBearer\s+[^\s"']{7,}/g, `Bearer ${STARS}`],
  [/(token|password|secret)(=|"\s*:\s*")[^\s"&]+/gi, `$1$2${STARS}`],
  [/:\/\/[^/\s@]+@/g, `://${STARS}@`],
  [/\b(x-amz-(?:signature|credential|security-token))=[^&\s]+/gi, `$1=${STARS}`],
]

/** The text without the keys and tokens that can be told by their shape. */
export const withoutSecrets = (text: string): string =>
  SECRET_TEXTS.reduce((left, [pattern, shown]) => left.replace(pattern, shown), text)
