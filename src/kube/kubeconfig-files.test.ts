import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseYaml } from '#base/yaml.ts'
import { readKubeconfigs } from './kubeconfig-files.ts'

const { signal } = new AbortController()

/** A home folder with files in it, and a reader of kubeconfigs for whoever lives there. */
async function aHome(files: Record<string, string> = {}) {
  const homeFolder = await mkdtemp(join(tmpdir(), 'kubeconfig-files-'))
  onTestFinished(() => rm(homeFolder, { recursive: true }))
  const at = (name: string) => join(homeFolder, name)
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(at(name)), { recursive: true })
    await writeFile(at(name), text)
  }
  return {
    at,
    read: ({ path, list }: { path?: string; list?: string[] } = {}) =>
      readKubeconfigs(
        { homeFolder, path, env: list ? { KUBECONFIG: list.join(':') } : {} },
        signal,
      ),
  }
}

const users = (text: string) => `users: [${text}]\n`

describe('which kubeconfigs are read', () => {
  const home = () =>
    aHome({
      '.kube/config': 'current-context: home',
      'by-path': 'current-context: by-path',
      'by-list': 'current-context: by-list',
    })

  test('the one that is named, before those of KUBECONFIG, before the one at home', async () => {
    const { at, read } = await home()

    const all = [
      await read({ path: at('by-path'), list: [at('by-list')] }),
      await read({ list: [at('by-list')] }),
      await read({ list: ['', ''] }),
      await read(),
    ]

    expect(all.map(({ currentContext }) => currentContext)).toEqual([
      'by-path',
      'by-list',
      'home',
      'home',
    ])
  })

  test('relative names are relative to where the program runs', async () => {
    const { at, read } = await home()

    const { files } = await read({ path: relative(process.cwd(), at('by-path')) })

    expect(files).toEqual([at('by-path')])
  })

  test('the named one must be there, and no other stands in for it', async () => {
    const { at, read } = await home()

    await expect(read({ path: at('gone'), list: [at('by-list')] })).rejects.toThrow(
      `no kubeconfig found at ${at('gone')}; name one that exists, or set KUBECONFIG`,
    )
  })

  test('those of KUBECONFIG may be missing, but not all of them', async () => {
    const { at, read } = await home()

    const { files } = await read({ list: [at('gone'), at('by-list'), at('by-list')] })

    expect(files).toEqual([at('by-list')])
    await expect(read({ list: [at('gone'), at('lost')] })).rejects.toThrow(
      `no kubeconfig found at ${at('gone')}, ${at('lost')}; name one`,
    )
  })

  test('the one at home must be there if there is no other', async () => {
    const { at, read } = await aHome()

    await expect(read()).rejects.toThrow(`no kubeconfig found at ${at('.kube/config')}`)
  })

  test('one that cannot be read is told, and not skipped', async () => {
    const { at, read } = await aHome({ 'folder/file': '', good: '' })

    await expect(read({ list: [at('good'), at('folder')] })).rejects.toThrow(
      `cannot read ${at('folder')}: it is a folder`,
    )
  })
})

describe('several kubeconfigs', () => {
  test('the first to set the current context or to have a name wins, and wins whole', async () => {
    const { at, read } = await aHome({
      one: `current-context: ""\n${users('{name: u, user: {token: one}}')}`,
      two: `current-context: two\n${users('{name: u, user: {as: two}}, {name: v, user: {as: v}}')}`,
      three: 'current-context: three',
    })

    const { currentContext, users: merged } = await read({ list: ['one', 'two', 'three'].map(at) })

    expect(currentContext).toBe('two')
    expect([...merged]).toEqual([
      ['u', { file: at('one'), content: { token: 'one' } }],
      ['v', { file: at('two'), content: { as: 'v' } }],
    ])
  })

  test('an empty one among them says nothing', async () => {
    const { at, read } = await aHome({ empty: '', good: 'current-context: good' })

    expect((await read({ list: [at('empty'), at('good')] })).currentContext).toBe('good')
  })
})

describe('a kubeconfig', () => {
  test('may have CRLF, a BOM, comments, anchors, nulls and fields that nobody knows', async () => {
    const text = [
      '\uFEFF# made by hand',
      'apiVersion: v1',
      'kind: Config',
      'preferences: {colors: true}',
      'clusters: null',
      'current-context: "x"',
      'defaults: &defaults {as: ann}',
      'users:',
      '- name: u',
      '  user: {<<: *defaults, extra: [1]}',
      '- null',
      '- {name: "", user: {as: nobody}}',
      '- {name: v, user: null}',
    ].join('\r\n')
    const { at, read } = await aHome({ config: text })

    const seen = await read({ path: at('config') })

    expect(seen).toMatchObject({ currentContext: 'x', clusters: new Map(), contexts: new Map() })
    expect([...seen.users].map(([name, { content }]) => [name, content])).toEqual([
      ['u', { as: 'ann', extra: [1] }],
      ['v', undefined],
    ])
  })

  test('may be JSON', async () => {
    const { at, read } = await aHome({ config: '{"kind":"Config","current-context":"x"}' })

    expect((await read({ path: at('config') })).currentContext).toBe('x')
  })

  test('cannot smuggle in a prototype', async () => {
    const { at, read } = await aHome({
      config: '__proto__: {current-context: x}\nusers: [{name: __proto__, user: {as: ann}}]',
    })

    const { currentContext, users: seen } = await read({ path: at('config') })

    expect(currentContext).toBeUndefined()
    expect([...seen.keys()]).toEqual(['__proto__'])
  })

  // All that stands in these is taken for a secret.
  test.each([
    ['token: [hunter2', /is not a kubeconfig: not valid YAML: bad indent at line 1, column 16$/],
    ['a: 1\ntoken: "\\hunter2"', /bad dq escape at line 2, column 9$/],
    ['token: hunter2\ntoken: hunter2', /duplicate key at line 2, column 1$/],
    ['token: *hunter2', /an alias has no anchor/],
    ['<<: hunter2', /an alias has no anchor, or `<<` is no map/],
    ['a: hunter2\n---\nb: hunter2', /multiple docs at line 2/],
    ['\u0000\u0001hunter2\uFFFF', /cannot be used: it must be object$/],
    ['hunter2', /cannot be used: it must be object$/],
    ['[hunter2]', /cannot be used: it must be object$/],
    ['users: hunter2', /cannot be used: users must be array$/],
    ['users: [hunter2]', /cannot be used: users\.0 must be object$/],
    ['users: [{name: {hunter2: 1}}]', /cannot be used: users\.0\.name must be string$/],
    ['users: [{name: 12}]', /cannot be used: users\.0\.name must be string$/],
    ['current-context: [hunter2]', /cannot be used: current-context must be string$/],
    ['kind: hunter2', /is not a kubeconfig: it has another kind or apiVersion than Config v1$/],
    ['apiVersion: hunter2/v1', /is not a kubeconfig: it has another kind or apiVersion/],
    [users('{name: u, user: {token: hunter2}}, {name: u}'), /has two entries named "u"; remove/],
  ])('that is none is told without its content: %j', async (text, message) => {
    const { at, read } = await aHome({ config: text })

    const failure = await read({ path: at('config') }).catch((error: Error) => error)

    expect(failure).toBeInstanceOf(Error)
    expect(String(failure)).toMatch(message)
    expect(String(failure)).toContain(at('config'))
    expect(String(failure)).not.toContain('hunter2')
  })

  test('that unfolds to more and more is refused', async () => {
    const level = (n: number) =>
      `l${n}: &l${n} [${Array(9)
        .fill(`*l${n - 1}`)
        .join()}]`
    const bomb = ['l0: &l0 [hunter2]', ...[1, 2, 3, 4, 5, 6, 7, 8].map(level)].join('\n')
    const { at, read } = await aHome({ config: bomb })

    await expect(read({ path: at('config') })).rejects.toThrow('aliases unfold to too much')
  })

  test('that goes deeper and deeper is refused', async () => {
    const { at, read } = await aHome({ config: '['.repeat(10_000) })

    await expect(read({ path: at('config') })).rejects.toThrow('not valid YAML')
  })

  test('longer than 4 MiB is not parsed, wherever it comes from', () => {
    expect(() => parseYaml('#'.repeat(4 * 1024 * 1024 + 1))).toThrow('longer than 4 MiB')
  })

  test('of 100 MB is not read', async () => {
    const { at, read } = await aHome({ config: '' })
    await truncate(at('config'), 100_000_000)

    await expect(read({ path: at('config') })).rejects.toThrow(
      `refused to read ${at('config')}: it is larger than 4 MiB`,
    )
  })
})
