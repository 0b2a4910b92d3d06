import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { serverNames } from './server-names.ts'

test('a server that listens on one address is reached by that one, and from within by localhost', () => {
  const names = serverNames({ host: '192.0.2.7', port: 6443 })

  expect(names).toContain('192.0.2.7')
  expect(names).toContain('localhost')
  expect(names).toContain('kubernetes.default.svc')
  expect(names).not.toContain(hostname())
})

test('a server that listens everywhere is reached by the name of the machine', () => {
  const names = serverNames({ host: '0.0.0.0', port: 6443 })

  expect(names).toContain(hostname().toLowerCase())
  expect(names).toEqual([...new Set(names)])
  expect(names.some((name) => name.startsWith('fe80:'))).toBe(false)
})
