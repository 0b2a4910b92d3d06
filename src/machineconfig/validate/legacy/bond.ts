import { itemsAt, numberAt, type Section, textAt } from '#machineconfig/validate/checks/fields.ts'

// What each setting may say, and how Talos begins its refusal; '' is the first.
const WORDS = [
  [
    'mode',
    'invalid bond type',
    [
      'balance-rr',
      'active-backup',
      'balance-xor',
      'broadcast',
      '802.3ad',
      'balance-tlb',
      'balance-alb',
    ],
  ],
  [
    'xmitHashPolicy',
    'invalid xmit hash policy',
    ['layer2', 'layer3+4', 'layer2+3', 'encap2+3', 'encap3+4'],
  ],
  ['lacpRate', 'invalid lacp rate', ['slow', 'fast']],
  [
    'arpValidate',
    'invalid arp_validate mode',
    ['none', 'active', 'backup', 'all', 'filter', 'filter-active', 'filter-backup'],
  ],
  ['arpAllTargets', 'invalid arp_all_targets mode', ['any', 'all']],
  ['primaryReselect', 'invalid primary_reselect mode', ['always', 'better', 'failure']],
  ['failOverMac', 'invalid fail_over_mac value', ['none', 'active', 'follow']],
  ['adSelect', 'invalid ad_select mode', ['stable', 'bandwidth', 'count']],
] as const

const BALANCED = ['balance-tlb', 'balance-alb']

/** What is wrong with a bond. */
export function* bondProblems(bond: Section): Generator<string> {
  for (const [key, refusal, words] of WORDS) {
    const word = textAt(bond, key)
    if (!['', ...words].includes(word)) yield `${refusal} ${word}`
  }
  yield* delayProblems(bond)
  const mode = bondMode(bond)
  if (itemsAt(bond, 'arpIPTarget').length > 0) yield 'bond.arpIPTarget is not supported'
  if (textAt(bond, 'lacpRate') !== '' && mode !== '802.3ad') {
    yield 'bond.lacpRate is only available in 802.3ad mode'
  }
  if (textAt(bond, 'adActorSystem') !== '') yield 'bond.adActorSystem is not supported'
  yield* modeProblems(bond, mode)
  yield* aggregationProblems(bond, mode)
}

// A mode that is not known is refused above and counts as the default.
function bondMode(bond: Section): string {
  const [[, , modes]] = WORDS
  return modes.find((mode) => mode === textAt(bond, 'mode')) ?? 'balance-rr'
}

function* delayProblems(bond: Section): Generator<string> {
  const interval = numberAt(bond, 'miimon')
  for (const [key, name] of [
    ['updelay', 'upDelay'],
    ['downdelay', 'downDelay'],
  ] as const) {
    const delay = numberAt(bond, key)
    if (interval === 0 && delay !== 0) yield `bond.${name} can't be set if miiMon is zero`
    if (interval !== 0 && delay % interval !== 0) {
      yield `bond.${name} should be a multiple of miiMon`
    }
  }
}

function* modeProblems(bond: Section, mode: string): Generator<string> {
  const balanced = BALANCED.includes(mode)
  const hasPrimary = balanced || mode === 'active-backup'
  const unmonitored = balanced || mode === '802.3ad'
  const refused = [
    unmonitored && textAt(bond, 'arpValidate') !== '' && 'arpValidate',
    !hasPrimary && textAt(bond, 'primary') !== '' && 'primary',
    unmonitored && numberAt(bond, 'arpInterval') > 0 && 'arpInterval',
    mode !== 'balance-rr' && numberAt(bond, 'packetsPerSlave') > 1 && 'packetsPerSlave',
    !balanced && numberAt(bond, 'tlbDynamicLb') > 0 && 'tlbDynamicTLB',
  ]
  for (const name of refused) if (name) yield `bond.${name} is not available in ${mode} mode`
}

function* aggregationProblems(bond: Section, mode: string): Generator<string> {
  if (mode === '802.3ad') return
  for (const key of ['adActorSysPrio', 'adUserPortKey']) {
    if (numberAt(bond, key) > 0) yield `bond.${key} is only available in 802.3ad mode`
  }
}
