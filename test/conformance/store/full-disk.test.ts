import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { lmdbBackend } from '#apiserver/store/backends/lmdb.ts'
import { openStore } from '#apiserver/store/open-store.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { bundled } from './bundled.ts'

test('a write for which there is no room is refused, and the store goes on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'full-disk-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const program = await bundled('full-disk-writer', folder)
  const path = join(folder, 'store')
  // 1 MiB for a file, in blocks of 512 bytes; Node ignores the signal, so a write fails as on a full disk.
  const limited = ['-c', 'ulimit -f 2048; exec "$@"', 'sh', process.execPath, program, path]
  const { stdout } = await promisify(execFile)('sh', limited)
  const { outcomes, problems, listed, revision } = JSON.parse(stdout)
  const refused = expect.stringMatching(/^g\/large\/.. not kept: the change could not be kept: /)
  expect(outcomes).toEqual([
    'g/small/a kept',
    ...[refused, refused, refused],
    'g/small/b kept',
    ...[refused, refused, refused],
    'g/small/c kept',
  ])
  expect(problems).toEqual([false, true, false, true])
  expect(listed).toEqual(['g/small/a', 'g/small/b', 'g/small/c'])

  const store = await openStore({ backend: lmdbBackend({ path }), clock: new FakeClock() })
  onTestFinished(() => store[Symbol.asyncDispose]())
  expect(store.list('').map(({ key }) => key)).toEqual(listed)
  expect(store.revision).toBe(revision)
})
