import { describe, expect, test } from 'vitest'
import { errorsOf } from './verdicts.cases.ts'

test('variables of the environment have names', () => {
  expect(errorsOf('EnvironmentConfig', { variables: { _A9: '', '9a': '', 'a-b': '' } })).toEqual([
    'invalid environment variable name: "9a"',
    'invalid environment variable name: "a-b"',
  ])
})

test('events go to a host with a port', () => {
  expect(errorsOf('EventSinkConfig', { endpoint: '192.168.10.3:3247' })).toEqual([])
  expect(errorsOf('EventSinkConfig', { endpoint: 'host' })).toEqual([
    'event sink endpoint: address host: missing port in address',
  ])
})

test('messages of the kernel go to a host with a port', () => {
  const errors = (url: string) => errorsOf('KmsgLogConfig', { name: 'a', url })
  expect(errorsOf('KmsgLogConfig', {})).toEqual(['name is required'])
  expect(errorsOf('KmsgLogConfig', { name: 'a' })).toEqual(['url is required'])
  expect(errors('http://a:1')).toEqual(['url scheme must be tcp:// or udp://'])
  expect(errors('tcp://a:1/b')).toEqual(['url path must be empty'])
  expect(errors('tcp://a')).toEqual(['url port is required'])
  expect([errors('udp://a:1'), errors('tcp://a:1/')]).toEqual([[], []])
})

test('a SideroLink leads to a server', () => {
  const errors = (apiUrl: string) => errorsOf('SideroLinkConfig', { apiUrl })
  expect(errorsOf('SideroLinkConfig', {})).toEqual(['apiUrl is required'])
  expect(errors('http://a')).toEqual(['apiUrl scheme must be https:// or grpc://'])
  expect(errors('https://a/b')).toEqual(['apiUrl path must be empty'])
  expect([errors('https://a/?jointoken=x'), errors('grpc://a:1')]).toEqual([[], []])
})

describe('what to do when memory runs out', () => {
  test('is said by expressions', () => {
    const wrong = { triggerExpression: 'memory_full_avg10', cgroupRankingExpression: 'class' }
    expect(errorsOf('OOMConfig', { ...wrong, sampleInterval: '-1s' })).toEqual([
      'OOM trigger expression is invalid: expression output type is double, expected bool',
      'OOM cgroup scoring expression is invalid: expression output type is int, expected double',
      'OOM sample interval must be longer than 0',
    ])
  })

  test('can be left to Talos', () => {
    expect(errorsOf('OOMConfig', { sampleInterval: '1s' })).toEqual([])
  })
})

test('a watchdog waits for ten seconds', () => {
  const errors = (timeout: string) =>
    errorsOf('WatchdogTimerConfig', { device: '/dev/watchdog0', timeout })
  const short = ['watchdog timeout: minimum value is 10s']
  expect(errorsOf('WatchdogTimerConfig', { timeout: '1s' })).toEqual([
    'watchdog device: empty value',
  ])
  expect(errorsOf('WatchdogTimerConfig', { device: '/dev/watchdog0' })).toEqual([])
  expect([errors('9.999s'), errors('-1h0m0s'), errors('10s')]).toEqual([short, short, []])
})

test('an extension is given files or variables', () => {
  const errors = (fields: object) => errorsOf('ExtensionServiceConfig', { name: 'nut', ...fields })
  const whole = { content: 'a', mountPath: '/b' }
  expect(errorsOf('ExtensionServiceConfig', {})).toEqual(['name is required'])
  expect(errors({})).toEqual(['no config files found for extension "nut"'])
  expect(errors({ environment: ['A=b'] })).toEqual([])
  expect(errors({ configFiles: [whole] })).toEqual([])
  expect(errors({ configFiles: [whole, { content: 'a' }] })).toEqual([
    'extension mount path is required for extension "nut"',
  ])
  expect(errors({ configFiles: [{}, whole] })).toEqual([
    'extension content is required for extension "nut"',
  ])
})

describe('whose images are run', () => {
  const errors = (rule: object) =>
    errorsOf('ImageVerificationConfig', { rules: [{ image: 'a', deny: true }, { ...rule }] })
  const told = (...problems: string[]) => problems.map((problem) => `rule 1: ${problem}`)
  const keyless = { issuer: 'a', subject: 'b' }

  test('is decided or verified', () => {
    expect(errors({})).toEqual(
      told('imagePattern must be specified', 'at least one verifier must be configured'),
    )
    expect(errors({ image: 'a', skip: true, deny: true })).toEqual(
      told('skip and deny cannot both be true'),
    )
    expect(errors({ image: 'a', skip: true, keyless })).toEqual(
      told('verifiers cannot be configured if skip or deny is true'),
    )
    expect(errors({ image: 'a', skip: true })).toEqual([])
  })

  test('is verified in one way', () => {
    expect(errors({ image: 'a', keyless: {}, publicKey: {} })).toEqual(
      told(
        'only one of keyless or publicKey verifier can be configured',
        'verifier OIDC issuer must be specified',
        'verifier subject or subjectRegex must be specified',
        'verifier certificates must be specified',
      ),
    )
    expect(errors({ image: 'a', keyless })).toEqual([])
    expect(errors({ image: 'a', keyless: { issuer: 'a', subjectRegex: 'b' } })).toEqual([])
    expect(errors({ image: 'a', publicKey: { certificate: 'x' } })).toEqual([])
  })
})
