import { execFileSync } from 'node:child_process'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import packageFile from '#package.json' with { type: 'json' }
import { problemsOf } from './manifests.ts'
import { filesMatching, textOf } from './tree.ts'

const pages = await filesMatching(/\.md$/)
const texts = new Map(
  await Promise.all(pages.map(async (page) => [page, await textOf(page)] as const)),
)

/** The anchors of a page, as GitHub makes them from its headings. */
const anchorsOf = (page: string): string[] =>
  [...(texts.get(page) ?? '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

const withoutCode = (text: string): string =>
  text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '')

/** The fenced blocks of a page in one of the languages, with the line they start at. */
function fences(text: string, languages: string[]): { line: number; code: string }[] {
  return [...text.matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```/gm)]
    .filter(([, language = '']) => languages.includes(language))
    .map((match) => ({
      line: text.slice(0, match.index).split('\n').length,
      code: match[2] ?? '',
    }))
}

describe.each(pages)('%s', (page) => {
  const text = texts.get(page) ?? ''

  test('links lead somewhere', async () => {
    const files = new Set(await filesMatching(/./))
    const folders = new Set([...files].map((path) => dirname(path)))

    const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    const broken = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#')
        const target = path === '' ? page : normalize(join(dirname(page), path)).replace(/\/$/, '')
        const isThere = files.has(target) || folders.has(target)
        return !isThere || (anchor !== undefined && !anchorsOf(target).includes(anchor))
      })
    expect(broken).toEqual([])
  })

  test('manifests in it are valid', () => {
    const problems = fences(text, ['yaml']).flatMap(({ line, code }) =>
      parseAllDocuments(code).flatMap((document) => [
        ...document.errors.map(({ message }) => `line ${line}: ${message}`),
        ...problemsOf(document.toJS()).map((problem) => `line ${line}: ${problem}`),
      ]),
    )
    expect(problems).toEqual([])
  })

  test('shell commands in it are at least well-formed', () => {
    for (const { code } of fences(text, ['sh', 'bash', 'shell'])) {
      expect(() => execFileSync('/bin/sh', ['-n'], { input: code, stdio: 'pipe' })).not.toThrow()
    }
  })
})

test('make targets that the pages name exist', async () => {
  const makefile = await textOf('Makefile')
  const targets = [...makefile.matchAll(/^([a-z-]+):.*##/gm)].map(([, target]) => target)

  const named = [...texts].flatMap(([page, text]) =>
    [...text.matchAll(/`make ([a-z-]+)/g)].map(([, target]) => ({ page, target })),
  )
  expect(named.filter(({ target }) => !targets.includes(target))).toEqual([])
})

test('the version of the package has an entry in the change log', () => {
  expect(texts.get('CHANGELOG.md')).toMatch(
    new RegExp(`^## (Unreleased|${packageFile.version})`, 'm'),
  )
})
