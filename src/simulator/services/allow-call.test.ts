import { describe, expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { aMachine } from './a-machine.cases.ts'
import { accessRule } from './access-rules.ts'
import { allowCall } from './allow-call.ts'
import { METHODS } from './methods.ts'

const on = (talosVersion: string, door: 'maintenance' | 'cluster' = 'cluster') =>
  aMachine(new FakeClock(), { talosVersion, door })

function answerTo(path: string, machine = on('v1.13.0'), ...roles: string[]): string {
  try {
    allowCall(path, machine, new Set(roles))
    return 'allowed'
  } catch (error) {
    return String(error)
  }
}

const MACHINE = '/machine.MachineService'

test('every method that machines answer has a rule, and every rule a method', () => {
  for (const path of METHODS.keys()) expect(accessRule(path, 'v1.14.0'), path).toBeDefined()
})

describe('in a cluster', () => {
  test.each([
    ['Version', 'os:reader', 'allowed'],
    ['Version', 'os:etcd:backup', 'Refusal: not authorized'],
    ['EtcdSnapshot', 'os:etcd:backup', 'allowed'],
    ['EtcdSnapshot', 'os:reader', 'Refusal: not authorized'],
    ['Reboot', 'os:operator', 'allowed'],
    ['Reset', 'os:operator', 'Refusal: not authorized'],
    ['Reset', 'os:admin', 'allowed'],
    ['ApplyConfiguration', 'os:reader', 'Refusal: not authorized'],
    ['MetaWrite', 'os:meta:writer', 'allowed'],
    ['Version', 'something-else', 'Refusal: not authorized'],
  ])('%s by %s: %s', (method, role, answer) => {
    expect(answerTo(`${MACHINE}/${method}`, on('v1.13.0'), role)).toBe(answer)
  })

  test.each([
    ['EtcdStatus', 'v1.9.5', 'Refusal: not authorized'],
    ['EtcdStatus', 'v1.9.6', 'allowed'],
    ['EtcdAlarmList', 'v1.8.4', 'Refusal: not authorized'],
    ['EtcdMemberList', 'v1.8.4', 'allowed'],
  ])('%s by a reader on %s: %s', (method, version, answer) => {
    expect(answerTo(`${MACHINE}/${method}`, on(version), 'os:reader')).toBe(answer)
  })

  test.each([
    [`${MACHINE}/CPUFreqStats`, 'v1.8.4', 'v1.9.0'],
    [`${MACHINE}/LogsContainers`, 'v1.6.8', 'v1.7.0'],
    [`${MACHINE}/EtcdDowngradeCancel`, 'v1.10.9', 'v1.11.0'],
    ['/machine.ImageService/Pull', 'v1.12.11', 'v1.13.0'],
    ['/machine.LifecycleService/Upgrade', 'v1.12.11', 'v1.13.0'],
    ['/storage.StorageService/BlockDeviceWipe', 'v1.8.4', 'v1.9.0'],
  ])('%s is not there on %s, and is on %s', (path, older, newer) => {
    expect(answerTo(path, on(older), 'os:admin')).toMatch(/^Refusal: unknown method/)
    expect(answerTo(path, on(newer), 'os:admin')).toBe('allowed')
  })
})

describe('in maintenance mode', () => {
  const NOT_THERE = 'Refusal: API is not implemented in maintenance mode'

  test.each([
    ['ApplyConfiguration', 'allowed', 'allowed'],
    ['Version', NOT_THERE, 'allowed'],
    ['Dmesg', NOT_THERE, 'allowed'],
    ['Upgrade', NOT_THERE, 'Refusal: not authorized'],
    [
      'GenerateClientConfiguration',
      "Refusal: client configuration (talosconfig) can't be generated in the maintenance mode",
      'Refusal: not authorized',
    ],
  ])('%s: %s until v1.12, then %s', (method, before, since) => {
    const path = `${MACHINE}/${method}`

    expect(answerTo(path, on('v1.12.11', 'maintenance'), 'os:reader')).toBe(before)
    expect(answerTo(path, on('v1.13.0', 'maintenance'), 'os:reader')).toBe(since)
  })

  test('disks may be wiped, and resources read, in all versions that can', () => {
    for (const version of ['v1.9.0', 'v1.12.11', 'v1.13.0']) {
      const machine = on(version, 'maintenance')
      for (const path of [
        '/storage.StorageService/BlockDeviceWipe',
        '/cosi.resource.State/Watch',
      ]) {
        expect(answerTo(path, machine, 'os:reader')).toBe('allowed')
      }
    }
  })
})
