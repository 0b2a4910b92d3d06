import { expect, test } from 'vitest'
import { Secret } from '#base/secret.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { aMember } from '#test/machine-world.ts'
import { ConfigChanges } from './config-change.ts'

const config = (machine: string) => `version: v1alpha1\nmachine:\n  type: worker\n${machine}`
const PLAIN = config('')

const between = (before: string, after: string, version = 'v1.13.0') =>
  new ConfigChanges().between(
    aMember({ version, config: new Secret(before), fingerprint: 'before' }),
    { is: 'known', fingerprint: 'after', origin: 'spec', metaText: undefined },
    () => readConfig(after),
  )

test.each([
  ['what is taken at once', '  sysctls:\n    vm.swappiness: "1"\n', 'live'],
  ['what only counts for the next installation', '  install:\n    disk: /dev/sdb\n', 'live'],
  ['what needs a reboot', '  env:\n    A: b\n', 'reboot'],
  [
    'what needs a reboot beside what is for the next installation',
    '  env:\n    A: b\n  install:\n    disk: /dev/sdb\n',
    'reboot',
  ],
])('%s is known', (_what, edit, needs) => {
  expect(between(PLAIN, config(edit))?.needs).toBe(needs)
})

test('a change says where it is and nothing of what is there', () => {
  const change = between(PLAIN, config('  token: abcdef.0123456789abcdef\n'))

  expect(change?.places).toEqual(['machine.token'])
})

test('the network is told apart', () => {
  const edit = '  network:\n    interfaces:\n      - interface: eth0\n        mtu: 1400\n'

  expect(between(PLAIN, config(edit))?.isOfNetwork).toBe(true)
  expect(between(PLAIN, config('  sysctls:\n    a: b\n'))?.isOfNetwork).toBe(false)
})

test('another version of Kubernetes is told from the same one of another registry', () => {
  const kubelet = (image: string) => config(`  kubelet:\n    image: ${image}\n`)
  const moved = (before: string, after: string) => between(kubelet(before), kubelet(after))?.moved

  expect(moved('a/kubelet:v1.35.0', 'a/kubelet:v1.35.1')).toEqual(['kubelet'])
  expect(moved('a/kubelet:v1.35.0', 'b/kubelet:v1.35.0')).toEqual([])
  expect(moved('a/kubelet:v1.35.0', 'a/kubelet:mine')).toEqual(['kubelet'])
})

test('an installer from somewhere else is told from another version of the same', () => {
  const named = (image: string) => config(`  install:\n    image: ${image}\n`)
  const installer = (before: string, after: string) => between(before, after)?.installer

  expect(installer(named('a/installer:v1.13.0'), named('b/installer:v1.13.0'))).toEqual({
    ...{ before: 'a/installer:v1.13.0', after: 'b/installer:v1.13.0' },
  })
  expect(installer(PLAIN, named('b/installer:v1.13.0'))).toEqual({
    ...{ before: undefined, after: 'b/installer:v1.13.0' },
  })
  expect(installer(named('a/installer:v1.13.0'), named('a/installer:v1.13.1'))).toBeUndefined()
  expect(installer(named('a/installer:v1.13.0'), PLAIN)).toBeUndefined()
})

test('nothing is said of what cannot be read, or is the same', () => {
  expect(between('no: configuration', PLAIN)).toBeUndefined()
  const same = new ConfigChanges().between(
    aMember({ config: new Secret(PLAIN), fingerprint: 'same' }),
    { is: 'known', fingerprint: 'same', origin: 'spec', metaText: undefined },
    () => readConfig(PLAIN),
  )
  expect(same).toBeUndefined()
})
