import { ConfigError } from '#machineconfig/config-error.ts'

const LONGEST = 253
const FORM = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i

/** The name as it is, with or without a domain. Throws a ConfigError if no machine can be called so. */
export function checkedHostName(name: string): string {
  if (FORM.test(name) && name.length <= LONGEST) return name
  throw new ConfigError(`invalid hostname ${JSON.stringify(name.slice(0, LONGEST))}`)
}
