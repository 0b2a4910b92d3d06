import { X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Secret } from '#base/secret.ts'
import { newAuthority } from './authority.ts'
import {
  mergeTalosconfigs,
  type TalosContext,
  type Talosconfig,
  talosconfigFor,
} from './talosconfig.ts'
import { readTalosconfig, writeTalosconfig } from './talosconfig-file.ts'

const now = new Date('2026-11-16T07:00:00Z')
const base64 = (text: string) => Buffer.from(text).toString('base64')
const context = (endpoint: string): TalosContext => ({ endpoints: [endpoint], nodes: [] })

test('a cluster has a context of its name, with an administrator', async () => {
  const ca = await newAuthority({ family: 'ed25519', organization: 'talos', now })

  const config = await talosconfigFor({ clusterName: 'prod', endpoints: ['10.0.0.1'], ca, now })
  const own = config.contexts.get('prod')
  expect(config.context).toBe('prod')
  expect(own).toMatchObject({ endpoints: ['10.0.0.1'], nodes: [], ca: ca.certificate })
  const certificate = new X509Certificate(own?.certificate ?? '')
  expect(certificate.subject).toBe('O=os:admin')
  expect(own?.key?.open()).toMatch(/^-----BEGIN ED25519 PRIVATE KEY-----\n/)
})

test('roles, lifetime and machines may be told', async () => {
  const ca = await newAuthority({ family: 'ed25519', organization: 'talos', now })

  const config = await talosconfigFor({
    ...{ clusterName: 'prod', endpoints: [], nodes: ['10.0.0.2'], ca, now },
    roles: ['os:reader'],
    lifetimeMs: 60_000,
  })
  const own = config.contexts.get('prod')
  expect(own?.nodes).toEqual(['10.0.0.2'])
  const { subject, validTo } = new X509Certificate(own?.certificate ?? '')
  expect(subject).toBe('O=os:reader')
  expect(Date.parse(validTo)).toBe(now.getTime() + 60_000)
})

const everything = `context: "10"
contexts:
    __proto__:
        endpoints: []
    "9":
        endpoints: []
    "10":
        endpoints:
            - 10.0.0.1
            - https://proxy.example:443
        nodes:
            - 10.0.0.2
        ca: ${base64('CA\n')}
        crt: ${base64('CRT\n')}
        key: ${base64('KEY\n')}
        auth:
            basic:
                username: jo
                password: hunter2
            siderov1:
                identity: jo@example.com
        cluster: prod
        proxy-url: http://jo:hunter2@proxy.example
`

describe('a file', () => {
  test('is written as it was read', () => {
    expect(writeTalosconfig(readTalosconfig(everything)).open()).toBe(everything)
  })

  test('holds all that is known of a context', () => {
    expect(readTalosconfig(everything).contexts.get('10')).toEqual({
      endpoints: ['10.0.0.1', 'https://proxy.example:443'],
      nodes: ['10.0.0.2'],
      ca: 'CA\n',
      certificate: 'CRT\n',
      key: new Secret('KEY\n'),
      basic: { username: 'jo', password: new Secret('hunter2') },
      siderov1: { identity: 'jo@example.com' },
      cluster: 'prod',
      proxyUrl: new Secret('http://jo:hunter2@proxy.example'),
    })
  })

  test.each([
    ['basic', '            basic:\n                username: jo\n                password: x\n'],
    ['siderov1', '            siderov1:\n                identity: jo\n'],
  ])('may have one way to sign in: %s', (_, way) => {
    const text = `context: a\ncontexts:\n    a:\n        endpoints: []\n        auth:\n${way}`
    expect(writeTalosconfig(readTalosconfig(text)).open()).toBe(text)
  })

  test('has its contexts in order, numbers by their size', () => {
    const contexts = new Map(['b10', 'b9', 'a'].map((name) => [name, context(name)]))
    const names = [...readTalosconfig(writeTalosconfig({ context: '', contexts }).open()).contexts]
    expect(names.map(([name]) => name)).toEqual(['a', 'b9', 'b10'])
  })

  test('may be empty', () => {
    const empty = 'context: ""\ncontexts: {}\n'
    expect(writeTalosconfig(readTalosconfig(empty)).open()).toBe(empty)
    expect(readTalosconfig('{}')).toEqual({ context: '', contexts: new Map() })
  })

  test('of the past names a target', () => {
    const text = 'contexts: {a: {target: 10.0.0.1}}'
    expect(readTalosconfig(text).contexts.get('a')?.endpoints).toEqual(['10.0.0.1'])
  })

  test.each([
    ['', 'EOF'],
    ['hunter2', 'line 1: cannot construct !!str into config.Config'],
    ['contexts: [hunter2]', 'line 1: cannot construct !!seq into map[string]*config.Context'],
    ['contexts: {a: hunter2}', 'line 1: cannot construct !!str into config.Context'],
    ['contexts: {a: null}', 'line 1: cannot construct !!null into config.Context'],
    ['contexts: {[hunter2]: {}}', 'line 1: cannot construct !!seq into string'],
    ['contexts: {a: {endpoints: hunter2}}', 'line 1: cannot construct !!str into []string'],
    ['contexts: {a: {endpoints: [[hunter2]]}}', 'line 1: cannot construct !!seq into []string'],
    ['contexts: {a: {key: hunter2}}', 'line 1: key: illegal base64 data at input byte 4'],
  ])('%j is none', (text, message) => {
    const read = () => readTalosconfig(text)
    expect(read).toThrow('failed to read the talosconfig: ')
    expect(read).toThrow(message)
    expect(read).not.toThrow('hunter2')
  })
})

describe('two of them in one', () => {
  const configOf = (used: string, ...names: string[]): Talosconfig => ({
    context: used,
    contexts: new Map(names.map((name) => [name, context(`${used}/${name}`)])),
  })

  test('have all contexts, and use that of the second', () => {
    const { config, renamed } = mergeTalosconfigs(configOf('a', 'a'), configOf('b', 'b', 'c'))
    expect([...config.contexts.keys()]).toEqual(['a', 'b', 'c'])
    expect(config.context).toBe('b')
    expect(renamed.size).toBe(0)
  })

  test('number names that are there twice', () => {
    const { config, renamed } = mergeTalosconfigs(
      configOf('a', 'a', 'a-1', 'a-2'),
      configOf('a', 'a'),
    )
    expect(config.context).toBe('a-3')
    expect(renamed).toEqual(new Map([['a', 'a-3']]))
    expect(config.contexts.get('a-3')).toEqual(context('a/a'))
  })

  test('keep the context of the first if the second uses none', () => {
    expect(mergeTalosconfigs(configOf('a', 'a'), configOf('', 'b')).config.context).toBe('a')
  })

  test('use none if that of the second is not there', () => {
    expect(mergeTalosconfigs(configOf('a', 'a'), configOf('x', 'b')).config.context).toBe('')
  })
})
