import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '#test/conformance/kubernetes/certificates.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { until } from '#test/until.ts'
import { execCredentials } from './exec-credentials.ts'
import type { ExecPlugin } from './kubeconfig-schema.ts'

const V1 = 'client.authentication.k8s.io/v1'
const asIs = { renew: false, signal: new AbortController().signal }
const renewed = { ...asIs, renew: true }
// Every secret of these tests holds this word, and no error may.
const SECRET = 'hunter2'
const errors: unknown[] = []
let admin = { certificate: '', key: '' }
let other = { certificate: '', key: '' }

beforeAll(async () => {
  const authority = await createAuthority()
  admin = await authority.issueClient('admin', 'system:masters')
  other = await authority.issueClient('other', 'nobody')
})

afterAll(() => {
  expect(errors.length).toBeGreaterThan(10)
  const shown = errors.map((error) => inspect(error, { depth: 5, showHidden: true })).join('\n')
  expect(shown).not.toContain(SECRET)
  for (const line of admin.key.split('\n')) if (line) expect(shown).not.toContain(line)
})

/** The message of the error that it ends with, which is kept to be searched for secrets. */
async function messageOf(ask: () => Promise<unknown>): Promise<string> {
  try {
    await ask()
  } catch (error) {
    errors.push(error)
    return error instanceof Error ? error.message : String(error)
  }
  throw new Error('it did not fail')
}

const answer = (status: object, apiVersion = V1): string =>
  JSON.stringify({ apiVersion, kind: 'ExecCredential', status })

/** A plugin whose shell script counts its runs in the file `runs`, and can read `$FOLDER`. */
async function aPlugin(script: string, changes: Partial<ExecPlugin> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'exec-credentials-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'plugin.sh'), `echo run >>"$FOLDER/runs"\n${script}\n`)
  const plugin = {
    apiVersion: V1,
    command: 'sh',
    args: [join(folder, 'plugin.sh'), `--password=${SECRET}`],
    ...changes,
  }
  const clock = new FakeClock()
  const env = { PATH: process.env.PATH, FOLDER: folder, COLOUR: 'red' }
  const cluster = { server: 'https://10.0.0.1:6443' }
  return {
    folder,
    clock,
    write: (name: string, text: string) => writeFile(join(folder, name), text),
    read: (name: string) => readFile(join(folder, name), 'utf8'),
    runs: async () => (await readFile(join(folder, 'runs'), 'utf8')).trim().split('\n').length,
    credentials: execCredentials({ plugin, what: 'user "u"', folder, cluster, env, clock }),
  }
}

const aPrintingPlugin = async (stdout: string, changes: Partial<ExecPlugin> = {}) => {
  const plugin = await aPlugin('cat "$FOLDER/answer"', changes)
  await plugin.write('answer', stdout)
  return plugin
}

describe('what a plugin prints', () => {
  test.each([V1, 'client.authentication.k8s.io/v1beta1'])('is a token, in %s', async (version) => {
    const { credentials } = await aPrintingPlugin(answer({ token: SECRET }, version), {
      apiVersion: version,
    })

    const { token, certificate } = await credentials(asIs)

    expect(token?.open()).toBe(SECRET)
    expect(certificate).toBeUndefined()
  })

  test('is a client certificate, or both', async () => {
    const status = { clientCertificateData: admin.certificate, clientKeyData: admin.key }
    const one = await aPrintingPlugin(answer({ ...status, token: null }))
    const both = await aPrintingPlugin(answer({ ...status, token: SECRET }))

    const { certificate, token } = await one.credentials(asIs)

    expect(certificate?.certificate).toBe(admin.certificate)
    expect(certificate?.key.open()).toBe(admin.key)
    expect(token).toBeUndefined()
    expect(Object.keys(await both.credentials(asIs)).sort()).toEqual(['certificate', 'token'])
  })

  test('is refused without being shown where it makes no credentials', async () => {
    const key = { clientKeyData: admin.key }
    const cases: [string, string][] = [
      ['', 'did not print JSON'],
      [`token ${SECRET}`, 'did not print JSON'],
      [`"${SECRET}"`, 'printed cannot be used: it must be object'],
      [answer({ token: { [SECRET]: 1 } }), 'printed cannot be used: status.token must be string'],
      [
        answer({ token: SECRET }, 'client.authentication.k8s.io/v1beta1'),
        `ExecCredential of ${V1}`,
      ],
      [
        JSON.stringify({ apiVersion: V1, kind: SECRET }),
        `did not print an ExecCredential of ${V1}`,
      ],
      [answer({}), 'printed neither a token nor a client certificate'],
      [answer({ token: `${SECRET}\n${SECRET}` }), 'holds no bearer token'],
      [answer({ ...key, clientCertificateData: SECRET }), 'Data of the exec plugin "sh"'],
      [
        answer(key),
        'clientCertificateData of the exec plugin "sh" of user "u" is not a certificate',
      ],
      [answer({ clientCertificateData: admin.certificate }), 'is not a private key in PEM form'],
      [
        answer({ ...key, clientCertificateData: other.certificate }),
        'does not belong to status.clientCertificateData',
      ],
      [answer({ token: SECRET, expirationTimestamp: SECRET }), 'is not a time like 2030'],
      [answer({ token: SECRET, expirationTimestamp: '9' }), 'is not a time like 2030'],
    ]

    for (const [stdout, message] of cases) {
      const { credentials } = await aPrintingPlugin(stdout)
      expect(await messageOf(() => credentials(asIs))).toContain(message)
    }
  })

  test('may not be larger than a mebibyte', async () => {
    const { credentials } = await aPlugin(`while :; do echo ${SECRET}; done`)

    expect(await messageOf(() => credentials(asIs))).toContain('printed more than 1 MiB')
  })
})

describe('credentials of a plugin', () => {
  test('are kept until shortly before they expire', async () => {
    const { credentials, clock, runs } = await aPrintingPlugin(
      answer({ token: SECRET, expirationTimestamp: '2030-01-01T01:00:00+00:00' }),
    )

    await credentials(asIs)
    await clock.advance(3_590_000 - 1)
    await credentials(asIs)
    expect(await runs()).toBe(1)

    await clock.advance(1)
    await credentials(asIs)
    expect(await runs()).toBe(2)
  })

  test('without an end are kept until they are refused', async () => {
    const { credentials, clock, runs, write } = await aPrintingPlugin(answer({ token: SECRET }))
    await credentials(asIs)
    await clock.advance(1e10)
    await credentials(asIs)
    expect(await runs()).toBe(1)

    await write('answer', answer({ token: 'next' }))

    expect((await credentials(renewed)).token?.open()).toBe('next')
    expect((await credentials(asIs)).token?.open()).toBe('next')
    expect(await runs()).toBe(2)
  })

  test('that have expired are asked for by the time of day, even if it jumped', async () => {
    const { credentials, clock, runs } = await aPrintingPlugin(
      answer({ token: SECRET, expirationTimestamp: '2030-01-01T01:00:00Z' }),
    )
    await credentials(asIs)

    clock.jump(3_600_000)
    await credentials(asIs)

    expect(await runs()).toBe(2)
  })

  test('are fetched once for all who ask at the same time', async () => {
    const { credentials, runs } = await aPrintingPlugin(answer({ token: SECRET }))

    await Promise.all([credentials(asIs), credentials(renewed), credentials(asIs)])

    expect(await runs()).toBe(1)
  })

  test('can be had after a failure', async () => {
    const { credentials, write } = await aPrintingPlugin('')
    await messageOf(() => credentials(asIs))

    await write('answer', answer({ token: SECRET }))

    expect((await credentials(asIs)).token?.open()).toBe(SECRET)
  })
})

describe('a plugin', () => {
  const inspecting = `printf %s "$KUBERNETES_EXEC_INFO" >"$FOLDER/task"
    printf %s "$COLOUR-$SIZE-$1" >"$FOLDER/seen"
    cat >"$FOLDER/stdin"
    echo '${answer({ token: 'abc' })}'`

  test('sees our variables, its own, its arguments, and that nobody answers it', async () => {
    const { credentials, read } = await aPlugin(inspecting, {
      env: [{ name: 'COLOUR', value: 'blue' }, { name: 'SIZE' }],
    })

    await credentials(asIs)

    expect(await read('seen')).toBe(`blue----password=${SECRET}`)
    expect(await read('stdin')).toBe('')
    expect(JSON.parse(await read('task'))).toEqual({
      apiVersion: V1,
      kind: 'ExecCredential',
      spec: { interactive: false },
    })
  })

  test('sees the cluster if it wants to', async () => {
    const { credentials, read } = await aPlugin(inspecting, { provideClusterInfo: true })

    await credentials(asIs)

    expect(JSON.parse(await read('task')).spec).toEqual({
      interactive: false,
      cluster: { server: 'https://10.0.0.1:6443' },
    })
  })

  test('with a path in its command is found beside the kubeconfig', async () => {
    const { credentials, folder } = await aPrintingPlugin(answer({ token: SECRET }), {
      command: './shell',
    })
    await symlink('/bin/sh', join(folder, 'shell'))

    expect((await credentials(asIs)).token?.open()).toBe(SECRET)
  })

  test('that is missing is told with the hint of how to install it', async () => {
    const hinted = await aPlugin('', { command: 'no-such-plugin', installHint: 'brew install it' })
    const plain = await aPlugin('', { command: './no-such-plugin' })

    expect(await messageOf(() => hinted.credentials(asIs))).toBe(
      'the exec plugin "no-such-plugin" of user "u" was not found; install it:\nbrew install it',
    )
    expect(await messageOf(() => plain.credentials(asIs))).toMatch(/was not found; install it$/)
  })

  test('that is no program is told', async () => {
    const { credentials, write } = await aPlugin('', { command: './text' })
    await write('text', SECRET)

    expect(await messageOf(() => credentials(asIs))).toContain(
      'may not be executed; check its mode',
    )
  })

  test('that fails is told with its last lines on standard error, and nothing else', async () => {
    const { credentials } = await aPlugin(`
      echo '${answer({ token: SECRET })}'
      for n in 1 2 3 4 5 6 7 8 9 10 11; do echo "line $n" >&2; done
      printf '\\033[31mplease log in\\n' >&2
      exit 3`)

    const message = await messageOf(() => credentials(asIs))

    const [first, ...lines] = message.split('\n')
    expect(first).toBe(
      'the exec plugin "sh" of user "u" ended with exit code 3; run it by hand to see why. It said:',
    )
    expect(lines).toHaveLength(10)
    expect(lines.slice(-2)).toEqual(['line 11', '[31mplease log in'])
  })

  test('that talks without end on standard error does not make a message without end', async () => {
    const { credentials } = await aPlugin('head -c 5000000 /dev/zero | tr "\\0" x >&2; exit 1')

    expect((await messageOf(() => credentials(asIs))).length).toBeLessThan(2_200)
  })

  test('that is killed is told', async () => {
    const { credentials } = await aPlugin('kill -9 $$')

    expect(await messageOf(() => credentials(asIs))).toContain('was ended by SIGKILL')
  })

  test('with a NUL in its arguments is told without them', async () => {
    const { credentials } = await aPlugin('', { args: [`${SECRET}\0`] })

    expect(await messageOf(() => credentials(asIs))).toContain(
      'cannot be started with these arguments',
    )
  })

  test.each<[Partial<ExecPlugin>, string]>([
    [{ interactiveMode: 'Always' }, 'has interactiveMode Always, but nobody is here to answer it'],
    [{ apiVersion: 'client.authentication.k8s.io/v1alpha1' }, `needs an apiVersion of ${V1} or`],
    [{ apiVersion: '' }, `needs an apiVersion of ${V1} or`],
    [{ command: '' }, 'has an exec plugin without a command'],
  ])('that cannot be used is refused before it runs: %j', async (changes, message) => {
    expect(await messageOf(() => aPlugin('', changes))).toContain(message)
  })
})

describe('a plugin that hangs', () => {
  // What it starts outlives the shell, unless the whole group is ended.
  const hanging = 'echo waiting for you >&2; sleep 1000 & echo $! >"$FOLDER/pid"; wait'

  async function aHangingPlugin() {
    const plugin = await aPlugin(hanging)
    const pid = async () => Number(await plugin.read('pid').catch(() => ''))
    return {
      ...plugin,
      isStarted: () => until('the plugin to start', pid, (seen) => seen > 0),
      isGone: async () =>
        until(
          'the end of what it started',
          async () => isRunning(await pid()),
          (seen) => !seen,
        ),
    }
  }

  test('is ended with all it has started when its time is up', async () => {
    const { credentials, clock, isStarted, isGone } = await aHangingPlugin()

    const message = messageOf(() => credentials(asIs))
    await isStarted()
    await clock.advance(60_000)

    expect(await message).toContain(
      'gave no answer within 60 s, and was ended; run it by hand to see why. It said:\nwaiting for',
    )
    await isGone()
  })

  test('is ended when nobody waits for it any more', async () => {
    const { credentials, clock, isStarted, isGone } = await aHangingPlugin()
    const [one, two] = [new AbortController(), new AbortController()]
    const asked = [one, two].map(({ signal }) => credentials({ renew: false, signal }))
    const results = Promise.allSettled(asked)
    await isStarted()

    one.abort(new Error('one left'))
    two.abort(new Error('two left'))

    expect(await results).toMatchObject([
      { reason: { message: 'one left' } },
      { reason: { message: 'two left' } },
    ])
    await isGone()
    expect(clock.waiting).toBe(0)
  })

  test('does not start for somebody who has left', async () => {
    const { credentials, runs } = await aHangingPlugin()
    const signal = AbortSignal.abort(new Error('enough'))

    expect(await messageOf(() => credentials({ renew: false, signal }))).toBe('enough')
    await expect(runs()).rejects.toThrow('ENOENT')
  })
})

async function isRunning(pid: number): Promise<boolean> {
  try {
    // A zombie that waits for init to notice it is not running.
    return !/^State:\s+Z/m.test(await readFile(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
