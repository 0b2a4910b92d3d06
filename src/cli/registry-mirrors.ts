import { ConfigError } from '#machineconfig/config-error.ts'

/** What `--registry-mirror host=url` says: the mirrors of each registry, in the order given. */
export function registryMirrors(given: readonly string[] = []): Record<string, readonly string[]> {
  const mirrors = new Map<string, readonly string[]>()
  for (const text of given) {
    const [, host, url] = /^([^=]*)=(.*)$/s.exec(text) ?? []
    if (host === undefined || url === undefined) {
      throw new ConfigError(`invalid registry mirror spec: ${JSON.stringify(text)}`)
    }
    mirrors.set(host, [...(mirrors.get(host) ?? []), url])
  }
  return Object.fromEntries(mirrors)
}
