import { describe, expect, test } from 'vitest'
import { errorsOf } from './verdicts.cases.ts'

test('settings of a network card are of one', () => {
  expect(errorsOf('EthernetConfig', {})).toEqual(['name is required'])
  expect(errorsOf('EthernetConfig', { name: 'eth0' })).toEqual([])
})

describe('an alias of links', () => {
  const match = 'link.driver == "e1000"'

  test('may count them', () => {
    const named = (name: string) => errorsOf('LinkAliasConfig', { name, selector: { match } })
    expect([named('int0'), named('net%d')]).toEqual([[], []])
    for (const name of ['net%s', '%d', 'a%d%d', 'a%db']) {
      expect(named(name)).toEqual([`name "${name}" contains an invalid format verb, use %d suffix`])
    }
  })

  test('selects them', () => {
    expect(errorsOf('LinkAliasConfig', {})).toEqual([
      'name must be specified',
      'link selector is required',
    ])
    expect(errorsOf('LinkAliasConfig', { name: 'a', selector: { match: 'link.mtu' } })).toEqual([
      'link selector is invalid: expression output type is uint, expected bool',
    ])
  })
})

test.each(['DHCPv4Config', 'DHCPv6Config'])('%s names itself by what it is given', (kind) => {
  expect(errorsOf(kind, { duidRaw: '00:01' })).toEqual([
    'name must be specified',
    "duidRaw can only be set if clientIdentifier is 'duid'",
  ])
  expect(errorsOf(kind, { name: 'a', clientIdentifier: 'duid' })).toEqual([
    "duidRaw must be set if clientIdentifier is 'duid'",
  ])
  expect(errorsOf(kind, { name: 'a', clientIdentifier: 'duid', duidRaw: '00:01' })).toEqual([])
})

describe('a shared address', () => {
  test('is on a link', () => {
    expect(errorsOf('Layer2VIPConfig', {})).toEqual([
      'name must be specified',
      'link must be specified',
    ])
    expect(errorsOf('Layer2VIPConfig', { name: 'x', link: 'a' })).toEqual([
      'name must be a valid IP address: ParseAddr("x"): unable to parse IP',
    ])
    expect(errorsOf('Layer2VIPConfig', { name: 'fd00::1', link: 'a' })).toEqual([])
  })

  test('of Hetzner needs a token', () => {
    const vip = { name: '10.0.0.1', link: 'a' }
    expect(errorsOf('HCloudVIPConfig', vip)).toEqual(['apiToken must be specified'])
    expect(errorsOf('HCloudVIPConfig', { ...vip, apiToken: 'throw-away' })).toEqual([])
  })
})

test('a route to nowhere is a prefix', () => {
  const none = `name must be a valid address prefix: netip.ParsePrefix("`
  expect(errorsOf('BlackholeRouteConfig', {})).toEqual([
    'name must be specified',
    `${none}"): no '/'`,
  ])
  expect(verdictText('10.0.0.0')).toContain(`${none}10.0.0.0"): no '/'`)
  expect(errorsOf('BlackholeRouteConfig', { name: '10.0.0.0/8' })).toEqual([])
})

const verdictText = (name: string): string => errorsOf('BlackholeRouteConfig', { name }).join()

describe('a rule for routing', () => {
  const RESERVED =
    'priority must be between 1 and 32765 (excluding reserved priorities [0 32500 32766 32767])'
  const errors = (fields: object) => errorsOf('RoutingRuleConfig', { table: '100', ...fields })
  const unparsable = (name: string, why: string) =>
    `invalid name: must be priority parsable unsigned integer: strconv.ParseUint: parsing "${name}": ${why}`

  test('is named by its priority', () => {
    expect(errors({ name: '1000' })).toEqual([])
    expect(errors({})).toEqual([
      'name must be specified',
      unparsable('', 'invalid syntax'),
      RESERVED,
    ])
    expect(errors({ name: 'a' })).toEqual([unparsable('a', 'invalid syntax'), RESERVED])
    expect(errors({ name: '4294967296' })).toEqual([unparsable('4294967296', 'value out of range')])
    expect(errors({ name: '32500' })).toEqual([RESERVED])
  })

  test('leads somewhere', () => {
    const wrong = ['either table or a non-unicast action must be specified']
    expect(errorsOf('RoutingRuleConfig', { name: '1' })).toEqual(wrong)
    expect(errors({ name: '1', table: 'unspec', action: 'unicast' })).toEqual(wrong)
    expect(errors({ name: '1', table: 'unspec', action: 'blackhole' })).toEqual([])
  })

  test('has no mask without a mark', () => {
    expect(errors({ name: '1', fwMask: 1 })).toEqual(['fwMask requires fwMark to be set'])
    expect(errors({ name: '1', fwMask: 1, fwMark: 1 })).toEqual([])
  })
})

describe('a rule of the firewall', () => {
  const errors = (ports: (string | number)[], ingress: object[] = []) =>
    errorsOf('NetworkRuleConfig', {
      name: 'a',
      portSelector: { ports },
      ingress: ingress.map((rule) => ({ ...rule })),
    })

  test('has a name and ports', () => {
    expect(errorsOf('NetworkRuleConfig', {})).toEqual(['name is required'])
    expect(errors([])).toEqual(['portSelector.ports is required'])
    expect(errors([50000], [{ subnet: '10.0.0.0/8' }])).toEqual([])
  })

  test('its ports do not overlap', () => {
    expect(errors(['20-10'])).toEqual(['invalid port range: 20-10'])
    expect(errors(['15-30', '10-20'])).toEqual(['invalid port range: 15-30, overlaps with 10-20'])
    expect(errors([10, 10])).toEqual(['invalid port range: 10-10, overlaps with 10-10'])
    expect(errors([11, '5-10'])).toEqual([])
  })

  test('lets in from somewhere', () => {
    expect(errors([1], [{ subnet: '10.0.0.0/8' }, { except: '10.0.0.0/9' }])).toEqual([
      'invalid subnet: invalid Prefix',
    ])
  })
})

describe('a probe', () => {
  test('of TCP', () => {
    const wrong = { timeout: '-1m0s', interval: '-1s', failureThreshold: -2 }
    expect(errorsOf('TCPProbeConfig', wrong)).toEqual([
      'probe name is required',
      'TCP probe endpoint is required',
      'TCP probe timeout cannot be negative: -1m0s',
      'probe interval cannot be negative: -1s',
      'probe failure threshold cannot be negative: -2',
    ])
    expect(errorsOf('TCPProbeConfig', { name: 'a', endpoint: 'b:1' })).toEqual([])
  })

  test('of HTTP', () => {
    const errors = (url: string) => errorsOf('HTTPProbeConfig', { name: 'a', url }, 'v1.14.0')
    expect(errorsOf('HTTPProbeConfig', { timeout: '-1s' }, 'v1.14.0')).toEqual([
      'probe name is required',
      'HTTP probe URL is required',
      'HTTP probe timeout cannot be negative: -1s',
    ])
    expect(errors('ftp://a')).toEqual(['HTTP probe URL scheme must be http or https, got "ftp"'])
    const relative = ['HTTP probe URL must be an absolute http or https URL with a non-empty host']
    expect([errors('http:a'), errors('https:///a')]).toEqual([relative, relative])
    expect(errors('http://a/b')).toEqual([])
  })
})
