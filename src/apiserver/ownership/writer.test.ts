import { describe, expect, it } from 'vitest'
import { patchOptionErrors, writerErrors, writerOf } from './writer.ts'

describe('the name of a writer', () => {
  it('is the one asked for, or the first word of the user agent', () => {
    expect(writerOf('me', 'kubectl/v1')).toBe('me')
    expect(writerOf('', 'kube\u0001ctl/v1.36 (linux)')).toBe('kubectl')
    expect(writerOf('', `${'x'.repeat(200)}/1`)).toHaveLength(128)
  })

  it('may be neither long nor unprintable', () => {
    expect(writerErrors('ö x')).toEqual([])
    expect(writerErrors(`${'x'.repeat(129)}\n`).map(({ message }) => message)).toEqual([
      'Too long: may not be more than 128 bytes',
      `Invalid value: "${'x'.repeat(129)}\\n": invalid character U+000A (at position 129)`,
    ])
  })

  it('is needed for an apply, which alone can be forced', () => {
    expect(patchOptionErrors({ isApply: true, writer: '', force: true })).toMatchObject([
      { message: 'Required value: is required for apply patch', field: 'fieldManager' },
    ])
    expect(patchOptionErrors({ isApply: false, writer: '', force: true })).toMatchObject([
      { message: 'Forbidden: may not be specified for non-apply patch', field: 'force' },
    ])
    expect(patchOptionErrors({ isApply: true, writer: 'a', force: undefined })).toEqual([])
  })
})
