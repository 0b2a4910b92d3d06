import { describe, expect, it } from 'vitest'
import { mergeUrls } from './merge-url.ts'

describe('two URLs', () => {
  it.each([
    ['https://a:6443/path?x=1', 'https://b', 'https://b/path?x=1'],
    ['https://a', 'https://b:1/p?q#f', 'https://b:1/p?q#f'],
    ['https://a:1/p', '/x', 'https://a:1/x'],
    ['https://a', 'x', 'https://a/x'],
    ['https://a/?', '', 'https://a/'],
    ['https://a', '?', 'https://a?'],
    ['https://a#f', '?q', 'https://a?q#f'],
    ['https:/x', 'https://b', 'https://b/x'],
    ['https:/x', 'https:', 'https:///x'],
    ['https:', 'https:', 'https:'],
    ['https:/x', 'https:/y', 'https:/y'],
    ['https://b/y', 'mailto:x', 'mailto:x'],
    ['mailto:x', 'https://b', 'https:x'],
    ['https://b', 'https://u:p@c', 'https://u:p@c'],
    ['/a', '/b', '/b'],
    ['//a', '', '//a'],
  ])('%s and %s make %s', (left, right, result) => {
    expect(mergeUrls(left, right)).toBe(result)
  })

  it('cannot both have a user, and the refusal does not show them', () => {
    expect(() => mergeUrls('https://u:p@a', 'https://v:q@a')).toThrow(
      /^merge not possible, left value is not settable$/,
    )
  })
})
