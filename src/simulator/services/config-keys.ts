import { Secret } from '#base/secret.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import type { CertificateAndKey } from '#machineconfig/secrets/bundle.ts'
import { ConfigPlace } from '#machineconfig/secrets/config-place.ts'
import { decodedPem } from '#machineconfig/secrets/encoded-pem.ts'

/** What a machine's configuration says about its own API. */
export interface ApiKeys {
  /** The authority that issues its certificate, PEM. */
  readonly authority: string
  /** With its key, which only control planes have. */
  readonly signer: CertificateAndKey | undefined
  /** All authorities whose clients are let in, PEM. */
  readonly accepted: readonly string[]
  /** Further names for its certificate. */
  readonly certSans: readonly string[]
  /** Whether roles count; otherwise everyone may do everything. */
  readonly hasRoles: boolean
  /** Whether clients must be certified as clients and as nothing else. */
  readonly checksUsage: boolean
}

/** Reads the keys of the API out of a configuration; undefined while there are none that can be used. */
export function apiKeysOf(config: MachineConfig | undefined): ApiKeys | undefined {
  if (!config) return undefined
  if (!known.has(config)) known.set(config, readKeys(config))
  return known.get(config)
}

// A configuration is never changed in place, and its keys are wanted with every call.
const known = new WeakMap<MachineConfig, ApiKeys | undefined>()

function readKeys(config: MachineConfig): ApiKeys | undefined {
  const machine = new ConfigPlace(config.legacy?.fields).at('machine')
  const authority = pemOf(machine.text('ca', 'crt'))
  if (authority === '') return undefined
  const key = pemOf(machine.text('ca', 'key'))
  const accepted = machine.at('acceptedCAs').items.map((one) => pemOf(one.text('crt')))
  return {
    authority,
    signer: key === '' ? undefined : { certificate: authority, key: new Secret(key) },
    accepted: [authority, ...accepted.filter((pem) => pem !== '')],
    certSans: machine
      .at('certSANs')
      .items.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
    hasRoles: machine.at('features', 'rbac').value !== false,
    checksUsage: machine.at('features', 'apidCheckExtKeyUsage').value === true,
  }
}

function pemOf(text: string): string {
  const pem = decodedPem(text)
  return typeof pem === 'string' ? pem : ''
}
