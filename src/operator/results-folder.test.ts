import { execFileSync } from 'node:child_process'
import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FilesOwner, WantedFile } from '#controllers/kubernetes-cluster/results.ts'
import { aResultsFolder, aFile as file, aFilesOwner as owner } from '#test/a-results-folder.ts'

// A limit of five seconds lets a hundred such files pass, and no more than a hundred and sixty.
const SLOW_MS = 30

const another: FilesOwner = { ...owner, namespace: 'elsewhere', uid: 'uid-2' }

test('R29: one folder for each cluster, one file for each Machine, and a marker that is hidden', async () => {
  const { results, names, root } = await aResultsFolder()

  await results.write(owner, [file('prod-cp-0'), file('prod-cp-1')])

  expect(await names()).toEqual(['.talos-operator.json', 'prod-cp-0.yaml', 'prod-cp-1.yaml'])
  expect(await readFile(join(root, 'prod', 'prod-cp-0.yaml'), 'utf8')).toBe('of prod-cp-0\n')
})

test('R30, A14: only what differs is written, and the rest keeps its time', async () => {
  const { results, look, counted, root } = await aResultsFolder()
  await results.write(owner, [file('a'), file('b')])
  const before = await lstat(join(root, 'prod', 'a.yaml'))
  const { stale } = await look([file('a'), file('b', 'changed\n')])
  await results.write(owner, [file('b', 'changed\n')])

  expect(stale).toEqual(['b.yaml'])
  expect((await lstat(join(root, 'prod', 'a.yaml'))).mtimeMs).toBe(before.mtimeMs)
  expect(await look([file('a'), file('b', 'changed\n')])).toEqual({ stale: [], surplus: [] })
  expect(counted).toEqual(['create success', 'create success', 'update success'])
})

test('A14: a file that somebody edited or removed is written again', async () => {
  const { results, look, root } = await aResultsFolder()
  await results.write(owner, [file('a'), file('b')])
  await writeFile(join(root, 'prod', 'a.yaml'), 'edited\n')
  await rm(join(root, 'prod', 'b.yaml'))

  expect((await look([file('a'), file('b')])).stale).toEqual(['a.yaml', 'b.yaml'])
})

test('a later process knows what an earlier one wrote', async () => {
  const first = await aResultsFolder()
  await first.results.write(owner, [file('a'), file('gone')])
  const second = await aResultsFolder({ root: first.root })

  expect(await second.look([file('a')])).toEqual({ stale: [], surplus: ['gone.yaml'] })
})

test('R30, A16: only what was written here is removed, and the folder when it is empty', async () => {
  const { results, names, root, counted } = await aResultsFolder()
  await results.write(owner, [file('a'), file('b')])
  await writeFile(join(root, 'prod', 'notes.yaml'), 'of somebody\n')

  await results.remove(owner, ['a.yaml', 'notes.yaml'])
  expect(await names()).toEqual(['.talos-operator.json', 'b.yaml', 'notes.yaml'])
  await results.remove(owner, ['b.yaml'])
  expect(await names()).toEqual(['notes.yaml'])
  expect(counted.filter((one) => one.startsWith('delete'))).toEqual(Array(2).fill('delete success'))
  await rm(join(root, 'prod', 'notes.yaml'))
  await results.write(owner, [file('c')])
  await results.remove(owner, ['c.yaml'])
  expect(await readdir(root)).toEqual([])
})

test('A16: the folder of another cluster that is there is left alone', async () => {
  const { results, look, names } = await aResultsFolder()
  await results.write(another, [file('a')])
  const { trouble } = await look([file('a', 'mine\n')])

  expect(trouble?.message).toContain('KubernetesCluster elsewhere/prod')
  await expect(results.write(owner, [file('b')])).rejects.toMatchObject({ code: 'FileSystemError' })
  expect(await names()).toEqual(['.talos-operator.json', 'a.yaml'])
  expect(await look([])).toEqual({ stale: [], surplus: [] })
})

test('A16: what a cluster that is gone has left belongs to who comes next', async () => {
  const { results, names } = await aResultsFolder()
  await results.write(another, [file('a'), file('old')])
  const seen = await results.look(owner, [file('a', 'mine\n')], () => false)
  await results.write(owner, [file('a', 'mine\n')])
  await results.remove(owner, seen.surplus)

  expect(seen).toEqual({ stale: ['a.yaml'], surplus: ['old.yaml'] })
  expect(await names()).toEqual(['.talos-operator.json', 'a.yaml'])
})

test('A16: whether a cluster of a namespace that is not watched is gone nobody knows: its folder is left alone', async () => {
  const { results, root } = await aResultsFolder()
  await results.write(another, [file('a')])
  const limited = await aResultsFolder({ root, namespaces: ['default'] })
  const seen = await limited.results.look(owner, [file('a', 'mine\n')], () => false)

  expect(seen.trouble?.message).toContain('KubernetesCluster elsewhere/prod')
  await expect(limited.results.write(owner, [file('a')])).rejects.toMatchObject({
    code: 'FileSystemError',
  })
})

test('a pipe in the place of the marker keeps nobody waiting', async () => {
  const { root, look } = await aResultsFolder()
  await mkdir(join(root, 'prod'), { recursive: true })
  execFileSync('mkfifo', [join(root, 'prod', '.talos-operator.json')])

  expect((await look([file('a')])).trouble?.message).toContain('cannot be read')
})

test('a file of somebody that has the name of one of ours is not written over', async () => {
  const { results, root } = await aResultsFolder()
  await mkdir(join(root, 'prod'), { recursive: true })
  await writeFile(join(root, 'prod', 'a.yaml'), 'of somebody\n')

  await expect(results.write(owner, [file('a')])).rejects.toThrow(
    'was not written by this operator',
  )
  expect(await readFile(join(root, 'prod', 'a.yaml'), 'utf8')).toBe('of somebody\n')
})

test('links are not followed: not as a folder, not as a file, not as a marker', async () => {
  const { results, root } = await aResultsFolder()
  const outside = join(root, 'outside')
  await mkdir(outside, { recursive: true })
  await symlink(outside, join(root, 'prod'))
  await expect(results.write(owner, [file('a')])).rejects.toThrow('is no folder')
  await rm(join(root, 'prod'))

  await results.write(owner, [file('a')])
  await writeFile(join(outside, 'target'), 'untouched\n')
  await rm(join(root, 'prod', 'a.yaml'))
  await symlink(join(outside, 'target'), join(root, 'prod', 'a.yaml'))
  await results.write(owner, [file('a')])
  expect(await readFile(join(outside, 'target'), 'utf8')).toBe('untouched\n')

  await rm(join(root, 'prod', '.talos-operator.json'))
  await symlink(join(outside, 'target'), join(root, 'prod', '.talos-operator.json'))
  await expect(results.remove(owner, ['a.yaml'])).rejects.toMatchObject({ code: 'FileSystemError' })
  expect(await readdir(outside)).toEqual(['target'])
})

test('a marker that lists what is elsewhere, or is no marker, is not believed', async () => {
  const { results, root } = await aResultsFolder()
  await results.write(owner, [file('a')])
  const marker = { namespace: 'default', name: 'prod', uid: 'uid-1', files: ['../../etc.yaml'] }
  for (const text of [JSON.stringify(marker), 'no json', '{}']) {
    await writeFile(join(root, 'prod', '.talos-operator.json'), text)

    await expect(results.remove(owner, ['../../etc.yaml'])).rejects.toThrow('cannot be read')
  }
})

test('R32, R36: what cannot be written is a FileSystemError, tried again after 1, 2, 4 … 300 s', async () => {
  const { results, look, root, clock, counted } = await aResultsFolder()
  await writeFile(root, 'a file where the folder should be')
  const pauses: number[] = []
  for (let tries = 0; tries < 11; tries++) {
    await expect(results.write(owner, [file('a')])).rejects.toMatchObject({
      code: 'FileSystemError',
    })
    const { trouble } = await look([file('a')])
    pauses.push(((trouble?.retryAt.getTime() ?? 0) - clock.now().getTime()) / 1_000)
  }

  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
  expect((await look([file('a')], { ...owner, generation: 2 })).trouble?.tries).toBe(1)
  await rm(root)
  await results.write(owner, [file('a')])
  expect(await look([file('a')])).toEqual({ stale: [], surplus: [] })
  expect(counted).toEqual([...Array(11).fill('create failure'), 'create success'])
})

test('a manifest that is far too large is not written, and counted as a failure', async () => {
  const { results, counted, names } = await aResultsFolder()
  const large = file('a', 'x'.repeat(1024 * 1024 + 1))

  await expect(results.write(owner, [large])).rejects.toThrow('over 1 MiB')
  expect(counted).toEqual(['create failure'])
  expect(await names()).toEqual(['.talos-operator.json'])
})

test('A14: what a crash leaves half-written is in nobody’s way, and goes with the folder', async () => {
  const { results, root, names } = await aResultsFolder()
  await results.write(owner, [file('a')])
  const half = '.talos-operator-0123456789ab.tmp'
  await writeFile(join(root, 'prod', half), 'ne')
  await results.write(owner, [file('a', 'next\n')])

  expect(await names()).toEqual([half, '.talos-operator.json', 'a.yaml'])
  expect(await readFile(join(root, 'prod', 'a.yaml'), 'utf8')).toBe('next\n')
  await results.remove(owner, ['a.yaml'])
  expect(await readdir(root)).toEqual([])
})

test('many files on a disk that takes its time are looked at, and no other cluster is kept waiting', async () => {
  const before = await aResultsFolder()
  const names = Array.from({ length: 300 }, (_, at) => `prod-workers-${at}`)
  await before.results.write(
    owner,
    names.map((name) => file(name)),
  )
  const { look, clock } = await aResultsFolder({ root: before.root })
  const wanted = names.map((name): WantedFile => {
    const { text, ...rest } = file(name)
    const slowly = () => {
      void clock.advance(SLOW_MS)
      return text()
    }
    return { ...rest, text: slowly }
  })
  const looking = look(wanted)

  expect(await look([])).toEqual({ stale: [], surplus: names.map((name) => `${name}.yaml`).sort() })
  expect(await looking).toEqual({ stale: [], surplus: [] })
})

test('files that are as they were are neither made nor read again, and a marker that is another one is', async () => {
  const { results, look, root } = await aResultsFolder()
  let made = 0
  const counted: WantedFile = { ...file('a'), text: () => `${++made > 0 && 'of a'}\n` }
  await results.write(owner, [counted])
  for (let times = 0; times < 3; times++) {
    expect(await look([counted])).toEqual({ stale: [], surplus: [] })
  }
  const marker = join(root, 'prod', '.talos-operator.json')
  const text = await readFile(marker, 'utf8')
  await writeFile(marker, text.replace('uid-1', 'uid-2'))

  expect(made).toBe(1)
  expect((await look([counted])).trouble?.message).toContain('has the files of KubernetesCluster')
  await rm(marker)
  expect((await look([counted])).stale).toEqual(['a.yaml'])
})
