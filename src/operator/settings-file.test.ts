import { expect, test } from 'vitest'
import { readSettings } from './settings.ts'

const read = (text: string) =>
  readSettings({ flags: {}, env: {}, file: { path: 'settings.yaml', text } })

test('a file may be empty, and an entry may be without a value', () => {
  const nothing = readSettings({ flags: {}, env: {} })

  expect(read('')).toEqual(nothing)
  expect(read('# nothing yet\n')).toEqual(nothing)
  expect(read('logLevel:\nnamespaces: null\n')).toEqual(nothing)
})

test('numbers, switches and lists may be written as YAML has them', () => {
  const text = [
    'concurrency: 5',
    'enableTracing: true',
    'metricsBindAddress: 0',
    'namespaces:',
    '- a',
    '- b',
  ]

  expect(read(text.join('\n'))).toMatchObject({
    concurrency: 5,
    enableTracing: true,
    metricsBindAddress: 'off',
    namespaces: ['a', 'b'],
  })
})

test.each([
  ['- a', 'The file of settings settings.yaml is no map.'],
  ['logLevel', 'The file of settings settings.yaml is no map.'],
  ['a: [', 'The file of settings settings.yaml is not valid YAML: '],
  ['logLevel: [debug]', 'logLevel in settings.yaml has not the right shape. Give `error`'],
  ['namespaces: { a: b }', 'namespaces in settings.yaml has not the right shape. Give a name'],
  [
    'resultsPath: ""',
    'resultsPath in settings.yaml is "": it is empty. Give the path of a folder.',
  ],
])('refused with a sentence: %s', (text, sentence) => {
  expect(() => read(text)).toThrow(sentence)
})

test.each([
  ['metricBindAddress', 'metricsBindAddress'],
  ['metrics-bind-address', 'metricsBindAddress'],
  ['METRICS_BIND_ADDRESS', 'metricsBindAddress'],
  ['concurency', 'concurrency'],
  ['loglevel', 'logLevel'],
  ['leaderElectionNames', 'leaderElectionName'],
])('an unknown key is refused with the name that was meant: %s', (key, meant) => {
  expect(() => read(`${key}: 1`)).toThrow(
    `${key} in settings.yaml is no setting. Did you mean ${meant}?`,
  )
})

test.each(['config', 'otlpHeaders', 'constructor', '__proto__', 'x', 'theWholeWorld'])(
  'no setting of a file: %s',
  (key) => {
    expect(() => read(`${key}: 1`)).toThrow(`${key} in settings.yaml is no setting.`)
  },
)

test('a value that cannot be used is told with its key and its file', () => {
  expect(() => read('concurrency: 1.5')).toThrow(
    'concurrency in settings.yaml is "1.5": it is no whole number. Give a whole number from 1 to 1000.',
  )
})
