import { expect, test } from 'vitest'
import {
  isControlPlane,
  machineType,
  machineTypeWarnings,
  unknownTypeProblem,
} from './machine-type.ts'

test.for([
  ['init', 'init', true, []],
  ['controlplane', 'controlplane', true, []],
  ['worker', 'worker', false, []],
  ['join', 'worker', false, ['use "worker" instead of "join" for machine type']],
  ['', 'worker', false, ['use "worker" instead of "" for machine type']],
  ['unknown', 'unknown', false, []],
  ['master', 'unknown', false, []],
] as const)('the type %j is %s', ([text, type, controlPlane, warnings]) => {
  expect(machineType(text)).toBe(type)
  expect(isControlPlane(type)).toBe(controlPlane)
  expect([...machineTypeWarnings(text)]).toEqual(warnings)
})

test('an unknown type is named', () => {
  expect(unknownTypeProblem('master')).toBe('unknown machine type "master"')
})
