import { parseYamlDocuments } from '#base/yaml.ts'
import type { MachineSpec } from './pool.ts'
import { canonicalAddress } from './pool-address.ts'

/**
 * Whether what users write into configurations names an address as one that moves from machine to machine: a whole one,
 * however it is spelled. One with a prefix length is a link's own, one in a URL is called, and what is in a certificate need not
 * move: in doubt an address stays with its machine.
 */
export function isVirtualAddress(
  address: string,
  specs: readonly (MachineSpec | undefined)[],
): boolean {
  const wanted = canonicalAddress(address)
  if (wanted === undefined) return false
  const written = specs.flatMap((spec) => [spec?.configPatches, spec?.additionalConfig])
  return written.some((value) => isNamedIn(value, wanted))
}

// Names of a certificate.
const CERTIFIED = 'certSANs'

function isNamedIn(value: unknown, wanted: string): boolean {
  if (typeof value === 'string') return isNamedInText(value, wanted)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, one]) => key !== CERTIFIED && isNamedIn(one, wanted))
}

/** A patch may be one text, and so may a manifest be that is in one. */
function isNamedInText(text: string, wanted: string): boolean {
  const documents = documentsIn(text)
  return documents
    ? documents.some((one) => isNamedIn(one, wanted))
    : wordsIn(text).some((word) => canonicalAddress(word) === wanted)
}

/** What a text is as YAML, if that is more than a text. */
function documentsIn(text: string): object[] | undefined {
  try {
    const found = parseYamlDocuments(text).filter((one) => typeof one === 'object' && one !== null)
    return found.length > 0 ? found : undefined
  } catch {
    return undefined
  }
}

// What may stand beside an address in arguments, lists and scripts. A slash is not among it, nor is the colon of a port.
const BETWEEN = /[\s"'`,;=(){}<>|]+/

const wordsIn = (text: string): string[] => text.split(BETWEEN)
