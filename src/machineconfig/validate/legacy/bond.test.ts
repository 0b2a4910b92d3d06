import { expect, test } from 'vitest'
import { bondProblems } from './bond.ts'

const everything = {
  lacpRate: 'slow',
  arpValidate: 'none',
  primary: 'eth0',
  arpInterval: 1,
  packetsPerSlave: 2,
  tlbDynamicLb: 1,
  adActorSysPrio: 1,
  adUserPortKey: 1,
}
const LACP = 'bond.lacpRate is only available in 802.3ad mode'
const AGGREGATION = [
  'bond.adActorSysPrio is only available in 802.3ad mode',
  'bond.adUserPortKey is only available in 802.3ad mode',
]

test.for([
  ['', [LACP, 'primary', 'tlbDynamicTLB', ...AGGREGATION]],
  ['active-backup', [LACP, 'packetsPerSlave', 'tlbDynamicTLB', ...AGGREGATION]],
  ['broadcast', [LACP, 'primary', 'packetsPerSlave', 'tlbDynamicTLB', ...AGGREGATION]],
  ['802.3ad', ['arpValidate', 'primary', 'arpInterval', 'packetsPerSlave', 'tlbDynamicTLB']],
  ['balance-tlb', [LACP, 'arpValidate', 'arpInterval', 'packetsPerSlave', ...AGGREGATION]],
  ['balance-alb', [LACP, 'arpValidate', 'arpInterval', 'packetsPerSlave', ...AGGREGATION]],
] as const)('mode %j does not go with everything', ([mode, problems]) => {
  const shown = mode || 'balance-rr'
  expect([...bondProblems({ mode, ...everything })]).toEqual(
    problems.map((it) => (it.includes(' ') ? it : `bond.${it} is not available in ${shown} mode`)),
  )
})

test('words are those of the kernel', () => {
  const words = {
    mode: 'm',
    xmitHashPolicy: 'x',
    lacpRate: 'l',
    arpValidate: 'v',
    arpAllTargets: 't',
    primaryReselect: 'p',
    failOverMac: 'f',
    adSelect: 's',
  }
  expect([...bondProblems(words)]).toEqual([
    'invalid bond type m',
    'invalid xmit hash policy x',
    'invalid lacp rate l',
    'invalid arp_validate mode v',
    'invalid arp_all_targets mode t',
    'invalid primary_reselect mode p',
    'invalid fail_over_mac value f',
    'invalid ad_select mode s',
    LACP,
  ])
  expect([...bondProblems({ mode: '802.3ad', lacpRate: 'fast', adSelect: 'count' })]).toEqual([])
})

test('delays are multiples of the interval', () => {
  expect([...bondProblems({ miimon: 100, updelay: 200 })]).toEqual([])
  expect([...bondProblems({ miimon: 100, updelay: 50, downdelay: 101 })]).toEqual([
    'bond.upDelay should be a multiple of miiMon',
    'bond.downDelay should be a multiple of miiMon',
  ])
  expect([...bondProblems({ updelay: 50, downdelay: 50 })]).toEqual([
    "bond.upDelay can't be set if miiMon is zero",
    "bond.downDelay can't be set if miiMon is zero",
  ])
})

test('some settings are not for Talos', () => {
  expect([...bondProblems({ arpIPTarget: ['::1'], adActorSystem: 'x' })]).toEqual([
    'bond.arpIPTarget is not supported',
    'bond.adActorSystem is not supported',
  ])
})

test.for([
  ['mode', 'balance-rr active-backup balance-xor broadcast 802.3ad balance-tlb balance-alb'],
  ['xmitHashPolicy', 'layer2 layer3+4 layer2+3 encap2+3 encap3+4'],
  ['arpValidate', 'none active backup all filter filter-active filter-backup'],
  ['arpAllTargets', 'any all'],
  ['primaryReselect', 'always better failure'],
  ['failOverMac', 'none active follow'],
  ['adSelect', 'stable bandwidth count'],
] as const)('%s takes each of its words: %s', ([key, words]) => {
  for (const word of words.split(' ')) expect([...bondProblems({ [key]: word })]).toEqual([])
})
