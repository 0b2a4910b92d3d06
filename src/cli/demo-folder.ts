import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that nobody else can look into, and that is gone afterwards. */
export interface DemoFolder extends Disposable {
  readonly path: string
  /** Of what the operator and the machines have to say. */
  readonly logPath: string
  writeLog(line: string): void
}

const ONLY_FOR_ME = 0o600

/** Makes the folder. It goes when it is disposed of, and at the latest with the process. */
export function demoFolder(): DemoFolder {
  const path = mkdtempSync(join(tmpdir(), 'talos-operator-demo-'))
  const logPath = join(path, 'operator.log')
  const log = openSync(logPath, 'a', ONLY_FOR_ME)
  const remove = () => rmSync(path, { recursive: true, force: true })
  // Whoever is in a hurry presses Ctrl-C twice, which leaves no time to dispose of anything.
  process.on('exit', remove)
  return {
    path,
    logPath,
    writeLog: (line) => void writeSync(log, line),
    [Symbol.dispose]: () => {
      process.off('exit', remove)
      closeSync(log)
      remove()
    },
  }
}
