import { describe, expect, it } from 'vitest'
import { formatCheck } from './formats.ts'

/** As kube-apiserver v1.36.4 takes and refuses them. */
const cases: Readonly<Record<string, { takes: string[]; refuses: string[] }>> = {
  'date-time': {
    takes: ['2020-01-01T00:00:00Z', '2020-01-01t00:00:00.5+01:00', '2024-02-29T23:59:59Z'],
    refuses: [
      '2020-01-01T24:00:00Z',
      '2020-01-01T00:00:60Z',
      '2020-01-01T00:00:00',
      '2020-02-30T00:00:00Z',
      '',
    ],
  },
  date: { takes: ['2024-02-29'], refuses: ['2023-02-29', '2020-02-30', '2020-13-01', '20200101'] },
  duration: {
    takes: ['1h30m', '-1h', '1.5h', '5 days', '3 wk'],
    refuses: ['', 'xyz', '3 wks', '2020-01-01'],
  },
  ipv4: {
    takes: ['1.2.3.4', '01.02.03.004', '::ffff:1.2.3.4'],
    refuses: ['1.2.3', '256.1.1.1', '::1'],
  },
  ipv6: { takes: ['::1', '::ffff:1.2.3.4'], refuses: ['1.2.3.4', 'fe80::1%eth0'] },
  cidr: { takes: ['10.0.0.1/8', '::/0'], refuses: ['10.0.0.0/33', '::/129', '10.0.0.0'] },
  uuid: { takes: ['123E4567E89B42D3A456426614174000'], refuses: ['123e4567-e89b-12d3-a456'] },
  uuid4: {
    takes: ['123e4567-e89b-42d3-a456-426614174000'],
    refuses: ['123e4567-e89b-12d3-a456-426614174000'],
  },
  byte: { takes: ['aGVsbG8=', 'YQ=='], refuses: ['', 'aGVsbG8', 'a'] },
  email: {
    takes: ['a@b', 'Bob <a@b.c>', ' "B. O."B.. b <a@b.c> ', '"a b"@c.d'],
    refuses: ['', '@b', 'a b@c', 'x', '. b <a@b.c>'],
  },
  hostname: { takes: ['example.com', 'localhost', 'é'], refuses: ['', '-a.com', 'a_b.com', 'a.1'] },
  uri: {
    takes: ['/abs', 'mailto:a@b', 'http://[::1]:80/', '//x'],
    refuses: ['', 'rel', 'http://a b', 'http://a:b', 'http://x/%zz'],
  },
  mac: { takes: ['00:11:22:33:44:55', '0011.2233.4455'], refuses: ['00:11:22:33:44'] },
  isbn: { takes: ['978-0321751041', '0321751043'], refuses: ['978-0321751042'] },
  creditcard: { takes: ['4111 1111 1111 1111'], refuses: ['4111111111111112'] },
  ssn: { takes: ['123-45-6789'], refuses: ['123456789'] },
  hexcolor: { takes: ['#fff', '#FFFFFF'], refuses: ['ffff'] },
  rgbcolor: { takes: ['rgb(1, 2,3 )'], refuses: ['rgb(256,0,0)'] },
  bsonobjectid: { takes: ['507f1f77bcf86cd799439011'], refuses: ['50'] },
  'k8s-short-name': { takes: ['a-b'], refuses: ['A-b', 'a.b', '-', 'a'.repeat(64)] },
  'k8s-long-name': { takes: ['a.b'], refuses: ['a..b', 'A'] },
  password: { takes: ['', 'x'], refuses: [] },
}

describe('the format', () => {
  it.each(Object.entries(cases))('%s', (format, { takes, refuses }) => {
    const check = formatCheck(format)

    expect(takes.filter((text) => !check?.(text))).toEqual([])
    expect(refuses.filter((text) => check?.(text))).toEqual([])
  })

  it.each([
    ['email', `${'a'.repeat(5000)}<`],
    ['email', `${' '.repeat(5000)}<`],
    ['duration', '1'.repeat(100_000)],
    ['duration', `1${' '.repeat(100_000)}1`],
  ])('%s does not keep others waiting for a text that is nearly one', (format, text) => {
    expect(formatCheck(format)?.(text)).toBe(false)
  })

  it('that nobody knows means nothing', () => {
    expect(formatCheck('whatever')).toBeUndefined()
    expect(formatCheck('toString')).toBeUndefined()
  })
})
