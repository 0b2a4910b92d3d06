import { createPrivateKey } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { toYaml } from '#base/yaml.ts'
import { createAuthority } from '#test/conformance/kubernetes/certificates.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { kubeconfigAccess } from './kubeconfig.ts'

const asIs = { renew: false, signal: new AbortController().signal }
// Every secret of these tests holds this word, and no error may; nor its base64.
const SECRET = 'hunter2'
const GARBLED = '-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----\n'
const errors: unknown[] = []
let ca = ''
let admin = { certificate: '', key: '' }
let other = { certificate: '', key: '' }

beforeAll(async () => {
  const authority = await createAuthority()
  ca = authority.certificate
  admin = await authority.issueClient('admin', 'system:masters')
  other = await authority.issueClient('other', 'nobody')
})

afterAll(() => {
  expect(errors.length).toBeGreaterThan(20)
  const shown = errors.map((error) => inspect(error, { depth: 5, showHidden: true })).join('\n')
  const secrets = [SECRET, base64(SECRET).slice(0, 8), ...admin.key.split('\n'), base64(admin.key)]
  expect(secrets.filter((secret) => secret && shown.includes(secret))).toEqual([])
})

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** The message of the error that it ends with, which is kept to be searched for secrets. */
async function messageOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    errors.push(error)
    return error instanceof Error ? error.message : String(error)
  }
  throw new Error('it did not fail')
}

interface Parts {
  cluster?: object
  user?: object | undefined
  context?: object
  files?: Record<string, string>
}

/** A folder with a kubeconfig of one context, and the access that it gives. */
async function aKubeconfig({ cluster, user = {}, context, files = {} }: Parts = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const at = (name: string) => join(folder, name)
  const write = async (name: string, text: string) => {
    await mkdir(dirname(at(name)), { recursive: true })
    await writeFile(at(name), text)
  }
  const config = {
    'current-context': 'x',
    clusters: [{ name: 'c', cluster: { server: 'https://10.0.0.1:6443', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [
      { name: 'x', context: { cluster: 'c', user: 'u', ...context } },
      { name: 'y', context: { cluster: 'c', namespace: 'other' } },
    ],
  }
  for (const [name, text] of Object.entries({ config: toYaml(config), ...files })) {
    await write(name, text)
  }
  const clock = new FakeClock()
  const env = { PATH: process.env.PATH, KUBECONFIG: at('config') }
  type More = Partial<Parameters<typeof kubeconfigAccess>[0]>
  return {
    at,
    write,
    clock,
    access: (more: More = {}) => kubeconfigAccess({ env, homeFolder: folder, clock, ...more }),
  }
}

const messageFor = async (parts: Parts): Promise<string> =>
  messageOf((await aKubeconfig(parts)).access())

describe('a context', () => {
  test('says where, who and in which namespace', async () => {
    const { access, at } = await aKubeconfig({
      user: { token: SECRET },
      context: { namespace: 'talos-system' },
    })

    const { credentials, ...rest } = await access()

    expect(rest).toEqual({
      origin: `context "x" of ${at('config')}`,
      server: new URL('https://10.0.0.1:6443'),
      skipVerify: false,
      namespace: 'talos-system',
    })
    expect((await credentials(asIs)).token?.open()).toBe(SECRET)
  })

  test('is the current one unless another is asked for; without a user it is anonymous', async () => {
    const { access, at } = await aKubeconfig({ user: { token: SECRET } })

    const { origin, namespace, credentials } = await access({ context: 'y' })

    expect({ origin, namespace }).toEqual({
      origin: `context "y" of ${at('config')}`,
      namespace: 'other',
    })
    expect(await credentials(asIs)).toEqual({})
    expect((await access()).namespace).toBe('default')
  })

  test('with an empty namespace has the default one', async () => {
    const { access } = await aKubeconfig({ context: { namespace: '' } })

    expect((await access()).namespace).toBe('default')
  })

  test('must be there', async () => {
    const { access, at } = await aKubeconfig()

    expect(await messageOf(access({ context: 'z' }))).toBe(
      `${at('config')} has no context "z"; there is "x", "y"`,
    )
  })

  test('must be chosen', async () => {
    const { access, at } = await aKubeconfig({ files: { config: '' } })
    expect(await messageOf(access())).toBe(
      `no context chosen, and ${at('config')} has no current-context; there is none at all`,
    )

    const names = Array.from({ length: 12 }, (_, n) => ({ name: `n${n}` }))
    const many = await aKubeconfig({ files: { config: toYaml({ contexts: names }) } })
    expect(await messageOf(many.access())).toMatch(/there is "n0", .*"n9" and more$/)
  })

  test.each([
    [{ cluster: 'gone' }, /^context "x" of \S+ has no cluster "gone"; there is "c"$/],
    [{ user: 'gone' }, /^context "x" of \S+ has no user "gone"; there is "u"$/],
    [{ cluster: '' }, /^context "x" of \S+ names no cluster$/],
    [{ namespace: [SECRET] }, /^context "x" of \S+ cannot be used: namespace must be string$/],
  ])('that leads nowhere is told: %j', async (context, message) => {
    expect(await messageFor({ context })).toMatch(message)
  })

  test('can be given up', async () => {
    const { access } = await aKubeconfig()

    expect(await messageOf(access({ signal: AbortSignal.abort(new Error('enough')) }))).toBe(
      'enough',
    )
  })
})

describe('a cluster', () => {
  test('has a CA, inline or in a file beside the kubeconfig, of which the inline one wins', async () => {
    const files = { 'pki/ca.crt': ca }
    const file = { 'certificate-authority': 'pki/ca.crt' }
    const inline = { 'certificate-authority-data': base64(`# ours\n${ca}${ca}`) }
    const wrapped = { 'certificate-authority-data': base64(ca).replace(/.{64}/g, '$&\r\n') }

    const found = await Promise.all(
      [file, inline, wrapped, { ...file, ...inline }].map(async (cluster) => {
        const { access } = await aKubeconfig({ cluster, files })
        return (await access()).authority?.(asIs)
      }),
    )

    expect(found).toEqual([ca, `${ca}${ca}`, ca, `${ca}${ca}`])
  })

  test('has a name in its certificate, a path and a proxy', async () => {
    const { access } = await aKubeconfig({
      cluster: {
        server: 'https://example.org/k8s/clusters/c-1?a=b#c',
        'tls-server-name': 'kubernetes',
        'proxy-url': `http://me:${SECRET}@proxy:3128`,
      },
    })

    expect(await access()).toMatchObject({
      server: new URL('https://example.org/k8s/clusters/c-1'),
      serverName: 'kubernetes',
      proxy: new URL(`http://me:${SECRET}@proxy:3128`),
    })
  })

  test('gets the new CA when its file has changed', async () => {
    const { access, write, clock } = await aKubeconfig({
      cluster: { 'certificate-authority': 'ca.crt' },
      files: { 'ca.crt': ca },
    })
    const { authority } = await access()
    const both = `${ca}${admin.certificate}`

    await write('ca.crt', both)
    await clock.advance(5_000)

    expect(await authority?.(asIs)).toBe(both)
  })

  test('is reached through the proxy of the environment, unless it has its own', async () => {
    const env = (at: (name: string) => string) => ({
      KUBECONFIG: at('config'),
      HTTPS_PROXY: `http://me:${SECRET}@everybody`,
    })
    const plain = await aKubeconfig()
    const own = await aKubeconfig({ cluster: { 'proxy-url': 'http://own' } })

    const { proxy } = await plain.access({ env: env(plain.at) })
    expect(proxy?.host).toBe('everybody')
    const exception = { ...env(plain.at), NO_PROXY: '10.0.0.0/8' }
    expect((await plain.access({ env: exception })).proxy).toBeUndefined()
    expect((await own.access({ env: env(own.at) })).proxy?.host).toBe('own')
  })

  test('is believed blindly only if that is allowed', async () => {
    const { access } = await aKubeconfig({ cluster: { 'insecure-skip-tls-verify': true } })

    expect(await messageOf(access())).toMatch(
      /^cluster "c" of \S+ has insecure-skip-tls-verify, with which anybody can pretend to be/,
    )
    expect(await access({ allowInsecure: true })).toMatchObject({ skipVerify: true })
  })

  test('is verified if insecure connections are allowed but not asked for', async () => {
    const { access } = await aKubeconfig()

    expect(await access({ allowInsecure: true })).toMatchObject({ skipVerify: false })
  })

  test.each([
    [{ server: '' }, /needs a server of the form https:/],
    [{ server: 'http://localhost:8080' }, /needs a server of the form https:/],
    [{ server: `${SECRET}:6443` }, /needs a server of the form https:/],
    [{ server: `https://me:${SECRET}@host` }, /has a user in its server's URL/],
    [{ server: { [SECRET]: 1 } }, /cannot be used: server must be string$/],
    [{ 'proxy-url': `socks5://me:${SECRET}@proxy` }, /proxy-url .*: SOCKS is not supported$/],
    [{ 'proxy-url': `${SECRET}:3128` }, /needs a proxy-url of the form http:/],
    [{ 'proxy-url': SECRET }, /needs a proxy-url of the form http:/],
    [{ 'insecure-skip-tls-verify': 'yes' }, /insecure-skip-tls-verify must be boolean$/],
    [{ 'certificate-authority-data': `${SECRET}!` }, /-authority-data of .* is not base64/],
    [{ 'certificate-authority-data': 'YQ' }, /-authority-data of .* is not base64/],
    [{ 'certificate-authority-data': base64(SECRET) }, /-data of .* is not a certificate in PEM/],
    [{ 'certificate-authority-data': base64(GARBLED) }, /-data of .* is not a certificate in PEM/],
    [{ 'certificate-authority': 'gone' }, /cannot read \S+gone: there is no such file/],
    [{ 'certificate-authority': 'config' }, /-authority \(\S+\) of .* is not a certificate/],
    [{ 'certificate-authority': '.' }, /cannot read \S+: it is a folder/],
  ])('that cannot be used is told: %j', async (cluster, message) => {
    const failure = await messageFor({ cluster })

    expect(failure).toMatch(message)
    if (!failure.startsWith('cannot read')) expect(failure).toMatch(/cluster "c" of \S+config/)
  })

  test('that is broken does not matter while another one is used', async () => {
    const { access } = await aKubeconfig({
      files: {
        config: toYaml({
          'current-context': 'x',
          clusters: [
            { name: 'broken', cluster: { server: 5 } },
            { name: 'c', cluster: { server: 'https://c' } },
          ],
          contexts: [{ name: 'x', context: { cluster: 'c' } }],
        }),
      },
    })

    expect((await access()).server.host).toBe('c')
  })
})

describe('a user', () => {
  const inline = () => ({
    'client-certificate-data': base64(admin.certificate),
    'client-key-data': base64(admin.key),
  })
  const filed = { 'client-certificate': 'admin.crt', 'client-key': 'admin.key' }
  const files = () => ({ 'admin.crt': admin.certificate, 'admin.key': admin.key })

  test('has a client certificate, inline, in files, or half and half', async () => {
    const both = `${admin.key}${admin.certificate}`
    const cases = [
      { user: inline() },
      { user: filed, files: files() },
      { user: { ...inline(), ...filed } },
      { user: { ...filed, 'client-key-data': inline()['client-key-data'] }, files: files() },
      {
        user: { 'client-certificate': 'both.pem', 'client-key': 'both.pem' },
        files: { 'both.pem': both },
      },
    ]

    for (const parts of cases) {
      const { credentials } = await (await aKubeconfig(parts)).access()
      const { certificate, token } = await credentials(asIs)
      expect(certificate?.certificate).toBe(admin.certificate)
      expect(certificate?.key.open()).toContain(admin.key)
      expect(token).toBeUndefined()
    }
  })

  test('gets the new client certificate when its files have changed, both of them', async () => {
    const { access, write, clock } = await aKubeconfig({ user: filed, files: files() })
    const { credentials } = await access()
    const now = async () => (await credentials(asIs)).certificate?.certificate

    await write('admin.crt', other.certificate)
    await clock.advance(5_000)
    expect(await now()).toBe(admin.certificate)

    await write('admin.key', other.key)
    await clock.advance(5_000)
    expect(await now()).toBe(other.certificate)
  })

  test('has a token file that wins over the token and is followed', async () => {
    const { access, write, clock } = await aKubeconfig({
      user: { token: 'written', tokenFile: 'tokens/mine' },
      files: { 'tokens/mine': 'first\n' },
    })
    const { credentials } = await access()
    expect((await credentials(asIs)).token?.open()).toBe('first')

    await write('tokens/mine', 'second')
    await clock.advance(5_000)

    expect((await credentials(asIs)).token?.open()).toBe('second')
  })

  test('has an exec plugin beside the kubeconfig that is told of the cluster', async () => {
    const kind = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential' }
    const { access, at } = await aKubeconfig({
      cluster: {
        'certificate-authority-data': base64(ca),
        'tls-server-name': 'kubernetes',
        'proxy-url': 'https://proxy',
        extensions: [
          { name: 'other', extension: 1 },
          { name: 'client.authentication.k8s.io/exec', extension: { audience: '', none: null } },
        ],
      },
      user: {
        exec: {
          ...kind,
          command: 'sh',
          args: ['-c', 'printf %s "$KUBERNETES_EXEC_INFO" >"$SEEN"; cat "$ANSWER"'],
          provideClusterInfo: true,
          env: null,
          installHint: null,
        },
      },
      files: { answer: JSON.stringify({ ...kind, status: { token: SECRET } }) },
    })
    const env = {
      PATH: process.env.PATH,
      KUBECONFIG: at('config'),
      SEEN: at('seen'),
      ANSWER: at('answer'),
    }

    const { credentials } = await access({ env })

    expect((await credentials(asIs)).token?.open()).toBe(SECRET)
    const seen = JSON.parse(await readFile(at('seen'), 'utf8'))
    expect(seen.spec.cluster).toEqual({
      server: 'https://10.0.0.1:6443',
      'certificate-authority-data': base64(ca),
      'tls-server-name': 'kubernetes',
      'proxy-url': 'https://proxy',
      config: { audience: '', none: null },
    })
  })

  test('has a token that wins over that of its exec plugin', async () => {
    const kind = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential' }
    const answer = JSON.stringify({ ...kind, status: { token: 'plugin' } })
    const { access } = await aKubeconfig({
      user: { token: 'written', exec: { ...kind, command: 'echo', args: [answer] } },
    })

    expect((await (await access()).credentials(asIs)).token?.open()).toBe('written')
  })

  test('whose exec plugin is missing is told when it is needed', async () => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: './gone' }
    const { access, at } = await aKubeconfig({ user: { exec } })
    const { credentials } = await access()

    expect(await messageOf(credentials(asIs))).toBe(
      `the exec plugin "${at('gone')}" of user "u" of ${at('config')} was not found; install it`,
    )
  })

  test('acts as somebody else', async () => {
    const { access } = await aKubeconfig({ user: { as: 'ann', 'as-groups': ['admins'] } })

    expect((await access()).impersonate).toEqual({ user: 'ann', groups: ['admins'] })
  })

  test('that is empty is anonymous', async () => {
    const { access } = await aKubeconfig({ user: { token: '', exec: null } })

    expect(await (await access()).credentials(asIs)).toEqual({})
  })

  test.each<[object, RegExp]>([
    [
      { username: 'me', password: SECRET },
      /has a username or password, which Kubernetes accepts no/,
    ],
    [{ 'auth-provider': { name: 'gcp', config: { x: SECRET } } }, /has an auth-provider, which/],
    [{ token: 12345678 }, /cannot be used: token must be string$/],
    [{ token: `${SECRET} ${SECRET}` }, /token of .* holds no bearer token/],
    [{ tokenFile: 'gone', token: SECRET }, /cannot read \S+gone: there is no such file/],
    [{ 'client-certificate-data': base64(SECRET) }, /needs both, a client-certificate and its/],
    [{ 'client-key-data': base64(SECRET) }, /needs both, a client-certificate and its client-key/],
    [
      { 'client-certificate-data': `${SECRET}!`, 'client-key': 'x' },
      /^client-certificate-data of .* is not base64/,
    ],
    [
      { 'client-certificate-data': base64(SECRET), 'client-key-data': base64(SECRET) },
      /^client-certificate-data of .* is not a certificate in PEM form/,
    ],
    [{ 'client-certificate': 'gone', 'client-key': 'gone' }, /cannot read \S+gone: there is no/],
    [{ exec: { command: 'x' } }, /needs an apiVersion of client.authentication.k8s.io\/v1/],
    [{ exec: SECRET }, /cannot be used: exec must be object$/],
    [{ exec: { env: [{ value: SECRET }] } }, /cannot be used: exec\.env\.0 must have required/],
    [{ 'as-groups': ['a'] }, /has as-groups without as/],
    [{ as: 'a', 'as-uid': '1' }, /has as-uid or as-user-extra, which is not supported/],
    [{ as: 'a', 'as-user-extra': { a: ['b'] } }, /has as-uid or as-user-extra, which is not/],
  ])('that cannot be used is told: %j', async (user, message) => {
    const failure = await messageFor({ user })

    expect(failure).toMatch(message)
    if (!failure.startsWith('cannot read')) expect(failure).toMatch(/user "u" of \S+config/)
  })

  test('whose key is another, broken or has a password is told', async () => {
    const data = (key: string) => ({ ...inline(), 'client-key-data': base64(key) })
    const locked = createPrivateKey(admin.key).export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: SECRET,
    })

    expect(await messageFor({ user: data(other.key) })).toMatch(
      /^client-key-data of user "u" of \S+ does not belong to client-certificate-data of user "u"/,
    )
    for (const key of [SECRET, admin.key.slice(0, 90), String(locked)]) {
      expect(await messageFor({ user: data(key) })).toMatch(
        /^client-key-data of user "u" of \S+ is not a private key in PEM form without a password$/,
      )
    }
  })
})

test('entries of several files find what they name in the folder of their own file', async () => {
  const one = await aKubeconfig({ user: { tokenFile: 'token' }, files: { token: 'one' } })
  const two = await aKubeconfig({ user: { tokenFile: 'token' }, files: { token: 'two' } })
  const env = { KUBECONFIG: `${one.at('gone')}:${two.at('config')}:${one.at('config')}` }

  const { credentials, origin } = await one.access({ env })

  expect((await credentials(asIs)).token?.open()).toBe('two')
  expect(origin).toBe(`context "x" of ${two.at('config')}`)
})
