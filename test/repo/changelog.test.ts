import { expect, test } from 'vitest'
import packageFile from '#package.json' with { type: 'json' }
import { textOf } from './tree.ts'

test('the change log tells of the version of the package', async () => {
  expect(problemsOf(await textOf('CHANGELOG.md'), packageFile.version)).toEqual([])
})

const log = (...sections: [heading: string, text: string][]): string =>
  `# Change log\n\n${sections.map(([heading, text]) => `## ${heading}\n\n${text}\n`).join('\n')}`

test('a version before its release needs an Unreleased section that says something', () => {
  const older: [string, string] = ['0.1.0', 'The first.']

  expect(problemsOf(log(['Unreleased', '* New: x.'], older), '0.2.0')).toEqual([])
  expect(problemsOf(log(['Unreleased', '* New: x.']), '0.1.0')).toEqual([])
  expect(problemsOf(log(['Unreleased', ''], older), '0.2.0')).toEqual([
    '0.2.0 has no section, and there is no Unreleased section that says anything',
  ])
  expect(problemsOf(log(['Unreleased', '<!-- nothing -->'], older), '0.2.0')).toHaveLength(1)
  expect(problemsOf(log(older), '0.2.0')).toHaveLength(1)
  expect(problemsOf(log(), '0.2.0')).toHaveLength(1)
})

test('a released version has a section that says something', () => {
  expect(problemsOf(log(['0.10.0 (2030-01-01)', 'x'], ['0.9.0', 'x']), '0.10.0')).toEqual([])
  expect(problemsOf(log(['Unreleased', ''], ['0.1.0', 'x']), '0.1.0')).toEqual([])
  expect(problemsOf(log(['0.1.0', '']), '0.1.0')).toEqual(['0.1.0 says nothing'])
})

test('the package is never older than its change log, and the newest version is on top', () => {
  expect(problemsOf(log(['Unreleased', 'x'], ['0.2.0', 'x']), '0.1.0')).toEqual([
    'the package is 0.1.0, and the change log knows 0.2.0 already',
  ])
  expect(problemsOf(log(['0.2.0', 'x'], ['0.1.0', 'x']), '0.1.0')).toHaveLength(1)
  expect(problemsOf(log(['0.9.0', 'x'], ['0.10.0', 'x']), '0.10.0')).toEqual([
    'the newest comes first: 0.10.0, 0.9.0',
  ])
  expect(problemsOf(log(['0.1.0', 'x'], ['Unreleased', 'x']), '0.1.0')).toHaveLength(1)
  expect(problemsOf(log(['0.1.0', 'x'], ['0.1.0', 'x']), '0.1.0')).toHaveLength(1)
})

test('a heading is Unreleased or a version', () => {
  expect(problemsOf(log(['Unreleasd', 'x'], ['0.1.0', 'x']), '0.1.0')).toEqual([
    '“Unreleasd” is neither Unreleased nor a version',
  ])
})

function problemsOf(text: string, version: string): string[] {
  const sections = sectionsOf(text)
  const names = sections.map(({ name }) => name)
  const released = names.filter((name) => /^\d+\.\d+\.\d+$/.test(name))
  const [newest = '0.0.0'] = [...released].sort(newestFirst)
  return [
    ...names
      .filter((name) => name !== 'Unreleased' && !released.includes(name))
      .map((name) => `“${name}” is neither Unreleased nor a version`),
    ...sections
      .filter(({ name, says }) => released.includes(name) && !says)
      .map(({ name }) => `${name} says nothing`),
    ...orderProblems(names, released),
    ...(newestFirst(version, newest) > 0
      ? [`the package is ${version}, and the change log knows ${newest} already`]
      : []),
    ...(released.includes(version) ||
    sections.some(({ name, says }) => name === 'Unreleased' && says)
      ? []
      : [`${version} has no section, and there is no Unreleased section that says anything`]),
  ]
}

function orderProblems(names: string[], released: string[]): string[] {
  const wanted = [...new Set(released)].sort(newestFirst)
  const isSorted = wanted.join() === released.join() && names.lastIndexOf('Unreleased') <= 0
  return isSorted ? [] : [`the newest comes first: ${wanted.join(', ')}`]
}

/** The sections: the first word of each heading, and whether anything is below it. */
function sectionsOf(text: string): { name: string; says: boolean }[] {
  const [, ...parts] = text.replace(/<!--[\s\S]*?-->/g, '').split(/^## /m)
  return parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n')
    return { name: heading.split(' ')[0] ?? '', says: lines.join('').trim() !== '' }
  })
}

const newestFirst = (a: string, b: string): number => b.localeCompare(a, 'en', { numeric: true })
