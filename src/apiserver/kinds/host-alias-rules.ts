import { isIP } from 'node:net'
import { type FieldError, invalidField } from '#apiserver/field-error.ts'
import { dnsSubdomain } from '#apiserver/metadata/name-rules.ts'
import { type Fields, listAt, textAt } from '#apiserver/objects.ts'
import { itemsOf } from './fill.ts'

/** What is wrong with the lines that a pod wants in its file of hosts. */
export const validateHostAliases = (spec: Fields, field: string): FieldError[] =>
  itemsOf(spec, 'hostAliases').flatMap((alias, index) => [
    ...validateAddress(textAt(alias, 'ip') ?? '', `${field}[${index}].ip`),
    ...listAt(alias, 'hostnames').flatMap((name, at) =>
      dnsSubdomain(String(name)).map((why) =>
        invalidField(`${field}[${index}].hostnames[${at}]`, name, why),
      ),
    ),
  ])

const LEADING_ZERO = /^[0-9.]*(?:^|\.)0[0-9]/
const MAPPED = /^::ffff:[0-9.]+$/i

function validateAddress(address: string, field: string): FieldError[] {
  if (LEADING_ZERO.test(address) && isIP(address.replaceAll(/(^|\.)0+(?=[0-9])/g, '$1')) === 4) {
    return [invalidField(field, address, 'must not have leading 0s')]
  }
  if (isIP(address) === 0) {
    const why = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
    return [invalidField(field, address, why)]
  }
  return MAPPED.test(address)
    ? [invalidField(field, address, 'must not be an IPv4-mapped IPv6 address')]
    : []
}
