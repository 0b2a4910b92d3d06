import type { ValueMap } from '#machineconfig/document.ts'
import { quote } from '#machineconfig/quote.ts'
import { readBase64 } from '#machineconfig/read/leaves/base64.ts'
import {
  itemsAt,
  numberAt,
  sectionAt,
  sectionsAt,
  textAt,
  valueAt,
} from '#machineconfig/validate/checks/fields.ts'
import type { RulesByKind } from './kind-rules.ts'

const UNSPECIFIED = /^(?:0\.0\.0\.0|::)(?:\/|$)/
const LAST_VLAN = 4094
const LAST_PORT = 65_535
const RESERVED_TABLES = ['unspec', 'local', 'main', 'default']
const WIREGUARD_KEY_LENGTH = 32
const LONGEST_LINK_NAME = 15

/** Network links, of which there may be one of each name. */
export const linkRules: RulesByKind = {
  LinkConfig: { errors: linkErrors },
  DummyLinkConfig: { errors: linkErrors },
  BridgeConfig: { errors: linkErrors },
  BondConfig: { errors: bondErrors, warnings: bondWarnings },
  VLANConfig: { errors: vlanErrors },
  VRFConfig: { errors: vrfErrors },
  VethConfig: { errors: vethErrors },
  WireguardConfig: { errors: wireguardErrors },
}

function* linkErrors(fields: ValueMap): Iterable<string> {
  yield* nameErrors(fields)
  yield* addressErrors(fields)
}

function* nameErrors(fields: ValueMap): Iterable<string> {
  if (textAt(fields, 'name') === '') yield 'name must be specified'
}

function* addressErrors(fields: ValueMap): Iterable<string> {
  for (const [i, item] of sectionsAt(fields, 'addresses').entries()) {
    const address = textAt(item, 'address')
    if (address === '') yield `address ${i} must be specified`
    else if (UNSPECIFIED.test(address)) yield `address ${i} must be a valid IP address`
  }
  for (const [i, route] of sectionsAt(fields, 'routes').entries()) {
    const isUnspecified = (key: string): boolean => UNSPECIFIED.test(textAt(route, key))
    if (isUnspecified('destination')) yield `route ${i} destination must be a valid IP prefix`
    if (isUnspecified('gateway')) yield `route ${i} gateway must be a valid IP address`
    if (isUnspecified('source')) yield `route ${i} source must be a valid IP address`
  }
}

function* bondErrors(fields: ValueMap): Iterable<string> {
  yield* nameErrors(fields)
  if (itemsAt(fields, 'links').length === 0) yield 'at least one link must be specified'
  if (textAt(fields, 'bondMode') === '') yield 'bond mode must be specified'
  yield* addressErrors(fields)
}

function* bondWarnings(fields: ValueMap): Iterable<string> {
  if (textAt(fields, 'bondMode') !== '802.3ad') return
  for (const key of ['miimon', 'updelay', 'downdelay']) {
    if (valueAt(fields, key) === undefined) yield `${key} was not specified for 802.3ad bond`
  }
}

function* vlanErrors(fields: ValueMap): Iterable<string> {
  yield* nameErrors(fields)
  const id = numberAt(fields, 'vlanID')
  if (id === 0 || id > LAST_VLAN) {
    yield `vlanID must be specified and between 1 and ${LAST_VLAN}`
  }
  if (textAt(fields, 'parent') === '') yield 'parent must be specified'
  yield* addressErrors(fields)
}

function* vrfErrors(fields: ValueMap): Iterable<string> {
  yield* nameErrors(fields)
  const table = textAt(fields, 'table') || 'unspec'
  if (RESERVED_TABLES.includes(table)) yield `cannot create vrf with reserved table ${table}`
  yield* addressErrors(fields)
}

function* vethErrors(fields: ValueMap): Iterable<string> {
  const peer = sectionAt(fields, 'peer') ?? {}
  const [name, peerName] = [textAt(fields, 'name'), textAt(peer, 'name')]
  yield* kernelNameErrors('name', name)
  yield* kernelNameErrors('peer name', peerName)
  if (name !== '' && name === peerName) yield 'name and peer name must be different'
  yield* addressErrors(fields)
  yield* addressErrors(peer)
}

function* kernelNameErrors(what: string, name: string): Iterable<string> {
  if (name === '') yield `${what} must be specified`
  else if (Buffer.byteLength(name) > LONGEST_LINK_NAME) {
    yield `${what} must not exceed ${LONGEST_LINK_NAME} bytes`
  } else if (name === '.' || name === '..') yield `${what} must not be ${quote(name)}`
  else if (/[/:]/.test(name)) yield `${what} must not contain '/' or ':'`
  else if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S}]*$/u.test(name)) {
    yield `${what} must not contain whitespace or non-printable characters`
  }
}

function* wireguardErrors(fields: ValueMap): Iterable<string> {
  yield* nameErrors(fields)
  const key = textAt(fields, 'privateKey')
  const problem = wireguardKeyProblem(key)
  if (key === '') yield 'wireguard private key must be specified'
  else if (problem !== undefined) yield `wireguard private key is invalid: ${problem}`
  const port = numberAt(fields, 'listenPort')
  if (port < 0 || port > LAST_PORT) {
    yield `wireguard listen port must be between 0 and ${LAST_PORT}`
  }
  for (const [i, peer] of sectionsAt(fields, 'peers').entries()) yield* peerErrors(peer ?? {}, i)
  yield* addressErrors(fields)
}

function* peerErrors(peer: ValueMap, i: number): Iterable<string> {
  const key = textAt(peer, 'publicKey')
  const problem = wireguardKeyProblem(key)
  if (key === '') yield `wireguard peer public key must be specified (peer index ${i})`
  else if (problem !== undefined) {
    yield `wireguard peer public key is invalid (peer index ${i}): ${problem}`
  }
  const shared = textAt(peer, 'presharedKey')
  const sharedProblem = shared === '' ? undefined : wireguardKeyProblem(shared)
  if (sharedProblem !== undefined) {
    yield `wireguard peer preshared key is invalid (peer index ${i}): ${sharedProblem}`
  }
  if (textAt(peer, 'persistentKeepaliveInterval').startsWith('-')) {
    yield `wireguard peer persistent keepalive interval cannot be negative (peer index ${i})`
  }
}

function wireguardKeyProblem(key: string): string | undefined {
  const read = readBase64(key)
  if (typeof read !== 'string') return read.why
  const { length } = Buffer.from(read, 'base64')
  return length === WIREGUARD_KEY_LENGTH ? undefined : 'invalid wireguard key length'
}
