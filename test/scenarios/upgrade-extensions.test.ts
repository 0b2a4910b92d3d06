import { expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { Machine } from '#api/machine.ts'
import { CONTROL_PLANE, deedsSince } from './a-control-plane.ts'
import { untilAsWanted } from './changed-configs.ts'
import { brokenInvariants } from './invariants.ts'
import { controlPlaneIn } from './parts.ts'
import { untilSays, writesSince } from './verdicts.ts'
import { aWorld } from './world.ts'

const LONG = 240_000
const SCHEMATIC = 'a'.repeat(64)

test('an image that would lose extensions is not installed, is told once, and then nothing is written', {
  timeout: LONG,
}, async () => {
  const versions = { talos: 'v1.13.0', kubernetes: 'v1.34.1' }
  const extensions = new Map([[SCHEMATIC, ['iscsi-tools']]])
  await using world = await aWorld({ subnet: '127.80.68', machines: 1, versions, extensions })
  await world.bringSecrets('one')
  const { spec, ...rest } = controlPlaneIn(world, 'one', [1])
  const image = `factory.talos.dev/metal-installer/${SCHEMATIC}`
  const metalSpec = { ...spec.metalSpec, machineSpec: { image } }
  await world.objects.apply({ ...rest, spec: { ...spec, metalSpec } })
  await untilAsWanted(world, CONTROL_PLANE)
  await world.objects.patch(ControlPlane, 'one', {
    spec: {
      version: 'v1.13.1',
      metalSpec: { machineSpec: { image: 'ghcr.io/siderolabs/installer' } },
    },
  })
  const said = await untilSays(world, [Machine, `one-${world.address(1)}`], {
    ...{ type: 'Ready', reason: 'ExtensionsWouldBeLost' },
  })
  await world.pass(10)
  const before = world.history.length
  await world.pass(30)

  expect(said).toContain('iscsi-tools')
  expect(writesSince(world, before)).toEqual([])
  expect(deedsSince(world, 0).filter((deed) => /upgrade|reboot/.test(deed))).toEqual([])
  expect(await brokenInvariants(world)).toEqual([])
})
