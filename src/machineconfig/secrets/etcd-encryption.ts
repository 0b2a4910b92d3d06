import type { ConfigPlace } from './config-place.ts'

/**
 * The secret in a KubeEtcdEncryptionConfig that Secrets are encrypted with: that of the first
 * provider, if it is a secretbox, of the first resources that Secrets are among. '' if there is none.
 */
export function secretboxIn(document: ConfigPlace): string {
  const entries = document.at('config', 'resources').items
  const keys = entries
    .filter((entry) => entry.at('resources').items.some(({ value }) => value === 'secrets'))
    .flatMap((entry) => entry.at('providers').items.slice(0, 1))
    .flatMap((provider) => provider.at('secretbox', 'keys').items)
  return keys[0]?.text('secret') ?? ''
}
