import { expect, test } from 'vitest'
import { outputPaths } from './output-paths.ts'

const all = (folder: string): [string, string][] => [
  ['controlplane', `${folder}/controlplane.yaml`],
  ['worker', `${folder}/worker.yaml`],
  ['talosconfig', `${folder}/talosconfig`],
]

test.each([
  ['everything goes to where one is', {}, all('/here')],
  ['everything goes to a folder', { output: './there' }, all('there')],
  ['a single type goes to a file', { output: 'x', outputTypes: ['worker'] }, [['worker', 'x']]],
  [
    'a single type goes to where one is, under its own name',
    { outputTypes: ['worker'] },
    [['worker', '/here/worker.yaml']],
  ],
  [
    'the flag of the past always names a folder',
    { outputDir: 'x', outputTypes: ['talosconfig'] },
    [['talosconfig', 'x/talosconfig']],
  ],
  [
    'the order is always the same, and asking twice changes nothing',
    { output: 'x', outputTypes: ['talosconfig', 'controlplane', 'controlplane'] },
    [
      ['controlplane', 'x/controlplane.yaml'],
      ['talosconfig', 'x/talosconfig'],
    ],
  ],
])('%s', (_title, flags, paths) => {
  expect([...outputPaths(flags, '/here')]).toEqual(paths)
})
