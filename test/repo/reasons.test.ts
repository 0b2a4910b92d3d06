import { expect, test } from 'vitest'
import { errorCatalogue } from '#base/error-catalogue.ts'
import { wordsSaidIn } from './reasons.ts'
import { filesMatching, textOf } from './tree.ts'

const PAGE = 'docs/guides/troubleshooting.md'
const SPEAKERS = /^src\/(controllers|engine|runtime)\/(?!.*\.(test|cases)\.ts$).*\.ts$/

// What such words are besides reasons: what an object is or has, what a drain does, what is said of an API to its controller
// alone, and events of steps whose names are chosen.
const NO_REASONS = [
  ...['ConfigMap', 'CustomResourceDefinition', 'Namespace', 'Secret', 'Role', 'ClusterRole'],
  ...['TalosControlPlane', 'TalosWorker', 'MachinesCreated'],
  ...['Available', 'Booting', 'Bootstrapped', 'Pending', 'Failed', 'Provisioning', 'Running'],
  ...['True', 'False', 'Unknown', 'Succeeded', 'Equal', 'Stop', 'Warning'],
  ...['Garbled', 'Refused', 'Untrusted', 'NotWanted'],
  ...['SecretsCreated', 'StatusRestored'],
]

const sources = await Promise.all((await filesMatching(SPEAKERS)).map(textOf))
const said = new Set(sources.flatMap(wordsSaidIn))
const page = await textOf(PAGE)
const wordsIn = (text: string): string[] =>
  [...text.matchAll(/`([A-Z][A-Za-z]+)`/g)].map(([, word = '']) => word)

test('every reason that a controller can give is on the page for whoever reads it', () => {
  const told = new Set([...wordsIn(page), ...Object.keys(errorCatalogue), ...NO_REASONS])

  expect(said.size).toBeGreaterThan(150)
  expect([...said].filter((word) => !told.has(word)).sort()).toEqual([])
})

test('the page explains no reason that nobody gives', () => {
  const explained = [...page.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = '']) =>
    wordsIn(cell),
  )

  expect(explained.length).toBeGreaterThan(100)
  expect(explained.filter((word) => !said.has(word))).toEqual([])
  expect(explained.filter((word, at) => explained.indexOf(word) !== at)).toEqual([])
})

test('what is said to be no reason is in the sources', () => {
  expect(NO_REASONS.filter((word) => !said.has(word))).toEqual([])
})

test.each([
  "no('TheReason', 'words')",
  "stuck('TheReason', words)",
  "return { reason: 'TheReason', message }",
  "const PENDING = 'TheReason'",
  "const REASONS = ['TheReason'] as const",
  "no(isSilent ? 'TheReason' : reason, words)",
  "const found = known ?? 'TheReason'",
  'no(`TheReason`, words)',
])('a reason is seen in %s', (source) => {
  expect(wordsSaidIn(source)).toEqual(['TheReason'])
})

test.each([
  "if (reason === 'TheReason') return",
  "type Reason = 'TheReason'",
  "throw new OperatorError('TheReason', { message })",
  "switch (is) { case 'TheReason': }",
  "const said = { reason: 'TheReason', failure: 'FailedDeed', done }",
  "const object = { kind: 'TheReason', type: 'Opaque' }",
  "no(REASON, 'Words in a sentence')",
])('none is given in %s', (source) => {
  expect(wordsSaidIn(source)).toEqual([])
})
