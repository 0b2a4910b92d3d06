import { gunzipSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { Refusal } from '#simulator/refusal.ts'
import { allOf, answerOf, answersOf } from '#simulator/services/a-call.cases.ts'
import { aMachine, type TestMachine } from '#simulator/services/a-machine.cases.ts'
import { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { FakeClock } from '#test/fake-clock.ts'

const { copy, list, read } = MachineService.method
const DATABASE = '/var/lib/etcd/member/snap/db'
const FILES = new Map([
  ['/etc/hostname', Buffer.from('one\n')],
  ['/etc/os-release', Buffer.from('ID=talos\n')],
  [DATABASE, Buffer.alloc(100_000, 7)],
])

let clock: FakeClock
let machine: TestMachine
beforeEach(() => {
  clock = new FakeClock()
  machine = aMachine(clock, {
    readFile: async (path) => {
      const content = FILES.get(path)
      if (content) return content
      throw new Refusal('NotFound', `stat ${path}: no such file or directory`)
    },
  })
})

/** What is in the archive of a path: names, what they are, and contents. */
async function copied(rootPath: string): Promise<[name: string, type: string, bytes: number][]> {
  const parts = await allOf(answersOf(copy, { rootPath }, { machine, clock }))
  const archive = gunzipSync(Buffer.concat(parts.map(({ bytes }) => bytes)))
  const entries: [string, string, number][] = []
  for (let at = 0; archive[at] !== 0; ) {
    const text = (from: number, to: number) =>
      archive.toString('latin1', at + from, at + to).replace(/\0.*$/s, '')
    const bytes = Number.parseInt(text(124, 136), 8)
    entries.push([text(0, 100), text(156, 157), bytes])
    at += 512 + Math.ceil(bytes / 512) * 512
  }
  return entries
}

test('a file is copied by its name alone, whole', async () => {
  expect(await copied(DATABASE)).toEqual([['db', '0', 100_000]])
})

test('a folder is copied with its folders, each before what is in it', async () => {
  expect(await copied('/var/lib/')).toEqual([
    ['etcd/', '5', 0],
    ['etcd/member/', '5', 0],
    ['etcd/member/snap/', '5', 0],
    ['etcd/member/snap/db', '0', 100_000],
  ])
})

test('what is not there is told as Talos does: in the stream, or as a failure', async () => {
  const calling = { machine, clock }
  const { metadata } = await answerOf(copy, { rootPath: '/var/lib/foo' }, calling)

  expect(metadata?.error).toBe('lstat /var/lib/foo: no such file or directory')
  await expect(answerOf(copy, { rootPath: 'foo' }, calling)).rejects.toMatchObject({
    message: 'path is not absolute foo',
  })
  await expect(answerOf(list, { root: '/foo' }, calling)).rejects.toMatchObject({
    ...{ code: 'Unknown', message: 'lstat /foo: no such file or directory' },
  })
  await expect(answerOf(read, { path: '/foo' }, calling)).rejects.toMatchObject({
    code: 'NotFound',
  })
})

test('a folder is listed with what is in it, and deeper if that is asked for', async () => {
  const names = async (root: string, recurse: boolean) =>
    (await allOf(answersOf(list, { root, recurse }, { machine, clock }))).map(
      ({ relativeName, size, isDir }) => [relativeName, Number(size), isDir],
    )

  expect(await names('/etc', false)).toEqual([
    ['.', 4096, true],
    ['hostname', 4, false],
    ['os-release', 9, false],
  ])
  expect((await names('/var/lib/etcd', true)).at(-1)).toEqual(['member/snap/db', 100_000, false])
})
