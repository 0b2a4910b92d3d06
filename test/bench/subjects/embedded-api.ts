// The embedded API, with objects in the folder that it is told: node embedded-api.mjs FOLDER PORT

import { join } from 'node:path'
import { filesInFolder } from '#apiserver/security/key-files.ts'
import { writeKubeconfig } from '#apiserver/security/kubeconfig.ts'
import { startApi } from '#apiserver/start-api.ts'
import { lmdbBackend } from '#apiserver/store/backends/lmdb.ts'
import { systemClock } from '#base/clock.ts'
import type { Block } from '#test/bench/loop-probe.ts'
import { quietLog } from '#test/quiet-log.ts'
import { answerQuestions } from './answering.ts'
import { WatchedLoop } from './watched-loop.ts'

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

const started = start().then((kubeconfig) => ({ kubeconfig, loop: new WatchedLoop() }))

const answers = {
  /** Resolves to a kubeconfig when the API answers. */
  started: async (): Promise<string> => (await started).kubeconfig,

  /** The longest that the event loop was blocked since this was last asked. */
  async longestBlock(): Promise<Block> {
    return (await started).loop.longestBlock()
  },
}

export type EmbeddedApi = typeof answers

answerQuestions(answers)
