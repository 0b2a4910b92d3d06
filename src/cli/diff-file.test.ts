import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { objectsIn } from './diff-file.ts'

const object = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name } })
const noInput = () => Promise.reject(new Error('nobody asks'))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-diff-file-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function file(text: string): Promise<string> {
  const path = join(folder, 'given')
  await writeFile(path, text)
  return path
}

test('objects are found in documents, in lists and in what comes in, in their order', async () => {
  const list = { apiVersion: 'v1', kind: 'List', items: [object('b'), object('c')] }
  const path = await file(
    `---\n${JSON.stringify(object('a'))}\n---\n---\n${JSON.stringify(list)}\n`,
  )
  const input = async () => JSON.stringify({ ...object('d'), spec: { x: 1 } })

  expect(await objectsIn([path, '-'], input)).toEqual([
    ...['a', 'b', 'c'].map(object),
    { ...object('d'), spec: { x: 1 } },
  ])
})

test('a file without any is no file that changes nothing', async () => {
  const path = await file('# nothing\n')

  await expect(objectsIn([path], noInput)).rejects.toThrow(`there is no object in ${path}`)
})

test.each([
  ['a: [', 'cannot be read'],
  ['password: hunter2', 'document 1 is no object'],
  ['apiVersion: v1\nkind: Pod\nmetadata: {generateName: a}', 'document 1 is no object'],
])('%j is told without what is in it', async (text, reason) => {
  const path = await file(text)
  const told = await objectsIn([path], noInput).catch(String)

  expect(told).toContain(`${path}`)
  expect(told).toContain(reason)
  expect(told).not.toContain('hunter2')
})

test('a file that is not there is named', async () => {
  await expect(objectsIn([join(folder, 'none')], noInput)).rejects.toThrow('no such file')
})
