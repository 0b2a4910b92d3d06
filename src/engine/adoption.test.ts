import { describe, expect, test } from 'vitest'
import { ADOPTED, BOOTSTRAP_MACHINE, CONFIG_TRIED, ETCD_SEEN, RECONCILE_MODE } from '#api/labels.ts'
import { aControlPlane, aMachine, aWorker } from '#test/builders.ts'
import {
  adoptedMachines,
  adoptedText,
  isAsAdopted,
  isImport,
  isToBeImported,
  wasImported,
  whyLeftRunning,
} from './adoption.ts'

test.each([
  ['import', true],
  [' Import ', true],
  ['reconcile', false],
])('reconcile-mode %j is an import: %s', (mode, expected) => {
  const annotations = { [RECONCILE_MODE]: mode }

  expect(isImport({ name: 'one', annotations })).toBe(expected)
  expect(isImport({ name: 'one' })).toBe(false)
})

describe('a control plane or a pool', () => {
  const IMPORT = { [RECONCILE_MODE]: 'import' }
  const withThese = (annotations: Record<string, string>) =>
    aControlPlane({ metadata: { annotations } })

  test('is to be imported until it was, or is known to run', () => {
    expect(isToBeImported(withThese(IMPORT))).toBe(true)
    expect(isToBeImported(aWorker({ metadata: { annotations: IMPORT } }))).toBe(true)
    expect(isToBeImported(withThese({}))).toBe(false)
    for (const evidence of [ADOPTED, BOOTSTRAP_MACHINE, ETCD_SEEN]) {
      expect(isToBeImported(withThese({ ...IMPORT, [evidence]: 'x' }))).toBe(false)
    }
  })

  test('knows which machines it took over', () => {
    const part = withThese({ [ADOPTED]: adoptedText(['a', 'b']) })

    expect(adoptedMachines(part)).toEqual(['a', 'b'])
    expect(wasImported(part)).toBe(true)
    expect(adoptedMachines(aControlPlane())).toBeUndefined()
    expect(wasImported(aControlPlane())).toBeUndefined()
    expect(wasImported(aControlPlane({ status: { imported: true } }))).toBe(true)
  })
})

describe('a machine that was imported', () => {
  const machine = (annotations: Record<string, string>, policy: 'reset' | 'preserve' = 'reset') =>
    aMachine({ metadata: { annotations }, spec: { deletionPolicy: policy } })

  test('is left running when its object goes, unless it was configured here since', () => {
    const adopted = { [ADOPTED]: 'true' }
    const tried = { [CONFIG_TRIED]: 'x 1 2030-01-01T00:00:00Z live' }

    expect(whyLeftRunning(machine(adopted))).toContain('imported')
    expect(whyLeftRunning(machine({ ...adopted, ...tried }))).toBeUndefined()
    expect(isAsAdopted(machine({ ...adopted, ...tried }))).toBe(false)
    expect(whyLeftRunning(machine(tried))).toBeUndefined()
    expect(whyLeftRunning(machine({}))).toBeUndefined()
    expect(whyLeftRunning(machine(tried, 'preserve'))).toContain('deletionPolicy')
  })
})
