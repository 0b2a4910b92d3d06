import { describe, expect, test } from 'vitest'
import { ConfigError } from '#machineconfig/config-error.ts'
import { readConfig } from './read-config.ts'
import { kindsRefused, syntaxRefused, unknownKeysRefused } from './refused.cases.ts'
import { typesRefused } from './refused-types.cases.ts'

const refusal = (text: string, talosVersion?: string): string => {
  try {
    readConfig(text, talosVersion === undefined ? {} : { talosVersion })
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'taken'
}

const fieldsOf = (text: string): unknown => readConfig(text).documents[0]?.fields
const machine = (text: string): unknown =>
  fieldsOf(`machine:\n  ${text.replaceAll('\n', '\n  ')}\n`)

describe.each([
  ['syntax', syntaxRefused],
  ['kinds', kindsRefused],
  ['unknown keys', unknownKeysRefused],
  ['types', typesRefused],
])('a configuration is refused for its %s', (_, cases) => {
  test.each(cases)('%j', (text, why) => {
    expect(refusal(text)).toBe(why)
  })
})

describe('the normal form', () => {
  test('documents come in order, with their kinds and lines', () => {
    const text =
      'machine: {}\n---\n~\n---\napiVersion: v1alpha1\nkind: HostnameConfig\nhostname: a\n'

    expect(readConfig(text).documents.map(({ kind, line }) => [kind.kind, line])).toEqual([
      ['', 1],
      ['HostnameConfig', 5],
    ])
  })

  test('zero values are absent, and empty lists and maps are there', () => {
    expect(machine('type: ""\ncertSANs: []\nsysctls: {}\nfiles: ~\nnodeLabels:')).toEqual({
      machine: { certSANs: [], sysctls: {} },
    })
  })

  test('behind a pointer, empty and absent differ', () => {
    expect(fieldsOf('debug: false\nmachine:\n  kubelet: {}\n  install: {wipe: no}\n')).toEqual({
      debug: false,
      machine: { kubelet: {}, install: { wipe: false } },
    })
  })

  test('a struct that is no pointer and has nothing set is absent', () => {
    const text =
      'apiVersion: v1alpha1\nkind: VolumeConfig\nname: a\nprovisioning: {grow: ~}\nmount: {}\n'

    expect(fieldsOf(text)).toEqual({ apiVersion: 'v1alpha1', kind: 'VolumeConfig', name: 'a' })
  })

  test('the first word of a type is its zero value', () => {
    const text = 'apiVersion: v1alpha1\nkind: NetworkDefaultActionConfig\ningress: accept\n'

    expect(fieldsOf(text)).not.toHaveProperty('ingress')
  })

  test('null is left out of a list of texts and stays in one of pointers', () => {
    expect(machine('certSANs: [a, ~, b]\nnetwork: {interfaces: [~, {}]}\npods: [~, {}]')).toEqual({
      machine: { certSANs: ['a', 'b'], network: { interfaces: [null, {}] }, pods: [{}] },
    })
  })

  test('null in a map is the zero value, and so is a key of null left out', () => {
    expect(machine('sysctls: {a: ~, ~: b}\nregistries: {mirrors: {c: ~}}')).toEqual({
      machine: { sysctls: { a: '' }, registries: { mirrors: { c: null } } },
    })
  })

  test('what is free is kept as it is', () => {
    expect(
      machine(
        'kubelet: {extraConfig: {a: [[], [1, ~]], b: 0x10, c: ~, 5: "5", d: 99999999999999999999}}',
      ),
    ).toEqual({
      machine: {
        kubelet: { extraConfig: { a: [[], [1, null]], b: 16, c: null, '5': '5', d: 1e20 } },
      },
    })
    expect(machine('kubelet: {extraConfig: {}}')).toEqual({ machine: { kubelet: {} } })
  })

  test('`<<` brings in what is not there, in order, also from a list and one that has it itself', () => {
    const text = `
machine:
  sysctls: &a {a: 1, b: 1}
  sysfs: &b {b: 2, c: 2, <<: *a}
  env: {<<: [*b, {d: 3, a: 3}], c: 4}
  kubelet: {extraConfig: {<<: *a, b: 5}}
`
    expect(fieldsOf(text)).toEqual({
      machine: {
        sysctls: { a: '1', b: '1' },
        sysfs: { a: '1', b: '2', c: '2' },
        env: { a: '1', b: '2', c: '4', d: '3' },
        kubelet: { extraConfig: { a: 1, b: 5 } },
      },
    })
    expect(machine('sysctls: {"<<": a}')).toEqual({ machine: { sysctls: { '<<': 'a' } } })
  })

  test('keys that every object of JavaScript has are keys as any other', () => {
    expect(machine('sysctls: {__proto__: a, constructor: b}')).toEqual({
      machine: { sysctls: JSON.parse('{"__proto__": "a", "constructor": "b"}') },
    })
    expect(refusal('machine: {__proto__: a}')).toContain('__proto__: …')
    expect(refusal('constructor: a\nmachine: {}')).toContain('constructor: …')
  })

  test('arguments are texts or lists of them', () => {
    expect(machine('kubelet: {extraArgs: {a: [b, ~, 5], c: 5, d: ~}}')).toEqual({
      machine: { kubelet: { extraArgs: { a: ['b', '5'], c: '5', d: '' } } },
    })
  })
})

describe('messages', () => {
  test('show short and cut texts for types that hold no secret', () => {
    expect(refusal('debug: perhaps not')).toContain('cannot construct !!str `perhaps...` into bool')
    expect(refusal('debug: 0123456789')).toContain('`0123456789`')
    expect(refusal('debug: éééééé')).toContain('`ééé\ufffd...`')
  })

  test('do not show what stands where a key or a password belongs', () => {
    for (const text of [
      'ca: hunter2',
      'env: hunter2',
      'registries: {config: {a: {auth: hunter2}}}',
    ]) {
      expect(refusal(`machine: {${text}}`)).toMatch(/cannot construct !!str `…` into/)
    }
    expect(refusal('cluster: {controlPlane: {endpoint: "https://u:hunter2@a:b"}}')).toContain(
      '"https://…@a:b"',
    )
    expect(refusal('machine: {unknown: hunter2, other: {a: [hunter2]}}')).not.toContain('hunter2')
    expect(refusal('machine: {ca: ""}')).toContain('cannot construct !!str `` into')
  })

  test('name unknown keys and nothing that is known', () => {
    const text = 'machine: {a: b, kubelet: {extraConfig: {c: d}}, sysctls: {e: f}, certSANs: [g]}'

    expect(refusal(text)).toBe(
      'error decoding document /v1alpha1/ (line 1): unknown keys found during decoding:\nmachine:\n    a: …\n',
    )
  })

  test('are cut when there is too much wrong', () => {
    const many = Array.from({ length: 150 }, () => '- [a]').join('\n    ')
    const lines = refusal(`machine:\n  certSANs:\n    ${many}`).split('\n')

    expect(lines).toHaveLength(102)
    expect(lines.at(-1)).toBe('  and 50 more')
    const keys = Array.from({ length: 2000 }, (_, at) => `key${at}: a`).join(', ')
    expect(refusal(`machine: {${keys}}`).length).toBeLessThan(10_200)
    expect(refusal(`machine: {sysctls: {${'a'.repeat(200)}: b, ${'a'.repeat(200)}: c}}`)).toContain(
      `"${'a'.repeat(100)}…"`,
    )
  })

  test('a key that is no text is refused', () => {
    expect(refusal('machine: {sysctls: {[a]: b}}')).toContain('cannot construct !!seq into string')
    expect(refusal('machine: {[a]: b}')).toContain('cannot construct !!seq into string')
    expect(refusal('machine: {kubelet: {extraConfig: {[a]: b}}}')).toContain(
      'cannot use !!seq as a map key',
    )
    expect(refusal('machine: {[a]: b, [c]: d}')).toContain('mapping key "" already defined')
    expect(refusal('machine: {sysctls: {list: a, [c]: d}}')).not.toContain('already defined')
    expect(refusal('? [kind]\n: a\nmachine: {}')).toContain('cannot construct !!seq into string')
    expect(refusal('machine: {unknown: {[a]: b}}')).toContain('unknown: {}')
  })
})

describe('a version', () => {
  const list = 'machine: {kubelet: {extraArgs: {a: [b]}}}'
  const percent =
    'apiVersion: v1alpha1\nkind: VolumeConfig\nname: EPHEMERAL\nprovisioning: {maxSize: 50%}\n'
  const kubelet = 'apiVersion: v1alpha1\nkind: KubeletConfig\nimage: a\n'

  test.each([
    [
      'machine: {features: {imageCache: {}}}',
      'v1.8.3',
      'machine.features.imageCache needs Talos v1.9 or newer, the target is v1.8',
    ],
    [
      'machine: {network: {interfaces: [{}, {bridgePort: {}}]}}',
      'v1.8',
      'machine.network.interfaces[1].bridgePort needs Talos v1.9 or newer, the target is v1.8',
    ],
    [
      'machine: {registries: {mirrors: {a.b: {skipFallback: true}}}}',
      '1.8.0',
      'machine.registries.mirrors.a.b.skipFallback needs Talos v1.9 or newer, the target is v1.8',
    ],
    [
      list,
      'v1.12.4',
      'the form of machine.kubelet.extraArgs needs Talos v1.13 or newer, the target is v1.12',
    ],
    [
      list,
      'v1.13.5',
      'a list in machine.kubelet.extraArgs.a needs Talos v1.13.6 or newer, the target is v1.13',
    ],
    [
      percent,
      'v1.11.0',
      'the form of provisioning.maxSize needs Talos v1.12 or newer, the target is v1.11',
    ],
    [percent, 'v1.7', 'kind VolumeConfig needs Talos v1.8 or newer, the target is v1.7'],
    [
      'apiVersion: v1alpha1\nkind: UserVolumeConfig\nname: a\nfilesystem: {type: btrfs}\n',
      'v1.13.0',
      'btrfs in filesystem.type needs Talos v1.14 or newer, the target is v1.13',
    ],
    ['machine: {}', 'latest', '"latest" is no version of Talos'],
  ])('%s has not all that is in %s', (text, version, why) => {
    expect(refusal(text, version)).toMatch(/^error decoding document .* \(line 1\): /)
    expect(refusal(text, version).replace(/^.*?\(line 1\): /, '')).toBe(why)
  })

  test('has what came with it', () => {
    expect(refusal('machine: {features: {imageCache: {}}}', 'v1.9.0')).toBe('taken')
    expect(refusal(list, 'v1.13.6')).toBe('taken')
    expect(refusal(list, 'v1.14.0-alpha.2')).toBe('taken')
    expect(
      refusal('machine: {kubelet: {extraArgs: {a: b, c: ~}, extraConfig: {x: y}}}', 'v1.5.0'),
    ).toBe('taken')
    expect(refusal(percent, 'v1.12.0')).toBe('taken')
    expect(refusal(percent.replace('50%', '50GB'), 'v1.8.0')).toBe('taken')
    expect(
      refusal('machine: {network: {interfaces: [~]}, registries: {mirrors: {a: ~}}}', 'v1.5.0'),
    ).toBe('taken')
    expect(refusal(kubelet, 'v1.14.0')).toBe('taken')
  })

  test('that is not given is v1.13', () => {
    expect(refusal(kubelet)).toBe(
      'error decoding document v1alpha1/KubeletConfig/ (line 1): kind KubeletConfig needs Talos v1.14 or newer, the target is v1.13',
    )
    expect(refusal(list)).toBe('taken')
  })
})
