import {
  itemsAt,
  numberAt,
  type Section,
  sectionsAt,
  textAt,
  textsAt,
} from '#machineconfig/validate/checks/fields.ts'
import { addressProblem } from '#machineconfig/validate/checks/ip.ts'

/** What is wrong with the VLANs on a device. */
export function* vlanProblems(device: Section): Generator<string> {
  const link = textAt(device, 'interface')
  for (const [index, vlan] of sectionsAt(device, 'vlans').entries()) {
    if (!vlan) yield `[networking.os.device.vlan] ${link}: vlans[${index}] is null`
    else yield* addressProblems(vlan, `${link}.${numberAt(vlan, 'vlanId')}`)
  }
}

function* addressProblems(vlan: Section, link: string): Generator<string> {
  const cidr = textAt(vlan, 'cidr')
  if (itemsAt(vlan, 'addresses').length > 0 && cidr !== '') {
    yield `[networking.os.device.vlan] ${link}: vlan can't have both .cidr and .addresses set`
  }
  const problem = cidr === '' ? undefined : addressProblem(cidr)
  if (problem) yield `[networking.os.device.vlan.CIDR] ${link}: ${problem}`
  for (const address of textsAt(vlan, 'addresses')) {
    const wrong = addressProblem(address)
    if (wrong) yield `[networking.os.device.vlan.addresses] ${link}: ${wrong}`
  }
}
