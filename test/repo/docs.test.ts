import { execFileSync } from 'node:child_process'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { createProgram } from '#cli/program.ts'
import { isFragment, problemsOf } from './manifests.ts'
import {
  anchorsOf,
  consoleOf,
  linksOf,
  makeTargetsOf,
  manifestsOf,
  programWordsOf,
  shellOf,
  undefinedReferencesOf,
} from './pages.ts'
import { filesMatching, textOf } from './tree.ts'

const pages = await filesMatching(/\.md$/)
const texts = new Map(
  await Promise.all(pages.map(async (page) => [page, await textOf(page)] as const)),
)
const files = new Set(await filesMatching(/./))
const folders = new Set([...files].flatMap(foldersAbove))

describe.each(pages)('%s', (page) => {
  const text = texts.get(page) ?? ''

  test('links lead somewhere', () => {
    const broken = linksOf(text)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#')
        const target = path === '' ? page : normalize(join(dirname(page), path)).replace(/\/$/, '')
        const isThere = files.has(target) || folders.has(target)
        const anchors = anchorsOf(texts.get(target) ?? '')
        return !isThere || (anchor !== undefined && !anchors.includes(anchor))
      })
    expect(broken).toEqual([])
    expect(undefinedReferencesOf(text)).toEqual([])
  })

  test('manifests in it are valid, but for CEL rules', () => {
    const problems = manifestsOf(text).flatMap(({ line, code }) =>
      parseAllDocuments(code).flatMap((document) => {
        const yaml: unknown = document.toJS()
        const wrong = document.errors.map(({ message }) => message)
        return [...wrong, ...(isFragment(yaml) ? [] : problemsOf(yaml))].map(
          (problem) => `line ${line}: ${problem}`,
        )
      }),
    )
    expect(problems).toEqual([])
  })

  test('shell commands in it are at least well-formed', () => {
    for (const { code } of [...shellOf(text), ...consoleOf(text)]) {
      expect(() => execFileSync('/bin/sh', ['-n'], { input: code, stdio: 'pipe' })).not.toThrow()
    }
  })
})

test('make targets that the pages name exist', async () => {
  const makefile = await textOf('Makefile')
  const targets = [...makefile.matchAll(/^([a-z-]+):.*##/gm)].map(([, target]) => target)

  const named = [...texts].flatMap(([page, text]) =>
    makeTargetsOf(text).map((target) => ({ page, target })),
  )
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter(({ target }) => !targets.includes(target))).toEqual([])
})

test('commands and flags of the program that the pages tell to type exist', () => {
  const typed = [...texts].flatMap(([page, text]) =>
    programWordsOf(text).map((words) => ({ page, words })),
  )

  expect(typed.length).toBeGreaterThan(50)
  const wrong = typed.flatMap(({ page, words }) =>
    unknownIn(words).map((word) => `${page}: ${word} of talos-operator ${words.join(' ')}`),
  )
  expect(wrong).toEqual([])
})

test.each([
  [['upgrade-k8s', 'newer', '--to', 'v1.35.1'], []],
  [['gen', 'config', 'x', '-o', 'folder'], []],
  [['mc', 'patch', 'x.yaml', '--patch=y'], []],
  [['--version'], []],
  [['move', '--all'], ['move']],
  [['gen', 'nothing'], ['nothing']],
  [['demo', '--cloud', '--workers=5'], ['--cloud']],
])('of %j, %j is not there', (words, unknown) => {
  expect(unknownIn(words)).toEqual(unknown)
})

/** The words that are neither a command where one has to stand, nor a flag of the one that stands there. */
function unknownIn(words: readonly string[]): string[] {
  let command = createProgram({ out: () => undefined, err: () => undefined })
  const known = ['--help', '-h', ...flagsOf(command)]
  let rest = words
  while (command.commands.length > 0 && rest[0] !== undefined && !rest[0].startsWith('-')) {
    const [name] = rest
    const found = command.commands.find((one) => [one.name(), ...one.aliases()].includes(name))
    if (!found) return [name]
    command = found
    known.push(...flagsOf(found))
    rest = rest.slice(1)
  }
  const flags = rest.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.replace(/=.*/, ''))
  return flags.filter((flag) => !known.includes(flag))
}

/** A command knows the flags of those above it, too. */
const flagsOf = ({ options }: ReturnType<typeof createProgram>): string[] =>
  options.flatMap(({ long, short }) => [long ?? '', short ?? ''])

test('the words that ARCHITECTURE.md explains are in use', async () => {
  const section = /\n## Words\n([\s\S]*?)(\n## |$)/.exec(texts.get('ARCHITECTURE.md') ?? '')?.[1]
  const words = [...(section ?? '').matchAll(/^\| ([^|]+) \|/gm)]
    .map(([, word = '']) => word)
    .filter((word) => word !== 'word' && !word.startsWith('-'))
  const used = await filesMatching(/^(src|docs|examples)\//)
  const text = (await Promise.all(used.map(textOf))).join('\n')

  expect(words.length).toBeGreaterThan(0)
  expect(words.filter((word) => !isUsed(word, text))).toEqual([])
})

test('a word is in use in any spelling, and not as a part of another', () => {
  expect(isUsed('control plane', 'class ControlPlanes')).toBe(true)
  expect(isUsed('add-on', 'TalosClusterAddonRelease')).toBe(true)
  expect(isUsed('world', 'an underworldly thing')).toBe(false)
})

function isUsed(word: string, text: string): boolean {
  const spaced = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
  return new RegExp(`\\b${word.replaceAll(/[ -]/g, '[\\s-]?')}s?\\b`, 'i').test(spaced)
}

function foldersAbove(path: string): string[] {
  const folder = dirname(path)
  return folder === '.' ? [folder] : [folder, ...foldersAbove(folder)]
}
