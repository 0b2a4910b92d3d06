import { expect, test } from 'vitest'
import { isHostWithPort } from './host-port.ts'

test.for(['10.0.0.1:80', 'node:80', 'node:', '[2001:db8::1]:80', '[fe80::1%a]:80', '[x]:80', ':'])(
  '%s is a host with a port',
  (text) => {
    expect(isHostWithPort(text)).toBe(true)
  },
)

test.for(['node', '::1', '[::1]', '[1:2]:80', '', '[::1]80', '[::1', 'a[b]:80', '[::1]:8]'])(
  '%s is no host with a port',
  (text) => {
    expect(isHostWithPort(text)).toBe(false)
  },
)
