import { createProgram } from './program.ts'

// A reader that has seen enough (`| head`) closes the pipe; that is not a failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

await createProgram({
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
}).parseAsync()
