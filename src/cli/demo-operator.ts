import { join } from 'node:path'
import { systemClock } from '#base/clock.ts'
import { forwardAbort } from '#base/deadline.ts'
import { startStandalone } from '#operator/standalone.ts'
import type { DemoFolder } from './demo-folder.ts'
import { homeFolder } from './home-folder.ts'

/** An operator with an API of its own. Disposing of it ends both. */
export interface DemoOperator extends AsyncDisposable {
  /** The file that leads to its API. */
  readonly kubeconfig: string
  /** Aborts when it is to stop, or when it has ended by itself. */
  readonly signal: AbortSignal
  /** Resolves when it has ended; rejects with why it could not go on. */
  readonly ended: Promise<void>
}

const ANY_PORT = '127.0.0.1:0'

/** Starts it in the folder, on ports that are free. Resolves when its API can be used. */
export async function startDemoOperator(
  folder: DemoFolder,
  signal: AbortSignal,
): Promise<DemoOperator> {
  const stop = new AbortController()
  const unlink = forwardAbort(signal, stop)
  let ended = Promise.resolve()
  const kubeconfig = await new Promise<string>((resolve, reject) => {
    ended = startStandalone({
      // Nothing that is set for another operator concerns this one.
      env: {},
      flags: {
        logFormat: 'text',
        metricsBindAddress: ANY_PORT,
        healthProbeBindAddress: ANY_PORT,
        resultsPath: join(folder.path, 'results'),
      },
      homeFolder: homeFolder(),
      clock: systemClock,
      signal: stop.signal,
      dataFolder: folder.path,
      address: { host: '127.0.0.1', port: 0 },
      authentication: true,
      onReady: resolve,
      writeLog: (line) => folder.writeLog(line),
    })
    ended.then(() => reject(new Error('the operator ended before it began')), reject)
  })
  void ended.catch(() => undefined).then(() => stop.abort(new Error('the operator has ended')))
  return {
    kubeconfig,
    ended,
    signal: stop.signal,
    [Symbol.asyncDispose]: async () => {
      unlink()
      stop.abort(new Error('the demo ends'))
      await ended.catch(() => undefined)
    },
  }
}
