import { get } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { WRITERS } from '#test/bench/api-side.ts'
import { OBJECTS } from '#test/bench/contests.ts'
import { startEmbedded } from '#test/bench/embedded.ts'
import { freePort } from '#test/bench/free-port.ts'
import { median } from '#test/bench/median.ts'
import type { Row } from '#test/bench/row.ts'
import { startSubject } from '#test/bench/subject.ts'
import type { Load } from '#test/bench/subjects/load.ts'
import { shown } from '#test/bench/table.ts'
import { temporaryFolder } from '#test/bench/temporary-folder.ts'

const STARTS = 5
const READY_WITHIN_MS = 30_000
const LOOK_EVERY_MS = 5

/** How long the embedded API takes to be ready, from the start of its process. */
export const apiReady: Row = {
  name: 'api-ready',
  budget: 500,
  unit: 'ms',
  better: 'less',
  async measure() {
    const empty: number[] = []
    for (let start = 0; start < STARTS; start++) {
      await using folder = await temporaryFolder()
      empty.push(await readyMs(folder.path))
    }
    await using folder = await temporaryFolder()
    await fill(folder.path)
    const full: number[] = []
    for (let start = 0; start < STARTS; start++) full.push(await readyMs(folder.path))
    return {
      value: Math.max(median(empty), median(full)),
      detail: [
        'from the start of its process to 200 on /readyz, the slower of two',
        `${shown(median(empty))} ms in an empty folder (at most ${shown(Math.max(...empty))})`,
        `${shown(median(full))} ms with ${shown(OBJECTS)} objects of 4 KB in it, after kill -9 (at most ${shown(Math.max(...full))})`,
        `median of ${STARTS} starts each`,
      ].join('; '),
    }
  },
}

async function readyMs(folder: string): Promise<number> {
  const port = await freePort()
  await using api = await startEmbedded({ folder, port })
  while (!(await isReady(port))) {
    if (performance.now() - api.startedAtMs > READY_WITHIN_MS) {
      throw new Error(`the API was not ready within ${READY_WITHIN_MS / 1e3} s`)
    }
    await delay(LOOK_EVERY_MS)
  }
  return performance.now() - api.startedAtMs
}

const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    // Whose certificate it is does not matter here: nobody else is asked, and nothing is told.
    const options = { host: '127.0.0.1', port, path: '/readyz', rejectUnauthorized: false }
    get({ ...options, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    }).once('error', () => resolve(false)) // not listening yet
  })

async function fill(folder: string): Promise<void> {
  await using api = await startEmbedded({ folder })
  await using load = await startSubject<Load>('load')
  await load.ask('connect', {
    kubeconfig: await api.ask('started', undefined),
    writers: WRITERS,
  })
  await load.ask('round', {
    ...{ action: 'create', namespace: 'default', calls: OBJECTS, objects: OBJECTS, version: 1 },
  })
}
