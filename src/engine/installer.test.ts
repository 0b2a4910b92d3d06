import { expect, test } from 'vitest'
import { aMachine } from '#test/builders.ts'
import {
  installsBeside,
  keepsExtensions,
  schematicIn,
  versionProblem,
  wantedSchematic,
} from './installer.ts'

const wanting = (version: string, image?: string) => {
  const machine = aMachine({ spec: { version } })
  const { spec } = machine
  const plain = {
    ...{ wipe: false, airGap: false, imageCache: false, allowSchedulingOnControlPlanes: false },
  }
  return {
    ...machine,
    ...(spec && { spec: { ...spec, machineSpec: { ...plain, ...(image && { image }) } } }),
  }
}

test.each([
  ['v1.13.0', 'v1.13.1', undefined, undefined],
  ['v1.12.9', 'v1.13.0', undefined, undefined],
  ['v1.13.1', 'v1.13.0', undefined, 'DowngradeRefused'],
  ['v1.11.5', 'v1.13.0', undefined, 'UpgradePathUnsupported'],
  ['v1.12.0', 'v1.13.0', 'example.org/installer', undefined],
  ['v1.12.0', 'v1.13.0', 'example.org/installer:v1.13.0', undefined],
  ['v1.12.0', 'v1.13.0', 'example.org/installer:v1.12.7', 'ImageOfAnotherVersion'],
  ['v1.12.0', 'v1.13.0', 'example.org:5000/installer:stable', undefined],
])('from %s to %s with %s: %s', (...[runs, wants, image, reason]) => {
  expect(versionProblem(wanting(wants, image), runs)?.reason).toBe(reason)
})

const ID = 'a'.repeat(64)
const FACTORY = `factory.talos.dev/metal-installer/${ID}:v1.13.0`

test('the schematic of an image is in its name', () => {
  expect(schematicIn(FACTORY)).toBe(ID)
  expect(schematicIn(`${FACTORY}@sha256:${'b'.repeat(64)}`)).toBe(ID)
  expect(schematicIn(`ghcr.io/siderolabs/installer:v1.13.0@sha256:${ID}`)).toBeUndefined()
})

test('the schematic that a machine is to be of is known whatever its version is', () => {
  const wanted = (image: string) => wantedSchematic(wanting('none', image))

  expect(wanted(`factory.talos.dev/installer/${ID}`)).toBe(ID)
  expect(wanted('example.org/mine')).toBeUndefined()
  expect(wantedSchematic(aMachine())).toBeUndefined()
})

test.each([
  ['it has none', FACTORY, { extensions: [], schematic: undefined, image: undefined }, true],
  [
    'they are of the same schematic',
    FACTORY,
    { extensions: ['zfs'], schematic: ID, image: undefined },
    true,
  ],
  ['they are of another', FACTORY, { extensions: ['zfs'], schematic: 'b', image: FACTORY }, false],
  [
    'it is an image of one’s own, as before',
    'example.org/mine:v2',
    { extensions: ['zfs'], schematic: undefined, image: 'example.org/mine:v1' },
    true,
  ],
  [
    'it is the standard one',
    'ghcr.io/siderolabs/installer:v1.13.0',
    { extensions: ['zfs'], schematic: ID, image: FACTORY },
    false,
  ],
])('a machine keeps its extensions or not: %s', (...[, image, has, expected]) => {
  expect(keepsExtensions(image, has)).toBe(expected)
})

test('from v1.13 on another version is installed beside the one that runs', () => {
  expect(['v1.12.9', 'v1.13.0', 'v1.14.2', 'none'].map(installsBeside)).toEqual([
    ...[false, true, true, false],
  ])
})
