/**
 * A machine configuration, patch or secrets bundle that is refused, with what Talos would say. The
 * message names places and never holds a value that could be a secret.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
