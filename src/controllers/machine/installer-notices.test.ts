import { expect, test } from 'vitest'
import { CONFIG } from '#api/labels.ts'
import { wanting } from '#test/machine-upgrade-world.ts'
import { aMember, aWorld, NOW } from '#test/machine-world.ts'
import { plan } from './plan.ts'
import type { ConfigChange } from './world.ts'

const MINE = 'example.org/installer:v1.13.0'
const FACTORY = `factory.talos.dev/metal-installer/${'a'.repeat(64)}:v1.13.0`
const EDITED = { [CONFIG]: 'before-the-edit as-before' }
const change: ConfigChange = {
  ...{ needs: 'live', isOfNetwork: false, places: ['machine.install.image'], images: [] },
  ...{ moved: [], older: [], installer: { before: FACTORY, after: MINE } },
}
const { installer: _, ...sameInstaller } = change

/** What is told of a machine with another configuration than it is to have. */
const told = (image: string, annotations: Record<string, string>, over: object = {}) => {
  const { version = 'v1.13.0', ...world } = { change, ...over } as { version?: string } // of any world
  const seen = aMember({ version, fingerprint: 'as-before' })
  const { notices = [] } = plan(
    wanting('v1.13.0', annotations, image),
    aWorld({ seen, ...world }),
    NOW,
  )
  return notices.map(({ reason }) => reason)
}

test('that an image was edited, and nothing is installed by it, is told', () => {
  expect(told(MINE, EDITED)).toEqual(['ImageNotInstalled'])
  const installer = { before: undefined, after: MINE }
  expect(told(MINE, EDITED, { change: { ...change, installer } })).toEqual(['ImageNotInstalled'])
})

test.each([
  ['it is of a schematic, and is compared', told(FACTORY, EDITED)],
  ['another version is installed anyhow', told(MINE, EDITED, { version: 'v1.12.4' })],
  [
    'it was installed by an upgrade',
    told(MINE, EDITED, {
      change: { ...change, installer: { before: 'x/installer:v1.12.4', after: MINE } },
    }),
  ],
  ['it is only another version', told(MINE, EDITED, { change: sameInstaller })],
  ['it is not given to the machine', told(MINE, { [CONFIG]: '' })],
  ['nothing differs', told(MINE, EDITED, { change: undefined })],
])('nothing is told of an image: %s', (_why, notices) => {
  expect(notices).toEqual([])
})
