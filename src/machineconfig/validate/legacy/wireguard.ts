import { quote } from '#machineconfig/quote.ts'
import { readBase64 } from '#machineconfig/read/leaves/base64.ts'
import { Refusal } from '#machineconfig/read/refusal.ts'
import { REDACTED } from '#machineconfig/redacted.ts'
import { type Section, sectionsAt, textAt, textsAt } from '#machineconfig/validate/checks/fields.ts'
import { isHostWithPort } from '#machineconfig/validate/checks/host-port.ts'
import { isCidr } from '#machineconfig/validate/checks/ip.ts'

const KEY_BYTES = 32

/** What is wrong with a Wireguard link. Talos shows a private key of the wrong length; this does not. */
export function* wireguardProblems(wireguard: Section): Generator<string> {
  const key = textAt(wireguard, 'privateKey')
  const problem = keyProblem(key, key && REDACTED)
  if (problem) yield `private key is invalid: ${problem}`
  for (const peer of sectionsAt(wireguard, 'peers')) yield* peerProblems(peer)
}

function* peerProblems(peer: Section): Generator<string> {
  const key = textAt(peer, 'publicKey')
  const problem = keyProblem(key, key)
  if (problem) yield `public key invalid: ${problem}`
  const endpoint = textAt(peer, 'endpoint')
  if (endpoint !== '' && !isHostWithPort(endpoint)) {
    yield `peer endpoint ${quote(endpoint)} is invalid`
  }
  for (const subnet of textsAt(peer, 'allowedIPs')) {
    if (!isCidr(subnet)) {
      yield `peer allowed IP ${quote(subnet)} is invalid: invalid CIDR address: ${subnet}`
    }
  }
}

function keyProblem(key: string, shown: string): string | undefined {
  const base64 = readBase64(key)
  if (base64 instanceof Refusal) return base64.why
  const { length } = Buffer.from(base64, 'base64')
  return length === KEY_BYTES ? undefined : `wrong key ${quote(shown)} length: ${length}`
}
