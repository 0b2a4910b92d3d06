import { createHash } from 'node:crypto'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'

const numbers = new WeakMap<SecretsBundle, number>()
let last = 0

/**
 * A text that differs wherever the secrets or one of the parts do, for as long as this process runs.
 * Nothing of them can be read from it.
 */
export function keyFor(bundle: SecretsBundle, parts: readonly unknown[]): string {
  // A bundle never changes, so which one it is says all of it.
  const number = numbers.get(bundle) ?? ++last
  numbers.set(bundle, number)
  return createHash('sha256')
    .update(JSON.stringify([number, ...parts]))
    .digest('base64')
}
