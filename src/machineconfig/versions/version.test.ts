import { expect, test } from 'vitest'
import { compareVersions, isNewer, minorText, parseVersion, versionText } from './version.ts'

test.each([
  ['v1.13.0', { major: 1, minor: 13, patch: 0 }],
  ['1.13', { major: 1, minor: 13, patch: 0 }],
  ['v1.14.0-alpha.2', { major: 1, minor: 14, patch: 0, prerelease: 'alpha.2' }],
  ['1.36.4+build.7', { major: 1, minor: 36, patch: 4 }],
])('%s is a version', (text, expected) => {
  expect(parseVersion(text)).toEqual(expected)
})

test.each(['', 'v1', 'latest', '1.2.3.4', '1.13.0-', '1.13-alpha', 'v123456.1.1', ' v1.13.0'])(
  '%j is no version',
  (text) => {
    expect(parseVersion(text)).toBeUndefined()
  },
)

test('versions are ordered by number, pre-releases aside', () => {
  const versions = ['1.9.6', '1.10.0', '1.10.2', '2.0.0'].map((text) => parseVersion(text))

  const sorted = versions
    .toReversed()
    .flatMap((version) => version ?? [])
    .toSorted(compareVersions)

  expect(sorted).toEqual(versions)
  expect(
    compareVersions(
      { major: 1, minor: 13, patch: 0, prerelease: 'alpha.1' },
      { major: 1, minor: 13, patch: 0 },
    ),
  ).toBe(0)
})

test('a version is newer than its pre-releases, which have an order of their own', () => {
  const versions = ['1.36.9', '1.37.0-alpha.10', '1.37.0-rc.2', '1.37.0-rc.10', '1.37.0', '1.38.0']
  const newerThan = (text: string): string[] =>
    versions.filter((one) => {
      const [version, other] = [parseVersion(one), parseVersion(text)]
      return version && other && isNewer(version, other)
    })

  for (const [at, version] of versions.entries()) {
    expect(newerThan(version)).toEqual(versions.slice(at + 1))
  }
})

test('a version is written without v', () => {
  expect(versionText({ major: 1, minor: 14, patch: 0, prerelease: 'rc.1' })).toBe('1.14.0-rc.1')
  expect(versionText({ major: 1, minor: 5, patch: 5 })).toBe('1.5.5')
})

test('the minor version is that of Talos and of nothing else', () => {
  expect(minorText('v1.13.2')).toBe('v1.13')
  expect(minorText('1.14.0-rc.1')).toBe('v1.14')
  expect(minorText('latest')).toBe('latest')
})
