import { beforeAll, describe, expect, test } from 'vitest'
import { INSTALL_DISK, KUBE_VERSION } from '#api/labels.ts'
import { parseYaml } from '#base/yaml.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { aControlPlane, aMachine, aWorker, aWorkerMachine } from '#test/builders.ts'
import { aBundle, configOf } from './cluster-secrets.cases.ts'
import { aMachineSpec } from './pool.cases.ts'
import { sharedConfig } from './shared-config.ts'

type From = Parameters<typeof sharedConfig>[0]

let bundle: SecretsBundle
beforeAll(async () => {
  bundle = await aBundle()
})

const onDisk = (path: string) => ({ metadata: { annotations: { [INSTALL_DISK]: path } } })
const patched = (env: Record<string, string>) =>
  aMachineSpec({ configPatches: [{ machine: { env } }] })

/** What is shown, as text; undefined if nothing is. */
const textOf = (over: Partial<From> = {}): string | undefined =>
  sharedConfig({
    ...{ controlPlane: aControlPlane(), machines: [aMachine(onDisk('/dev/sda'))] },
    ...{ bundle, configText: undefined, ...over },
  })?.open()

/** The part of what is shown that is about machines. */
function machineIn(over: Partial<From> = {}) {
  const [first = ''] = (textOf(over) ?? '').split(/^---$/m)
  return Object(parseYaml(first)).machine
}

describe('what all machines have in common', () => {
  test('is of a control plane, or of a pool that joins it', () => {
    const worker = aWorker()
    const machines = [aWorkerMachine(onDisk('/dev/sda'))]

    expect(machineIn()).toMatchObject({ type: 'controlplane', install: { disk: '/dev/sda' } })
    expect(machineIn({ worker, machines })).toMatchObject({ type: 'worker' })
  })

  test('has what the spec says of all, and nothing that it says of one', () => {
    const metalSpec = {
      machines: [{ address: '192.0.2.1' }],
      machineSpec: patched({ ALL: 'yes' }),
    }
    const machine = aMachine({
      ...onDisk('/dev/sda'),
      spec: { machineSpec: patched({ ONE: 'yes' }), version: 'v1.12.0' },
    })
    const over = { controlPlane: aControlPlane({ spec: { metalSpec } }), machines: [machine] }

    expect(machineIn(over)).toMatchObject({
      env: { ALL: 'yes' },
      install: { image: 'ghcr.io/siderolabs/installer:v1.13.0' },
    })
    expect(machineIn(over).env).not.toHaveProperty('ONE')
    expect(textOf(over)).not.toContain('192.0.2.1\n')
    // A machine whose patches are the only ones has them alone.
    expect(machineIn({ machines: [machine] })).not.toHaveProperty('env')
  })

  test('is installed where the first machine is', () => {
    const machines = [aMachine(onDisk('/dev/vda')), aMachine(onDisk('/dev/sdb'))]

    expect(machineIn({ machines })).toMatchObject({ install: { disk: '/dev/vda' } })
  })

  test('runs the Kubernetes that is written down, until the cluster has that of the spec', () => {
    const controlPlane = aControlPlane({
      metadata: { annotations: { [KUBE_VERSION]: 'v1.34.1' } },
    })

    expect(machineIn({ controlPlane }).kubelet.image).toMatch(/:v1\.34\.1$/)
    expect(machineIn().kubelet.image).toMatch(/:v1\.35\.0$/)
  })

  test('is what configRef leads to, where that says all of it', () => {
    const given = configOf(bundle).replace('clusterName: prod', 'clusterName: given')

    expect(textOf({ configText: given })).toContain('clusterName: given')
  })
})

describe('nothing is shown', () => {
  const { spec: _, ...nothingWanted } = aControlPlane()
  const { spec: __, ...nothingSaid } = aMachine()
  const wrong = aMachineSpec({ configPatches: [{ machine: { network: 'eth0' } }] })

  test.each<[string, Partial<From>]>([
    ['there is no machine', { machines: [] }],
    ['the first machine says nothing', { machines: [nothingSaid] }],
    ['the control plane says nothing', { controlPlane: nothingWanted }],
    ['no disk is known', { machines: [aMachine()] }],
    ['what configRef leads to is none', { configText: 'machine: {}' }],
    [
      'a patch for all does not parse',
      { controlPlane: aControlPlane({ spec: { metalSpec: { machineSpec: wrong } } }) },
    ],
  ])('while %s', (_why, over) => {
    expect(textOf(over)).toBeUndefined()
  })
})

test('what is shown does not print itself', () => {
  const shown = sharedConfig({
    ...{ controlPlane: aControlPlane(), machines: [aMachine(onDisk('/dev/sda'))] },
    ...{ bundle, configText: undefined },
  })

  expect(shown).toBeDefined()
  expect(`${shown} ${JSON.stringify(shown)}`).not.toContain(bundle.bootstrapToken.open())
})
