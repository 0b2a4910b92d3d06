import { describe, expect, it } from 'vitest'
import { patchedFields } from './patched.cases.ts'

const merged = (base: string, patch: string): unknown => {
  const config = (value: string): string => `machine: {kubelet: {extraConfig: ${value}}}`
  const [fields] = patchedFields(config(base), config(patch))
  return JSON.parse(JSON.stringify(fields)).machine.kubelet.extraConfig
}

describe('an object without a type', () => {
  it.each([
    ['{a: x}', '{b: y}', { a: 'x', b: 'y' }],
    ['{a: x}', '{a: ""}', { a: 'x' }],
    ['{a: 5}', '{a: 0}', { a: 5 }],
    ['{a: 5}', '{a: 6}', { a: 6 }],
    ['{a: true}', '{a: false}', { a: false }],
    ['{a: 0.5}', '{a: 1.5}', { a: 1.5 }],
    ['{a: [1]}', '{a: [2]}', { a: [1, 2] }],
    ['{a: [1]}', '{a: []}', { a: [1] }],
    ['{a: {b: {c: 1}}}', '{a: {b: {d: 2}}}', { a: { b: { c: 1, d: 2 } } }],
    ['{a: 1}', '{}', { a: 1 }],
    ['{a: 1}', 'null', { a: 1 }],
    ['null', '{a: 1}', { a: 1 }],
    ['{a: null}', '{a: [1]}', { a: [1] }],
    ['{a: 1}', '{constructor: 2}', { a: 1, constructor: 2 }],
  ])('makes of %s and %s %j', (base, patch, result) => {
    expect(merged(base, patch)).toEqual(result)
  })

  it('is not set to nothing', () => {
    expect(
      patchedFields('machine: {kubelet: {}}', 'machine: {kubelet: {extraConfig: {}}}'),
    ).toEqual([{ machine: { kubelet: {} } }])
  })

  it.each([
    ['{a: x}', '{a: 1}', 'a: merge type mismatch left string right int'],
    ['{a: 1}', '{a: 1.5}', 'a: merge type mismatch left int right float64'],
    [
      '{a: [1]}',
      '{a: {b: 1}}',
      'a: merge type mismatch left []interface {} right map[string]interface {}',
    ],
    ['{a: {b: true}}', '{a: {b: x}}', 'a.b: merge type mismatch left bool right string'],
    ['{a: 1}', '{a: null}', 'a: null cannot take the place of a value'],
  ])('refuses to merge %s and %s', (base, patch, why) => {
    expect(() => merged(base, patch)).toThrow(`patch 0: machine.kubelet.extraConfig.${why}`)
  })
})
