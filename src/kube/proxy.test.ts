import { describe, expect, test } from 'vitest'
import { parseProxy, proxyFromEnvironment } from './proxy.ts'

const HTTPS_PROXY = 'http://proxy:3128'

const proxyOf = (server: string, env: Record<string, string>) =>
  proxyFromEnvironment(new URL(server), env)?.href

const isProxied = (server: string, NO_PROXY: string): boolean =>
  proxyOf(server, { HTTPS_PROXY, NO_PROXY }) !== undefined

describe('the proxy of the environment', () => {
  test.each([
    [{}, undefined],
    [{ HTTPS_PROXY: '' }, undefined],
    [{ HTTP_PROXY: 'http://other' }, undefined],
    [{ HTTPS_PROXY }, 'http://proxy:3128/'],
    [{ https_proxy: 'https://lower:1' }, 'https://lower:1/'],
    [{ HTTPS_PROXY, https_proxy: 'http://lower' }, 'http://proxy:3128/'],
    [{ HTTPS_PROXY: 'proxy:3128' }, 'http://proxy:3128/'],
    [{ HTTPS_PROXY: 'me:secret@proxy' }, 'http://me:secret@proxy/'],
  ])('is what %j says', (env, proxy) => {
    expect(proxyOf('https://example.org:6443', env)).toBe(proxy)
  })

  test.each(['socks5://me:hunter2@proxy', 'ftp://hunter2', 'http://hunter2 x', ':hunter2'])(
    'that cannot be used is told without what it is: %s',
    (text) => {
      const asking = () => proxyOf('https://example.org', { HTTPS_PROXY: text })

      expect(asking).toThrow('the environment needs an HTTPS_PROXY of the form http://host:port')
      expect(asking).not.toThrow('hunter2')
    },
  )
})

describe('no proxy is between us and', () => {
  test.each([
    'https://localhost:6443',
    'https://127.0.0.1',
    'https://127.8.8.8',
    'https://[::1]:6443',
  ])('this machine itself: %s', (server) => {
    expect(isProxied(server, '')).toBe(false)
    expect(proxyOf(server, { HTTPS_PROXY })).toBeUndefined()
  })

  test.each([
    ['https://example.org', '*'],
    ['https://example.org', 'x, EXAMPLE.org'],
    ['https://api.example.org', 'example.org'],
    ['https://a.b.example.org', 'example.org'],
    ['https://api.example.org', '.example.org'],
    ['https://api.example.org', '*.example.org'],
    ['https://example.org:6443', 'example.org:6443'],
    ['https://example.org', 'example.org:443'],
    ['https://10.1.2.3:6443', '10.0.0.0/8'],
    ['https://10.1.2.3:6443', '10.1.2.3'],
    ['https://10.1.2.3:6443', '10.1.2.3:6443'],
    ['https://[fd00::1]:6443', 'fd00::/8'],
    ['https://[fd00::1]:6443', 'FD00:0:0::1'],
    ['https://[fd00::1]:6443', '[fd00::1]'],
    ['https://[fd00::1]:6443', '[fd00::1]:6443'],
  ])('%s if NO_PROXY is %s', (server, exceptions) => {
    expect(isProxied(server, exceptions)).toBe(false)
  })

  test('what the name in small letters says', () => {
    const env = { HTTPS_PROXY, no_proxy: 'example.org' }

    expect(proxyOf('https://example.org', env)).toBeUndefined()
  })
})

describe('a proxy is between us and', () => {
  test.each([
    ['https://example.org', ''],
    ['https://example.org', ' , ,'],
    ['https://example.org', '.example.org'],
    ['https://example.org', '*.example.org'],
    ['https://badexample.org', 'example.org'],
    ['https://example.org', 'api.example.org'],
    ['https://example.org:6443', 'example.org:443'],
    ['https://10.1.2.3:6443', '11.0.0.0/8'],
    ['https://10.1.2.3:6443', '10.0.0.0/40'],
    ['https://10.1.2.3:6443', '10.1.2.3:443'],
    ['https://10.1.2.3', 'fd00::/8'],
    ['https://[fd00::1]', '10.0.0.0/8'],
    ['https://[fd00::1]', 'fd00::2'],
    ['https://localhost.example.org', ''],
  ])('%s though NO_PROXY is "%s"', (server, exceptions) => {
    expect(isProxied(server, exceptions)).toBe(true)
  })
})

test('a proxy that is written down keeps its user and its port', () => {
  expect(parseProxy('https://me:x@proxy:8443', 'it needs a proxy').href).toBe(
    'https://me:x@proxy:8443/',
  )
})
