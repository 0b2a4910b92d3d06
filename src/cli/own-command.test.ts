import { expect, test } from 'vitest'
import { ownCommand } from './own-command.ts'

test.each([
  ['a clone, from its folder', '/src/operator/bin/talos-operator', 'bin/talos-operator'],
  ['a clone, from elsewhere', '/else/bin/talos-operator', '/else/bin/talos-operator'],
  ['the folder that it is in', '/src/operator/talos-operator', './talos-operator'],
  ['a folder of PATH', '/usr/bin/talos-operator', 'talos-operator'],
  ['a bundle that Node runs', '/src/operator/dist/main.mjs', 'node dist/main.mjs'],
  ['a folder with a space', '/my files/talos-operator', "'/my files/talos-operator'"],
  ['nobody knows where', undefined, 'talos-operator'],
])('who started it from %s can type what is shown', (_where, file, typed) => {
  const folder = '/src/operator'

  expect(ownCommand({ file, folder, path: '/usr/local/bin:/usr/bin' })).toBe(typed)
})
