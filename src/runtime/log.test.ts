import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { OperatorError } from '#base/operator-error.ts'
import { Secret } from '#base/secret.ts'
import { ApiError } from '#kube/api-error.ts'
import { createLog, type LogOptions } from './log.ts'

/** A log at noon, and what it wrote. */
function aLog(options: Partial<LogOptions> = {}) {
  const lines: string[] = []
  const now = () => new Date('2030-01-01T12:03:04.567Z')
  const log = createLog({ level: 'info', now, write: (line) => lines.push(line), ...options })
  return { log, lines, objects: () => lines.map((line): unknown => JSON.parse(line)) }
}

describe('a line', () => {
  test('is one JSON object with the names of the contract', () => {
    const { log, lines, objects } = aLog()

    log.info('machine created', { controller: 'KubernetesCluster', cluster: 'c', namespace: 'n' })

    expect(lines.join('')).toMatch(/^\{[^\n]*\}\n$/)
    expect(objects()).toEqual([
      {
        level: 'info',
        timestamp: '2030-01-01T12:03:04Z',
        controller: 'KubernetesCluster',
        cluster: 'c',
        namespace: 'n',
        message: 'machine created',
      },
    ])
  })

  test.each([
    ['error', ['error']],
    ['warn', ['error', 'warn']],
    ['info', ['error', 'warn', 'info']],
    ['debug', ['error', 'warn', 'info', 'debug']],
  ] as const)('is written at level %s if it is important enough', (level, written) => {
    const { log, objects } = aLog({ level })

    for (const name of ['error', 'warn', 'info', 'debug'] as const) log[name]('x')

    expect(objects()).toEqual(written.map((name) => expect.objectContaining({ level: name })))
  })

  test('has the fields of the log it was written to, each once, and the nearest counts', () => {
    const { log, lines, objects } = aLog()
    const pass = log.with({ controller: 'A', name: 'outer' }).with({ name: 'pass', generation: 2 })

    pass.info('one')
    pass.info('two', { name: 'own', more: true })

    expect(objects()).toEqual([
      expect.objectContaining({ controller: 'A', name: 'pass', generation: 2, message: 'one' }),
      expect.objectContaining({ controller: 'A', name: 'own', generation: 2, more: true }),
    ])
    expect(lines.map((line) => line.match(/"name"/g)?.length)).toEqual([1, 1])
  })

  test('keeps its own level, time and message, whatever the fields are called', () => {
    const { log, objects } = aLog()

    log.warn('mine', { level: 'x', timestamp: 'y', message: 'z' })

    expect(objects()).toEqual([
      {
        ...{ level: 'warn', timestamp: '2030-01-01T12:03:04Z', message: 'mine' },
        ...{ level_: 'x', timestamp_: 'y', message_: 'z' },
      },
    ])
  })
})

describe('an error', () => {
  const refused = new ApiError('could not get secrets a/b: no', {
    status: 403,
    reason: 'Forbidden',
  })
  const invalid = new OperatorError('ValidationError', { message: 'spec.x is wrong' })

  test('is told by its message, and by its code, status and reason where it has them', () => {
    const { log, objects } = aLog()

    log.error('pass failed', { error: refused })
    log.error('pass failed', { error: invalid })
    log.error('pass failed', { error: 'just words' })

    expect(objects()).toEqual([
      expect.objectContaining({
        error: refused.message,
        errorStatus: 403,
        errorReason: 'Forbidden',
      }),
      expect.objectContaining({ error: 'spec.x is wrong', errorCode: 'ValidationError' }),
      expect.objectContaining({ error: 'just words' }),
    ])
  })

  test('has its stack and those of its causes at level debug, and never above', () => {
    const error = new Error('outer', { cause: new Error('inner') })
    const [quiet, chatty] = [aLog(), aLog({ level: 'debug' })]

    for (const { log } of [quiet, chatty]) log.error('pass failed', { error })

    expect(quiet.lines.join('')).not.toContain('log.test.ts')
    expect(chatty.objects()).toEqual([
      expect.objectContaining({
        error: 'outer',
        errorStack: expect.stringMatching(/Error: outer\n {4}at .*\ncaused by: Error: inner\n/s),
      }),
    ])
  })
})

describe('secrets', () => {
  const PEM = `-----BEGIN ED25519 PRIVATE KEY-----\nhunter2\n-----END ED25519 PRIVATE KEY-----`

  test.each<[string, Record<string, unknown>]>([
    ['a Secret', { given: new Secret('hunter2') }],
    ['a Secret somewhere inside', { a: { b: [new Secret({ x: 'hunter2' })] } }],
    ['a token', { token: 'hunter2' }],
    ['a token in camel case', { bootstrapToken: 'hunter2' }],
    ['a token in a map', { spec: new Map([['trustd-token', 'hunter2']]) }],
    ['a password', { user: { password: 'hunter2' } }],
    ['a key of an API', { api_key: 'hunter2' }],
    ['a kubeconfig', { kubeconfig: { users: ['hunter2'] } }],
    ['a kubeconfig in one line', { kubeconfig: '{"users":["hunter2"]}' }],
    ['a client key', { 'client-key-data': 'hunter2' }],
    ['a key of TLS', { 'tls.key': 'hunter2' }],
    ['a key of a CA', { caKey: 'hunter2' }],
    ['a key beside its certificate', { os: { crt: 'c', key: 'hunter2' } }],
    ['a Kubernetes Secret', { object: { kind: 'Secret', data: { x: 'hunter2' } } }],
    ['a key by its shape', { said: `got ${PEM}` }],
    ['a key by its shape, cut off', { said: PEM.slice(0, -20) }],
    ['a key in base64', { said: Buffer.from(PEM).toString('base64').replace(/$/, 'hunter2') }],
    ['a bearer token', { said: 'sent Bearer hunter2' }],
    ['a header', { said: "refused 'authorization: Basic hunter2'" }],
    ['a query', { said: 'GET /x?a=b&token=hunter2&c=d' }],
    ['JSON in a text', { said: '{"clusterSecret": "hunter2"}' }],
    ['a JSON web token', { said: 'eyJhbGciOiJSUzI1NiJ9.hunter2.hunter2' }],
    ['a URL with a password', { url: new URL('https://me:hunter2@example.com/x') }],
    ['an error with a password', { error: new Error('no https://me:hunter2@example.com') }],
    ['JSON of its own making', { given: { toJSON: () => ({ secret: 'hunter2' }) } }],
  ])('%s shows as stars, and the rest of the line stays', (_what, fields) => {
    for (const format of ['json', 'text'] as const) {
      const { log, lines } = aLog({ level: 'debug', format })

      log.warn('told', { ...fields, name: 'kept' })
      log.with(fields).warn('told', { name: 'kept' })

      expect(lines).toHaveLength(2)
      expect(lines.join('')).not.toContain('hunter2')
      expect(lines.every((line) => line.includes('***') && line.includes('kept'))).toBe(true)
    }
  })

  test('a message is no way out either', () => {
    const { log, lines } = aLog()

    log.warn('refused Bearer hunter2')

    expect(lines.join('')).not.toContain('hunter2')
  })

  test('what only names a secret, or is a key of something else, is shown', () => {
    const { log, objects } = aLog()
    const fields = {
      ...{ key: 'prod/keys', keys: ['a'], reconcileID: 'r', secretName: 's', tokenFile: '/t' },
      ...{ said: 'a secret: not there; Bearer token, basic check', secretsRef: { name: 's' } },
      ...{
        kubeconfigPath: '/k',
        kubeconfig: '~/.kube/config',
        replicaKey: 'x',
        hasToken: true,
      },
    }

    log.info('shown', fields)

    expect(objects()).toEqual([expect.objectContaining(fields)])
  })
})

describe('a value', () => {
  test('of any kind becomes plain', () => {
    const { log, objects } = aLog()

    log.info('x', {
      ...{ when: new Date('2030-01-01T00:00:00Z'), never: new Date(Number.NaN), big: 10n },
      ...{ bytes: Buffer.from('abc'), set: new Set([1, 2]), nan: Number.NaN, nothing: null },
      ...{ call: () => 1, missing: undefined, list: [undefined, 1], symbol: Symbol('s') },
    })

    expect(objects()).toEqual([
      {
        ...{ level: 'info', timestamp: expect.any(String), message: 'x' },
        ...{ when: '2030-01-01T00:00:00.000Z', never: 'no date', big: '10' },
        ...{ bytes: '<3 bytes>', set: [1, 2], nan: 'NaN', nothing: null },
        ...{ call: '<function>', list: [null, 1], symbol: 'Symbol(s)' },
      },
    ])
  })

  test('that is too long, too deep or too much is cut, with a mark', () => {
    const { log, lines, objects } = aLog()
    const deep = { a: { b: { c: { d: { e: { f: 1 } } } } } }
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at}`, at]))

    log.info('x', { long: 'y'.repeat(5_000), deep, list: Array(60).fill(1), many })
    log.info('x', { wide: Array(50).fill(Array(50).fill('z'.repeat(4_000))) })

    expect(objects()[0]).toMatchObject({
      long: `${'y'.repeat(4_096)}… 904 more`,
      deep: { a: { b: { c: { d: { e: '<too deep>' } } } } },
      list: expect.arrayContaining([1, '… 10 more']),
      many: expect.objectContaining({ f49: 49, '…': '10 more' }),
    })
    expect(lines[1]?.length).toBeLessThan(20_000)
  })

  test('that fights back costs no more than itself', () => {
    const { log, objects } = aLog()
    const circle: Record<string, unknown> = {}
    circle.self = circle
    const no = () => {
      throw new Error('no')
    }
    const getter = Object.defineProperty({}, 'bad', { enumerable: true, get: no })
    const proxy = new Proxy({}, { ownKeys: no })

    log.info('x', { circle, getter, proxy, json: { toJSON: () => proxy } })

    expect(objects()).toEqual([
      expect.objectContaining({
        circle: { self: '<circular>' },
        getter: { bad: '<unreadable>' },
        proxy: '<unreadable>',
        json: '<unreadable>',
        message: 'x',
      }),
    ])
  })

  test('nothing that is logged makes the caller fail, nor does where it goes', () => {
    const full = () => {
      throw new Error('disk full')
    }
    const { log } = aLog({ write: full })
    const fields = new Proxy({}, { ownKeys: full })

    expect(() => log.error('x')).not.toThrow()
    expect(() => aLog().log.error('x', fields)).not.toThrow()
    expect(() => aLog().log.with(fields).error('x')).not.toThrow()
  })
})

describe('as text', () => {
  test('a line is easy on the eye', () => {
    const { log, lines } = aLog({ format: 'text' })

    log.info('step done', {
      controller: 'A',
      name: 'ns/x',
      n: 2,
      why: 'so it is',
      list: [1],
      no: '',
    })
    log.error('ended')

    expect(lines).toEqual([
      '12:03:04 INFO  step done  controller=A name=ns/x n=2 why="so it is" list=[1] no=""\n',
      '12:03:04 ERROR ended\n',
    ])
  })

  test('a stack stands below its line', () => {
    const { log, lines } = aLog({ format: 'text', level: 'debug' })

    log.error('failed', { error: new Error('no') })

    expect(lines.join('')).toMatch(/^12:03:04 ERROR failed {2}error=no\n {4}Error: no\n {8}at /)
  })

  test('nothing can steer the terminal or forge a line', () => {
    const { log, lines } = aLog({ format: 'text' })

    log.info('a\nb', { x: '\u001b[2J', y: '1\n12:03:04 INFO  forged' })

    expect(lines).toEqual([
      '12:03:04 INFO  "a\\nb"  x="\\u001b[2J" y="1\\n12:03:04 INFO  forged"\n',
    ])
  })
})

test('lines go to standard error, and are there when the program dies in the next line', () => {
  const script = `
    import { createLog } from './src/runtime/log.ts'
    const log = createLog({ level: 'info' })
    for (let at = 0; at < 2_000; at++) log.info('x', { at, fill: 'y'.repeat(100) })
    process.kill(process.pid, 'SIGKILL')`

  const { stdout, stderr, signal } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', script],
    { encoding: 'utf8', maxBuffer: 10_000_000 },
  )
  expect({ stdout, signal }).toEqual({ stdout: '', signal: 'SIGKILL' })
  expect(
    stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).at),
  ).toEqual([...Array(2_000).keys()])
})
