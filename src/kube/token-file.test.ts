import { mkdir, mkdtemp, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { followFiles, readSmallFile } from './followed-files.ts'
import { followToken, tokenIn } from './token-file.ts'

const { signal } = new AbortController()
const asIs = { renew: false, signal }
const renewed = { renew: true, signal }

async function aFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'token-file-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

async function aTokenFile(text: string) {
  const path = join(await aFolder(), 'token')
  await writeFile(path, text)
  const clock = new FakeClock()
  const follow = followToken(path, 'the token', clock)
  return { path, clock, token: async (options = asIs) => (await follow(options)).open() }
}

describe('a token file', () => {
  test('yields its token without the blanks around it', async () => {
    const { token } = await aTokenFile(' first\r\n')

    expect(await token()).toBe('first')
  })

  test('is left alone for some seconds after a look', async () => {
    const { path, clock, token } = await aTokenFile('first')
    await token()

    await writeFile(path, 'second')
    await clock.advance(4_999)

    expect(await token()).toBe('first')
  })

  test('is read anew once it has changed', async () => {
    const { path, clock, token } = await aTokenFile('first')
    await token()

    await writeFile(path, 'second')
    await clock.advance(5_000)

    expect(await token()).toBe('second')
  })

  test('is read anew when a link is turned to another file, as Kubernetes rotates', async () => {
    const folder = await aFolder()
    for (const turn of ['first', 'second']) {
      await mkdir(join(folder, turn))
      await writeFile(join(folder, turn, 'token'), turn)
    }
    await symlink('first', join(folder, 'data'))
    await symlink(join('data', 'token'), join(folder, 'token'))
    const clock = new FakeClock()
    const follow = followToken(join(folder, 'token'), 'the token', clock)
    expect((await follow(asIs)).open()).toBe('first')

    await symlink('second', join(folder, 'data-new'))
    await rename(join(folder, 'data-new'), join(folder, 'data'))
    await clock.advance(5_000)

    expect((await follow(asIs)).open()).toBe('second')
  })

  test('is read at once when the last token was refused', async () => {
    const { path, token } = await aTokenFile('first')
    await token()

    await writeFile(path, 'second')

    expect(await token(renewed)).toBe('second')
  })

  test('keeps its last good token while it is half written or gone, until that is refused', async () => {
    const { path, clock, token } = await aTokenFile('first')
    await token()

    await writeFile(path, '')
    await clock.advance(5_000)
    expect(await token()).toBe('first')

    await rm(path)
    await clock.advance(5_000)
    expect(await token()).toBe('first')
    await expect(token(renewed)).rejects.toThrow(`cannot read ${path}: there is no such file`)

    await writeFile(path, 'second')
    expect(await token()).toBe('second')
  })

  test('that is missing, empty or something else is told, without what is in it', async () => {
    const { path, token } = await aTokenFile('')
    await expect(token()).rejects.toThrow(`the token (${path}) is empty`)

    await writeFile(path, '<html>hunter2\nhunter2</html>')
    await expect(token()).rejects.toThrow(/holds no bearer token: that is one line/)
    await expect(token()).rejects.not.toThrow(/hunter2/)

    await rm(path)
    await expect(token()).rejects.toThrow(/there is no such file; is its name right/)
  })

  test('is not read for somebody who has left', async () => {
    const { path } = await aTokenFile('first')
    const reason = new Error('enough')
    const stop = new AbortController()
    const follow = followToken(path, 'the token', new FakeClock())

    const asked = follow({ renew: false, signal: stop.signal })
    stop.abort(reason)

    await expect(asked).rejects.toBe(reason)
    await expect(follow({ renew: false, signal: stop.signal })).rejects.toBe(reason)
    expect((await follow(asIs)).open()).toBe('first')
  })
})

describe('files that belong together', () => {
  async function aPair() {
    const folder = await aFolder()
    const paths = [join(folder, 'a'), join(folder, 'b')]
    const write = (index: number, text: string) => writeFile(paths[index] ?? '', text)
    await write(0, 'red')
    await write(1, 'red')
    const clock = new FakeClock()
    const parsed: string[] = []
    const parse = ([a, b]: string[]) => {
      parsed.push(`${a}-${b}`)
      if (a !== b) throw new Error('they do not match')
      return `both ${a}`
    }
    return { write, clock, parsed, follow: followFiles({ paths, parse, clock }) }
  }

  test('are taken over when both have changed, and not before', async () => {
    const { write, clock, follow } = await aPair()
    expect(await follow(asIs)).toBe('both red')

    await write(0, 'blue')
    await clock.advance(5_000)
    expect(await follow(asIs)).toBe('both red')

    await write(1, 'blue')
    await clock.advance(5_000)
    expect(await follow(asIs)).toBe('both blue')
  })

  test('are not read again while they stay the same', async () => {
    const { clock, follow, parsed } = await aPair()

    for (let look = 0; look < 3; look++) {
      await follow(asIs)
      await clock.advance(5_000)
    }

    expect(parsed).toEqual(['red-red'])
  })

  test('are read once for all who ask at the same time', async () => {
    const { follow, parsed } = await aPair()

    await Promise.all([follow(asIs), follow(asIs), follow(renewed)])

    expect(parsed).toEqual(['red-red'])
  })
})

describe('reading a small file', () => {
  const limits = { mostBytes: 1024 * 1024, signal }

  test('yields nothing where there is no file', async () => {
    const folder = await aFolder()
    await writeFile(join(folder, 'file'), '')

    expect(await readSmallFile(join(folder, 'none'), limits)).toBeUndefined()
    expect(await readSmallFile(join(folder, 'file', 'below'), limits)).toBeUndefined()
  })

  test('stops at the bound, be the file of 100 MB or without an end', async () => {
    const path = join(await aFolder(), 'large')
    await writeFile(path, '')
    await truncate(path, 100_000_000)

    await expect(readSmallFile(path, limits)).rejects.toThrow(`${path}: it is larger than 1 MiB`)
    await expect(readSmallFile('/dev/zero', limits)).rejects.toThrow('it is larger than 1 MiB')
    await truncate(path, limits.mostBytes)
    expect(await readSmallFile(path, limits)).toHaveLength(limits.mostBytes)
  })

  test('says that a folder is none', async () => {
    const folder = await aFolder()

    await expect(readSmallFile(folder, limits)).rejects.toThrow(
      `cannot read ${folder}: it is a folder; name a file in it`,
    )
  })
})

test('a token does not show when it is printed', () => {
  expect(`${tokenIn('hunter2', 'it')}`).toBe('***')
})
