import { homedir } from 'node:os'
import { expect, test } from 'vitest'
import { homeFolder } from './home-folder.ts'

test('who is known to the system has a home', () => {
  expect(homeFolder()).toBe(homedir())
})

test('a user whom nobody knows, as in a container, has the root for a home', () => {
  const unknown = () => {
    throw new Error('uv_os_homedir returned ENOENT')
  }

  expect(homeFolder(unknown)).toBe('/')
})
