import { endOf } from './exit.ts'
import { createProgram } from './program.ts'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough (`| head`) closes the pipe; that is not a failure of ours.
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`talos-operator: the output could not be written: ${error.message}\n`)
  process.exit(1)
})

await createProgram({
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
  .parseAsync()
  .catch((error: unknown) => {
    const { exitCode, message } = endOf(error)
    if (message) process.stderr.write(`talos-operator: ${message}\n`)
    process.exitCode = exitCode
  })
