import { isIPv4, isIPv6 } from 'node:net'
import { isDate, isDateTime, isDuration } from './time-formats.ts'
import { isEmail, isRequestUri } from './uri-formats.ts'

type Check = (text: string) => boolean

const matches =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text)

const hostname =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u
const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const shortName = new RegExp(`^${label}$`)
const longName = new RegExp(`^${label}(\\.${label})*$`)
const octet = '(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])'
const rgb = new RegExp(
  `^rgb\\([\\t\\n\\f\\r ]*${octet}[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*${octet}[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*${octet}[\\t\\n\\f\\r ]*\\)$`,
)
const bytes = (count: number, separator: string): string =>
  `[0-9a-fA-F]{2}(?:${separator}[0-9a-fA-F]{2}){${count - 1}}`
const groups = (count: number): string => `[0-9a-fA-F]{4}(?:\\.[0-9a-fA-F]{4}){${count - 1}}`
const mac = new RegExp(
  `^(?:${[6, 8, 20].flatMap((n) => [bytes(n, ':'), bytes(n, '-'), bytes(n, ''), groups(n / 2)]).join('|')})$`,
)

/** The formats of text that CRDs enforce, by their names without dashes. Others mean nothing. */
const checks: Readonly<Record<string, Check>> = {
  bsonobjectid: matches(/^[0-9a-fA-F]{24}$/),
  uri: isRequestUri,
  email: isEmail,
  hostname: (text) =>
    hostname.test(text) && sizeOf(text) <= 255 && text.split('.').every((p) => sizeOf(p) <= 63),
  ipv4: (text) => text.includes('.') && (isIPv4(withoutZeros(text)) || isIp6(withoutZeros(text))),
  ipv6: (text) => isIp6(text),
  cidr: isCidr,
  mac: matches(mac),
  uuid: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid3: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: (text) => sizeOf(text) === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: matches(rgb),
  byte: matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => sizeOf(text) <= 63 && shortName.test(text),
  k8slongname: (text) => sizeOf(text) <= 253 && longName.test(text),
}

/** The check of a format of text; undefined if it has none. */
export const formatCheck = (format: string): Check | undefined => {
  const name = format.replaceAll('-', '')
  return Object.hasOwn(checks, name) ? checks[name] : undefined
}

const sizeOf = (text: string): number => Buffer.byteLength(text)

const isIp6 = (text: string): boolean => !text.includes('%') && isIPv6(text)

/** Octets with leading zeros are taken for decimal numbers. */
const withoutZeros = (text: string): string => text.replace(/(^|[.:])0+(?=\d{1,3}(?:\.|$))/g, '$1')

function isCidr(text: string): boolean {
  const [address = '', size = '', ...rest] = text.split('/')
  if (rest.length > 0 || !/^\d{1,3}$/.test(size)) return false
  if (isIPv4(withoutZeros(address))) return Number(size) <= 32
  return isIp6(withoutZeros(address)) && Number(size) <= 128
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '')
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false
  const sum = [...digits].reduce((sofar, digit, i) => sofar + (i + 1) * worthOf(digit), 0)
  return sum % 11 === 0
}

const worthOf = (digit: string): number => (digit === 'X' ? 10 : Number(digit))

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '')
  if (!/^[0-9]{13}$/.test(digits)) return false
  const sum = [...digits].reduce((sofar, digit, i) => sofar + (i % 2 ? 3 : 1) * Number(digit), 0)
  return sum % 10 === 0
}

const cards =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '')
  if (!cards.test(digits)) return false
  const sum = [...digits].reverse().reduce((sofar, digit, i) => {
    const value = Number(digit) * (i % 2 ? 2 : 1)
    return sofar + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
