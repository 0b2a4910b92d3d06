// A results folder on the disk of this machine, gone when its test is over.

import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { FilesOwner, WantedFile } from '#controllers/kubernetes-cluster/results.ts'
import type { Disk } from '#operator/replaced-file.ts'
import { DiskResultsFolder } from '#operator/results-folder.ts'
import { FakeClock } from './fake-clock.ts'

export const aFilesOwner: FilesOwner = {
  ...{ folder: 'prod', namespace: 'default', name: 'prod', uid: 'uid-1', generation: 1 },
}

/** A manifest of a Machine, by its name. */
export const aFile = (name: string, text = `of ${name}\n`): WantedFile => ({
  ...{ name: `${name}.yaml`, version: text, text: () => text },
})

interface Options {
  root?: string
  namespaces?: readonly string[]
  disk?: Disk
}

export async function aResultsFolder({
  root = join(tmpdir(), `results-${randomUUID()}`),
  namespaces = [],
  disk,
}: Options = {}) {
  const counted: string[] = []
  const clock = new FakeClock()
  const results = new DiskResultsFolder({
    ...{ root, clock, namespaces },
    ...(disk && { disk }),
    tally: { fileOperated: ({ operation, status }) => counted.push(`${operation} ${status}`) },
  })
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const names = async () => (await readdir(join(root, 'prod'))).sort()
  const textOf = (name: string) => readFile(join(root, 'prod', `${name}.yaml`), 'utf8')
  const look = (wanted: WantedFile[], of = aFilesOwner) => results.look(of, wanted, () => true)
  return { root, results, counted, names, textOf, look, clock }
}
