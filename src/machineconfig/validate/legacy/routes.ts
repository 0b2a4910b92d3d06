import { quote } from '#machineconfig/quote.ts'
import { type Section, sectionsAt, textAt } from '#machineconfig/validate/checks/fields.ts'
import { isCidr, isIp } from '#machineconfig/validate/checks/ip.ts'

/** What is wrong with the routes of a device. */
export function* routeProblems(device: Section): Generator<string> {
  for (const [index, route] of sectionsAt(device, 'routes').entries()) {
    yield* problemsOf(route, `networking.os.device.route[${index}]`)
  }
}

function* problemsOf(route: Section, place: string): Generator<string> {
  const network = textAt(route, 'network')
  const gateway = textAt(route, 'gateway')
  const source = textAt(route, 'source')
  const refusal = (key: string, text: string): string =>
    `[${place}.${key}] ${quote(text)}: invalid network address`
  if (network !== '' && !isCidr(network)) yield refusal('network', network)
  if (gateway !== '' && !isIp(gateway)) yield refusal('gateway', gateway)
  if (gateway === '' && network === '') yield `[${place}]: either network or gateway should be set`
  if (source !== '' && !isIp(source)) yield refusal('source', source)
}
