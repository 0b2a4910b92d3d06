import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aResultsFolder, aFile as file, aFilesOwner as owner } from '#test/a-results-folder.ts'
import { until } from '#test/until.ts'
import type { Disk } from './replaced-file.ts'

// What a disk says that has no room left, and one that nobody may write to any more.
const ENOSPC = Object.assign(new Error('ENOSPC: no space left on device, write'), {
  code: 'ENOSPC',
})
const EROFS = Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' })

/** A disk that is full from the given file on: half of that is written, and no more. */
const fullFrom = (first: number): Disk => {
  let opened = 0
  return {
    rename,
    open: async (...args) => {
      const handle = await open(...args)
      opened += 1
      if (opened < first) return handle
      return {
        writeFile: async (content) => {
          await handle.writeFile(content.slice(0, content.length / 2))
          throw ENOSPC
        },
        sync: () => handle.sync(),
        close: () => handle.close(),
      }
    },
  }
}

/** A disk of which `what` fails from the given time on. */
const readOnlyFrom = (what: keyof Disk, first: number): Disk => {
  let times = 0
  const unlessLate =
    <Args extends unknown[], Result>(act: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      times += 1
      if (times >= first) throw EROFS
      return act(...args)
    }
  return {
    open,
    rename,
    ...(what === 'open' ? { open: unlessLate(open) } : { rename: unlessLate(rename) }),
  }
}

// The marker is the first that is written, so the third is the second manifest.
test.each<[what: string, disk: Disk, code: string]>([
  ['is full in the middle of the second file', fullFrom(3), 'ENOSPC'],
  ['cannot be opened for the second file', readOnlyFrom('open', 3), 'EROFS'],
  ['lets the second file not take its place', readOnlyFrom('rename', 3), 'EROFS'],
])(
  'a disk that %s: nothing is half-written, what was there stays, and both is counted',
  async (_, disk, code) => {
    const before = await aResultsFolder()
    await before.results.write(owner, [file('b', 'old\n')])
    const { results, counted, names, look, textOf } = await aResultsFolder({
      root: before.root,
      disk,
    })
    const wanted = [file('a'), file('b', 'new\n'), file('c')]

    await expect(results.write(owner, wanted)).rejects.toMatchObject({
      code: 'FileSystemError',
      message: expect.stringContaining(code),
    })

    expect(await names()).toEqual(['.talos-operator.json', 'a.yaml', 'b.yaml'])
    expect(await textOf('a')).toBe('of a\n')
    expect(await textOf('b')).toBe('old\n')
    expect(counted).toEqual(['create success', 'update failure', 'create failure'])
    const seen = await look(wanted)
    expect(seen).toMatchObject({ stale: ['b.yaml', 'c.yaml'], surplus: [] })
    expect(seen.trouble?.message).toContain(code)
  },
)

test('R42: a folder that cannot be made counts as a failure of each file that was to be written', async () => {
  const { results, counted, root } = await aResultsFolder()
  await writeFile(root, 'a file where the folder should be')

  await expect(results.write(owner, [file('a'), file('b')])).rejects.toThrow()

  expect(counted).toEqual(['create failure', 'create failure'])
})

test('R42: a marker that cannot be written counts as a failure of each file that was to be written', async () => {
  const before = await aResultsFolder()
  await before.results.write(owner, [file('a')])
  const { results, counted, textOf } = await aResultsFolder({
    ...{ root: before.root, disk: readOnlyFrom('open', 1) },
  })

  await expect(results.write(owner, [file('a', 'new\n'), file('b')])).rejects.toThrow('EROFS')

  expect(counted).toEqual(['update failure', 'create failure'])
  expect(await textOf('a')).toBe('of a\n')
})

test('R42: what is somebody’s counts as a failure of each file that was to be written beside it', async () => {
  const { results, counted, root } = await aResultsFolder()
  await results.write(owner, [file('b')])
  await writeFile(join(root, 'prod', 'a.yaml'), 'of somebody\n')

  await expect(results.write(owner, [file('a'), file('b', 'new\n')])).rejects.toThrow(
    'was not written by this operator',
  )
  await rm(join(root, 'prod', 'a.yaml'))
  await results.write(owner, [file('a'), file('b', 'new\n')])

  expect(counted).toEqual([
    ...['create success', 'create failure', 'update failure', 'create success', 'update success'],
  ])
})

test('R42, A20: what cannot be removed is counted, once where nobody can tell which files there are', async () => {
  const { results, counted, root } = await aResultsFolder()
  await results.write(owner, [file('a'), file('b')])
  await rm(join(root, 'prod', 'a.yaml'))
  // No file, so that not even root can unlink it.
  await mkdir(join(root, 'prod', 'a.yaml'))
  await expect(results.remove(owner, ['a.yaml', 'b.yaml', 'notes.yaml'])).rejects.toThrow()
  await writeFile(join(root, 'prod', '.talos-operator.json'), 'spoilt')
  await expect(results.remove(owner, [])).rejects.toThrow('cannot be read')

  expect(counted.slice(2)).toEqual(Array(3).fill('delete failure'))
})

test('R42: what a disk that hangs does in the end is counted as the failure that it was, and not twice', async () => {
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const disk: Disk = { open, rename: (from, to) => held.then(() => rename(from, to)) }
  const { results, counted, clock, look } = await aResultsFolder({ disk })
  const writing = results.write(owner, [file('a')])
  const told = expect(writing).rejects.toThrow('does not answer within 5 s')
  await clock.advance(5_000)
  await told
  goOn()
  await until(
    'the file',
    () => look([file('a')]),
    ({ stale }) => stale.length === 0,
  )

  expect(counted).toEqual(['create failure'])
})
