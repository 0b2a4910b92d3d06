import { beforeAll, expect, test } from 'vitest'
import { CONFIG, CONFIG_REJECTED, INSTALL_DISK } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { aBundle } from '#engine/cluster-secrets.cases.ts'
import { recordText, rejectionText } from '#engine/config-record.ts'
import { aMachineSpec } from '#engine/pool.cases.ts'
import { wantedRecord } from '#engine/wanted-config.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { aReader } from '#test/a-reader.ts'
import { aControlPlane, aWorker, aWorkerMachine } from '#test/builders.ts'
import { rejectionsOf } from './look-rejections.ts'

let bundle: SecretsBundle
beforeAll(async () => {
  bundle = await aBundle()
})

const [controlPlane, worker] = [aControlPlane(), aWorker()]
const WRONG = [{ machine: { type: 'controlplane' } }]

const machine = (
  annotations: Record<string, string>,
  {
    isLeaving = false,
    configPatches = [],
  }: { isLeaving?: boolean; configPatches?: Record<string, unknown>[] } = {},
): Machine =>
  aWorkerMachine({
    metadata: {
      annotations: { [INSTALL_DISK]: '/dev/sda', ...annotations },
      ...(isLeaving && { deletionTimestamp: '2030-01-01T00:00:00Z' }),
    },
    spec: { machineSpec: aMachineSpec({ configPatches }) },
  })

/** What a machine is to have, as its own controller knows it. */
const wanted = () =>
  wantedRecord({ controlPlane, worker, machine: machine({}), bundle, installDisk: '/dev/sda' })

const said = (one: Machine) => rejectionsOf([one], { controlPlane, worker, bundle }, aReader().read)

test('a machine that does not take what it is to have is told of, with what to do', async () => {
  const refusing = machine({ [CONFIG_REJECTED]: rejectionText(wanted().config, 'no such disk') })

  expect(await said(refusing)).toEqual([
    {
      ...{ name: refusing.metadata.name, reason: 'ConfigRejected' },
      message: expect.stringMatching(
        /: no such disk\. Correct the spec, .* remove the annotation .* from TalosMachine /,
      ),
    },
  ])
})

test('nobody is told of who takes it, goes, or is to have something else by now', async () => {
  const rejected = { [CONFIG_REJECTED]: rejectionText(wanted().config, 'no such disk') }
  const has = { ...rejected, [CONFIG]: recordText(wanted()) }
  const before = { [CONFIG_REJECTED]: rejectionText('what-was-wanted-before', 'no such disk') }

  expect(await said(machine({}))).toEqual([])
  expect(await said(machine(before))).toEqual([])
  expect(await said(machine(has))).toEqual([])
  expect(await said(machine(rejected, { isLeaving: true }))).toEqual([])
  expect(await said(machine(rejected, { configPatches: WRONG }))).toEqual([])
})
