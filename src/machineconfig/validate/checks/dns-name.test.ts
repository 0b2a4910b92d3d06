import { expect, test } from 'vitest'
import { isDnsName } from './dns-name.ts'

const label = 'a'.repeat(63)

test.for(['a', 'cluster.local', 'a.', 'a_', '_a.b-c', `${label}.b`, `${'a.'.repeat(254)}a`])(
  '%s is a DNS name',
  (name) => {
    expect(isDnsName(name)).toBe(true)
  },
)

test.for(['', '-a', 'a..b', '.', 'a b', 'ä', `a${label}`, `${'a.'.repeat(255)}a`])(
  '%s is no DNS name',
  (name) => {
    expect(isDnsName(name)).toBe(false)
  },
)
