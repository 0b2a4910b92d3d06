import { describe, expect, test } from 'vitest'
import { ConfigError } from '#machineconfig/config-error.ts'
import { readEndpoint } from './endpoint.ts'

describe('an endpoint is a URL', () => {
  test.each([
    ['https://192.0.2.1:6443', 'https://192.0.2.1:6443', '192.0.2.1'],
    ['https://cluster.example.org', 'https://cluster.example.org', 'cluster.example.org'],
    ['HTTPS://Cluster.Example.org/', 'https://Cluster.Example.org/', 'Cluster.Example.org'],
    ['https://[2001:db8::1]:6443', 'https://[2001:db8::1]:6443', '2001:db8::1'],
    ['https://[2001:db8::1]', 'https://[2001:db8::1]', '2001:db8::1'],
    ['https://a:65535/k8s/v1', 'https://a:65535/k8s/v1', 'a'],
    ['https://a:1', 'https://a:1', 'a'],
    ['https://a:', 'https://a:', 'a'],
  ])('%s', (text, url, host) => {
    expect(readEndpoint(text)).toEqual({ url, host })
  })
})

const INVALID = 'error validating the cluster endpoint URL: '
const unparsable = (text: string, why: string) =>
  `failed to parse the cluster endpoint URL: parse ${JSON.stringify(text)}: ${why}`

describe('anything else is refused, with what to write instead', () => {
  test.each([
    ['', 'no scheme and port specified for the cluster endpoint URL\ntry: "https://:6443"'],
    ['a', 'no scheme and port specified for the cluster endpoint URL\ntry: "https://a:6443"'],
    ['//a/b', 'no scheme and port specified for the cluster endpoint URL\ntry: "https://a:6443"'],
    [
      '192.0.2.1:6443',
      'no scheme specified for the cluster endpoint URL\ntry: "https://192.0.2.1:6443"',
    ],
    [
      '[2001:db8::1]:6443',
      'no scheme specified for the cluster endpoint URL\ntry: "https://[2001:db8::1]:6443"',
    ],
    [
      '2001:db8::1',
      'no scheme and port specified for the cluster endpoint URL\ntry: "https://[2001:db8::1]:6443"',
    ],
    [
      'http://a/b',
      'the control plane endpoint URL should have scheme https://\ntry: "https://a:6443"',
    ],
    [
      'http://a:80',
      'the control plane endpoint URL should have scheme https://\ntry: "https://a:80"',
    ],
    [
      'a.example:6443',
      'the control plane endpoint URL should have scheme https://\ntry: "https://a.example:6443"',
    ],
    ['https://', `${INVALID}hostname must not be blank`],
    ['https:/x', `${INVALID}hostname must not be blank`],
    ['https://:6443', `${INVALID}hostname must not be blank`],
    ['https://a:0', `${INVALID}port number must be between 1 and 65535`],
    ['https://a:65536', `${INVALID}port number must be between 1 and 65535`],
    ['https://a:b', unparsable('https://a:b', 'invalid port ":b" after host')],
    ['https://a::1', unparsable('https://a::1', 'invalid port "::1" after host')],
    ['https://[::1', unparsable('https://[::1', "missing ']' in host")],
    ['https://[::1]x', unparsable('https://[::1]x', 'invalid port "x" after host')],
    [
      'https://[zz]',
      unparsable('https://[zz]', 'invalid host: ParseAddr("zz"): unable to parse IP'),
    ],
    [
      'https://[fe80::1%25eth0]',
      unparsable(
        'https://[fe80::1%25eth0]',
        'invalid host: ParseAddr("fe80::1%25eth0"): unable to parse IP',
      ),
    ],
    ['https://a b', unparsable('https://a b', 'invalid character " " in host name')],
    ['https://a/b?c', unparsable('https://a/b?c', 'invalid character in path')],
    ['https://a#c', unparsable('https://a#c', 'invalid character in path')],
    ['https://me:secret@a', 'the cluster endpoint URL must not hold a user'],
  ])('%s', (text, message) => {
    expect(() => readEndpoint(text)).toThrow(new ConfigError(message))
  })
})

test('what is suggested shows no password', () => {
  expect(() => readEndpoint('http://me:word@a.example')).toThrow(
    /try: "https:\/\/a\.example:6443"$/,
  )
})
