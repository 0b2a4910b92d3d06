import { open, rename } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { aFile, aFilesOwner, aResultsFolder } from '#test/a-results-folder.ts'
import { aKubernetesCluster } from '#test/builders.ts'
import { aWorldOf } from '#test/kubernetes-cluster-world.ts'
import { fileSteps, filesVerdict } from './files-rules.ts'
import type { FilesSeen } from './results.ts'

const NOW = new Date('2030-01-01T00:00:00Z')
const SLOW_MS = 60
const all = Array.from({ length: 1_000 }, (_, at) => aFile(`prod-workers-${at}`))

const worldWith = (files: FilesSeen) => aWorldOf(aKubernetesCluster(), { files })

test('R30, R42: a thousand manifests on a slow disk are written, some in each pass, and none fails', async () => {
  let wait = async () => {}
  const slowly: typeof open = async (...args) => {
    await wait()
    return open(...args)
  }
  const { results, look, clock, counted } = await aResultsFolder({ disk: { open: slowly, rename } })
  wait = () => clock.advance(SLOW_MS)
  let passes = 0
  for (; passes < 30; passes++) {
    const [step] = fileSteps(worldWith(await look(all)), NOW)
    if (step?.do !== 'writeFiles') break
    const wanted = all.filter(({ name }) => step.files.includes(name))
    await results.write(aFilesOwner, wanted)
  }

  expect(passes).toBe(20)
  expect(await look(all)).toEqual({ stale: [], surplus: [] })
  expect(new Set(counted)).toEqual(new Set(['create success']))
})

test('R34: files are said to be generated when this pass writes the last of them', () => {
  const stale = all.map(({ name }) => name)
  const verdict = (files: number) =>
    filesVerdict(worldWith({ stale: stale.slice(0, files), surplus: [] }))

  expect(verdict(50)).toMatchObject({ ok: true, reason: 'GenerationSucceeded' })
  expect(verdict(51)).toMatchObject({ ok: false, reason: 'GenerationFailed' })
  // Same words in each pass: what is written anew each time would be a write for each.
  expect(verdict(51)).toEqual(verdict(1_000))
})
