import { beforeAll, describe, expect, test } from 'vitest'
import { INSTALL_DISK, KUBE_VERSION } from '#api/labels.ts'
import { configFingerprint } from '#engine/wanted-config.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import { aControlPlane, aMachine, aWorker } from '#test/builders.ts'
import { aDisk, aMember, aWaiting } from '#test/machine-world.ts'
import { wantedOf } from './wanted.ts'

let bundle: SecretsBundle
beforeAll(async () => {
  bundle = await generateBundle({ talosVersion: 'v1.6', now: new Date() })
})

type From = Parameters<typeof wantedOf>[0]

const wanted = (from: Partial<From> = {}) =>
  wantedOf({
    machine: aMachine(),
    parent: { is: 'there', controlPlane: aControlPlane() },
    bundle,
    seen: aWaiting(),
    configText: { is: 'unasked' },
    writesMeta: true,
    ...from,
  })

const withMachineSpec = (spec: object, endpoint = '192.0.2.1') =>
  aMachine({
    spec: {
      endpoint,
      machineSpec: {
        wipe: false,
        airGap: false,
        imageCache: false,
        allowSchedulingOnControlPlanes: false,
        ...spec,
      },
    },
  })

const textOf = ({ config }: ReturnType<typeof wantedOf>) => (config ? writeConfig(config()) : '')

describe('what a machine is to have', () => {
  test('is not known before there are secrets', () => {
    expect(wanted({ bundle: undefined })).toMatchObject({
      wanted: { is: 'waiting', reason: 'WaitingForSecrets' },
    })
  })

  test('is wrong while configRef leads nowhere', () => {
    const found = wanted({ configText: { is: 'missing', message: 'there is no ConfigMap' } })

    expect(found.wanted).toEqual({
      ...{ is: 'wrong', reason: 'ConfigRefMissing', message: 'there is no ConfigMap' },
    })
    expect(found.config).toBeUndefined()
  })

  test('is wrong with a patch that does not apply, and says which', () => {
    const machine = withMachineSpec({ configPatches: ['machine: {nonsense: true}'] })

    expect(wanted({ machine }).wanted).toMatchObject({
      is: 'wrong',
      reason: 'ConfigInvalid',
      message: expect.stringMatching(
        /configPatches\[0\].*\. Correct what the spec of TalosControlPlane prod, or a patch/,
      ),
    })
  })

  test('is told by its hash alone', () => {
    const { config, ...rest } = wanted()

    expect(config && configFingerprint(config())).toBe(
      rest.wanted.is === 'known' && rest.wanted.fingerprint,
    )
    for (const secret of [bundle.trustdToken, bundle.cluster.secret, bundle.talos.key]) {
      expect(JSON.stringify(rest)).not.toContain(secret.open())
    }
  })

  test('is that of its pool for a worker', () => {
    const parent = { is: 'there' as const, controlPlane: aControlPlane(), worker: aWorker() }

    expect(textOf(wanted({ parent }))).toContain('type: worker')
    expect(textOf(wanted())).toContain('type: controlplane')
  })

  test('has the version of Kubernetes that is written down, while another one is wanted', () => {
    const controlPlane = aControlPlane({
      metadata: { annotations: { [KUBE_VERSION]: 'v1.34.1' } },
    })

    expect(textOf(wanted({ parent: { is: 'there', controlPlane } }))).toContain('v1.34.1')
  })
})

describe('where Talos goes', () => {
  test('is picked for a machine that waits, and is in its configuration', () => {
    const found = wanted({ seen: aWaiting({ disks: [aDisk('/dev/vdb')] }) })

    expect(found.disk).toEqual({ is: 'picked', path: '/dev/vdb' })
    expect(textOf(found)).toContain('disk: /dev/vdb')
  })

  test('stays what was picked, though another disk would be by now', () => {
    const machine = aMachine({ metadata: { annotations: { [INSTALL_DISK]: '/dev/vdb' } } })
    const found = wanted({
      machine,
      seen: aWaiting({ disks: [aDisk('/dev/vda', 20), aDisk('/dev/vdb')] }),
    })

    expect(found.disk).toEqual({ is: 'settled' })
    expect(textOf(found)).toContain('disk: /dev/vdb')
  })

  test('is not looked for on a machine that has its configuration', () => {
    const machine = aMachine({ metadata: { annotations: { [INSTALL_DISK]: '/dev/vdb' } } })

    expect(wanted({ machine, seen: aMember() })).toMatchObject({
      ...{ disk: { is: 'settled' }, wanted: { is: 'known' } },
    })
  })

  test('that was forgotten for a machine that runs is to be named by the user', () => {
    expect(wanted({ seen: aMember() }).wanted).toMatchObject({
      ...{ is: 'wrong', reason: 'InstallDiskUnknown' },
      message: expect.stringMatching(/spec of TalosControlPlane .*spec\.machineSpec\.installDisk/),
    })
    const patched = withMachineSpec({ configPatches: ['machine: {nonsense: true}'] })
    expect(wanted({ seen: aMember(), machine: patched }).wanted).toMatchObject({
      reason: 'ConfigInvalid',
    })
  })

  test.each([
    ['that was picked and is gone', aMachine({ metadata: annotated('/dev/gone') })],
    ['that the spec names and is not there', withMachineSpec({ installDisk: '/dev/gone' })],
  ])('a disk %s is told, and nothing is done', (_, machine) => {
    expect(wanted({ machine })).toMatchObject({
      wanted: { is: 'wrong', reason: 'InstallDiskMissing' },
      disk: { is: 'settled' },
    })
    expect(wanted({ machine }).config).toBeUndefined()
  })

  test('a machine without a disk that would do says so', () => {
    expect(wanted({ seen: aWaiting({ disks: [] }) }).wanted).toMatchObject({
      ...{ is: 'wrong', reason: 'NoInstallDisk' },
    })
  })

  test('is left to a selector among the patches', () => {
    const machine = withMachineSpec({
      configPatches: ['machine: {install: {diskSelector: {size: ">= 10GB"}}}'],
    })

    expect(wanted({ machine }).disk).toEqual({ is: 'settled' })
  })
})

describe('META', () => {
  const meta = { interface: 'eth0', subnet: 24 }
  const machine = withMachineSpec({ meta })

  test('is wanted where the spec has it and it may be written', () => {
    expect(wanted({ machine }).wanted).toMatchObject({
      ...{ is: 'known', metaText: expect.stringContaining('192.0.2.1/24') },
    })
    expect(wanted({ machine, writesMeta: false }).wanted).toMatchObject({ metaText: undefined })
    expect(wanted().wanted).toMatchObject({ metaText: undefined })
  })

  test('that cannot be right is told', () => {
    const named = withMachineSpec({ meta }, 'host.example')

    expect(wanted({ machine: named }).wanted).toMatchObject({ is: 'wrong', reason: 'MetaInvalid' })
  })
})

function annotated(disk: string) {
  return { annotations: { [INSTALL_DISK]: disk } }
}
