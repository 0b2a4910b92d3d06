import { quote } from '#machineconfig/quote.ts'
import {
  isOn,
  itemsAt,
  type Section,
  sectionAt,
  textAt,
  textsAt,
  valueAt,
} from '#machineconfig/validate/checks/fields.ts'
import { addressProblem, isIp } from '#machineconfig/validate/checks/ip.ts'
import { bondProblems } from './bond.ts'
import { routeProblems } from './routes.ts'
import { vlanProblems } from './vlans.ts'
import { wireguardProblems } from './wireguard.ts'

const PLACES = '[networking.os.device.interface], [networking.os.device.deviceSelector]'

/** What is wrong with one network device; `members` are the links that belong to a bond or a bridge. */
export function* deviceProblems(
  device: Section,
  members: ReadonlyMap<string, string>,
): Generator<string> {
  if (!device) yield 'empty device'
  else if (!isOn(device, 'ignore')) {
    yield* nameProblems(device)
    yield* linkProblems(device)
    yield* addressingProblems(device, members.has(textAt(device, 'interface')))
    yield* routeProblems(device)
  }
}

/** Warns of the old way to write an address. */
export function* deviceWarnings(device: Section): Generator<string> {
  if (textAt(device, 'cidr') !== '' && !isOn(device, 'ignore')) {
    yield `${quote(textAt(device, 'interface'))}: machine.network.interface.cidr is deprecated, please use machine.network.interface.addresses`
  }
}

function* nameProblems(device: Section): Generator<string> {
  const selector = sectionAt(device, 'deviceSelector')
  const named = textAt(device, 'interface') !== ''
  if (!named && !selector) yield `${PLACES}: required either config section to be set`
  if (named && selector) yield `${PLACES}: config sections are mutually exclusive`
  if (selector && Object.keys(selector).length === 0) {
    yield '[networking.os.device.deviceSelector]: config section should contain at least one field'
  }
}

function* linkProblems(device: Section): Generator<string> {
  const bond = sectionAt(device, 'bond')
  const wireguard = sectionAt(device, 'wireguard')
  if (bond) yield* bondProblems(bond)
  if (wireguard) yield* wireguardProblems(wireguard)
  yield* vlanProblems(device)
}

function* addressingProblems(device: Section, isMember: boolean): Generator<string> {
  const link = quote(textAt(device, 'interface'))
  const cidr = textAt(device, 'cidr')
  const addresses = textsAt(device, 'addresses')
  if (isMember && isAddressed(device)) {
    yield `[networking.os.device] ${link}: bonded/bridged interface shouldn't have any addressing methods configured`
  }
  if (addresses.length > 0 && cidr !== '') {
    yield `[networking.os.device] ${link}: interface can't have both .cidr and .addresses set`
  }
  const problem = cidr === '' ? undefined : addressProblem(cidr)
  if (problem) yield `[networking.os.device.CIDR] ${link}: ${problem}`
  for (const address of addresses) {
    const wrong = addressProblem(address)
    if (wrong) yield `[networking.os.device.addresses] ${link}: ${wrong}`
  }
  const vip = sectionAt(device, 'vip')
  if (vip && !isIp(textAt(vip, 'ip'))) {
    yield `[networking.os.device.vip] failed to parse ${quote(textAt(vip, 'ip'))} as IP address`
  }
}

const isAddressed = (device: Section): boolean =>
  isOn(device, 'dhcp') ||
  textAt(device, 'cidr') !== '' ||
  itemsAt(device, 'addresses').length > 0 ||
  valueAt(device, 'vip') !== undefined
