// The embedded API, with objects in the folder that it is told: node embedded-api.mjs FOLDER PORT

import { join } from 'node:path'
import { filesInFolder } from '#apiserver/security/key-files.ts'
import { writeKubeconfig } from '#apiserver/security/kubeconfig.ts'
import { startApi } from '#apiserver/start-api.ts'
import { lmdbBackend } from '#apiserver/store/backends/lmdb.ts'
import { systemClock } from '#base/clock.ts'
import { type Block, LoopProbe } from '#test/bench/loop-probe.ts'
import { quietLog } from '#test/quiet-log.ts'
import { answerQuestions } from './answering.ts'

const LOOK_EVERY_MS = 2

const [, , folder = '', port = '0'] = process.argv

const log = quietLog({
  error: (message, fields) =>
    void process.stderr.write(`${message}: ${JSON.stringify(fields ?? {})}\n`),
})

async function start(): Promise<string> {
  const { url, keys } = await startApi({
    backend: lmdbBackend({ path: join(folder, 'store') }),
    keyFiles: await filesInFolder(join(folder, 'keys'), log),
    address: { host: '127.0.0.1', port: Number(port) },
    clock: systemClock,
    log,
  })
  const kubeconfig = join(folder, 'kubeconfig')
  await writeKubeconfig(kubeconfig, {
    server: url,
    authority: keys.authority,
    client: keys.admin,
  })
  return kubeconfig
}

const look = () => {
  const { user, system } = process.cpuUsage()
  return { ms: performance.now(), cpuMs: (user + system) / 1e3 }
}
const probe = new LoopProbe(look())
const keepLooking = () => {
  probe.look(look())
  systemClock.after(LOOK_EVERY_MS, keepLooking)
}
const started = start().finally(keepLooking)

const answers = {
  /** Resolves to a kubeconfig when the API answers. */
  started: (): Promise<string> => started,

  /** The longest that the event loop was blocked since this was last asked. */
  async longestBlock(): Promise<Block> {
    probe.look(look())
    return probe.take()
  },
}

export type EmbeddedApi = typeof answers

answerQuestions(answers)
