import { expect, test } from 'vitest'
import { endpointProblem, requestAddressProblem, requestPath } from './endpoint.ts'

test.for([
  'http://216.22.102.222',
  'https://[2001:db8:abef::ffff]:65000',
  'https://[fe80::1%25eth0]:1/',
  'https://[fe80::1%25%20a%41]/',
  'https://user:word@a.example/path?x=1#y',
  'https://a%C3%A9.example/',
])('%s is an endpoint', (url) => {
  expect(endpointProblem(url)).toBeUndefined()
})

test.for([
  ['', 'hostname must not be blank'],
  ['a:80', 'hostname must not be blank'],
  ['kubernetes.io', 'hostname must not be blank'],
  ['https://:6443', 'hostname must not be blank'],
  ['http://a.example:0', 'port number must be between 1 and 65535'],
  ['http://a.example:65536', 'port number must be between 1 and 65535'],
  ['http://a.example:99999999999999999999', 'port number must be numeric'],
  ['tcp://1:2:3:4', 'IPv6 addresses MUST be enclosed by square brackets'],
  ['http://a:1:2', 'parse "http://a:1:2": invalid port ":1:2" after host'],
  ['http://a:b#c', 'parse "http://a:b": invalid port ":b" after host'],
  ['http://u:secret@a:b', 'parse "http://…@a:b": invalid port ":b" after host'],
  ['http://u^@a', 'parse "http://…@a": net/url: invalid userinfo'],
  ['http://u%4@a', 'parse "http://…@a": invalid URL escape "%4"'],
  ['http://a b/', 'parse "http://a b/": invalid character " " in host name'],
  ['http://a%20b/', 'parse "http://a%20b/": invalid URL escape "%20"'],
  ['http://a%zz/', 'parse "http://a%zz/": invalid URL escape "%zz"'],
  ['http://a[::1]/', 'parse "http://a[::1]/": invalid IP-literal'],
  ['http://[::1/', 'parse "http://[::1/": missing \']\' in host'],
  ['http://[::1]x/', 'parse "http://[::1]x/": invalid port "x" after host'],
  ['http://[1.2.3.4]/', 'parse "http://[1.2.3.4]/": invalid IP-literal'],
  ['http://[]/', 'parse "http://[]/": invalid host: ParseAddr(""): unable to parse IP'],
  ['http://[::1%5e]/', 'parse "http://[::1%5e]/": invalid URL escape "%5e"'],
  ['http://[::1%25%5e]/', 'parse "http://[::1%25%5e]/": invalid URL escape "%5e"'],
  ['http://[a]/', 'parse "http://[a]/": invalid host: ParseAddr("a"): unable to parse IP'],
  ['http://a/%zz', 'parse "http://a/%zz": invalid URL escape "%zz"'],
  ['http://a:b/\t', 'parse "http://a:b/\\t": net/url: invalid control character in URL'],
] as const)('%s is no endpoint', ([url, problem]) => {
  expect(endpointProblem(url)).toBe(problem)
})

test.for([
  ['https://a.example', undefined, ''],
  ['https://a.example/x?y#z', undefined, '/x'],
  ['https://a.example/#x', undefined, '/%23x'],
  ['/a?b', undefined, '/a'],
  ['//a/b', undefined, '//a/b'],
  ['a.example:443', undefined, ''],
  ['a.example', 'parse "a.example": invalid URI for request', ''],
  ['a\n', 'parse "a\\n": net/url: invalid control character in URL', ''],
  [':a', 'parse ":a": missing protocol scheme', ''],
  ['https://a#b', 'parse "https://a#b": invalid character "#" in host name', ''],
] as const)('%s as an address to ask', ([text, problem, path]) => {
  expect(requestAddressProblem(text)).toBe(problem)
  if (!problem) expect(requestPath(text)).toBe(path)
})
